"""The quick questions of chapter 13."""
from __future__ import annotations

from transformer_book.explorers.questions.question import Answer, ChoiceQuestion, NumberQuestion, Slip

QUESTIONS = {
    "ten-places-away": NumberQuestion(
        "In the first head of eight, what share of its e^s does a word 10 places away keep? 1 would mean all of it.",
        0.006738,
        "The fine is 10 times 1/2, so the score loses 5 and e^s is multiplied by e^-5, which is 0.0067. In the last head 0.9617 is left.",
        "The first head has the slope 1/2. Work out the fine c for 10 places first, then e^-c.",
        (
            Slip(5, "That is the fine, which is taken off the score. The softmax raises e to it, so what is left is e^-5."),
            Slip(0.5, "That is the slope, the fine for a single place. Here the fine is ten times as much, and e is raised to it."),
            Slip(
                0.000977,
                "That halves e^s ten times. But the score loses half a point at each place, which multiplies e^s by e^-0.5, about 0.61.",
            ),
        ),
        tolerance=0.0004,
    ),
    "robot-without-positions": ChoiceQuestion(
        "Does the row of “robot” know which of the two sentences it was in?",
        (
            Answer(
                "Yes, because the mask gives an order.",
                "From the last word the mask hides nothing. In one layer “robot” averages the same four rows, in whichever order they "
                "come.",
            ),
            Answer(
                "Never, because no position is added.",
                "Nothing is added, but the mask gives each word a past of its own. A second layer can read that from the rows of the "
                "words.",
            ),
            Answer(
                "Not after one layer, but after two.",
                "In the first layer “am” attends to “I” in one sentence and only to itself in the other. So in the second layer “robot” "
                "meets other rows.",
                right=True,
            ),
        ),
    ),
}
