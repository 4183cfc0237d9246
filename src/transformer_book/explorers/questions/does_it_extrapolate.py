"""The quick questions of chapter 12."""
from __future__ import annotations

from transformer_book.explorers.questions.question import Answer, ChoiceQuestion

QUESTIONS = {
    "past-sixteen": ChoiceQuestion(
        "How often will it be right at position 16, the first that it never saw, and at position 18?",
        (
            Answer(
                "Nearly always at both, as the formula goes on.",
                "The formula goes on, but the machine has learned from sixteen rows alone. At position 18 it is right in 11% of the "
                "cases.",
            ),
            Answer(
                "Hardly ever at both, as it never saw either.",
                "The row of position 16 is still close to rows that it saw, and there it is right in 89%. Two steps on it is only 11%.",
            ),
            Answer(
                "Mostly at 16, and hardly ever at 18.",
                "It is right in 89% of the cases at 16, in 30% at 17 and in 11% at 18. That is about what a copier of any letter "
                "gets.",
                right=True,
            ),
            Answer("In about half of the cases at both.", "It does not stop halfway. From position 15 to 18 it goes from 100% to 11%."),
        ),
    ),
    "first-letter": ChoiceQuestion(
        "In the task “first”, with sinusoidal positions and two layers, is there a cliff again?",
        (
            Answer(
                "Yes, the same one as in “shift”.",
                "“shift” has to look two places back from a place that training never had. “first” looks at position 0, which stood in "
                "every text.",
            ),
            Answer(
                "Hardly, though the texts are longer.",
                "It has 1.00 at 2x and 0.99 at 4x. The first letter always stands at position 0, and training has seen that row in "
                "every text.",
                right=True,
            ),
            Answer(
                "Yes, but not before four times the length.",
                "There it is still right in 99% of the cases. However long a text is, its first letter stands at position 0.",
            ),
        ),
    ),
}
