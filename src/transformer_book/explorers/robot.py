"""The explorer of chapter 5: the worked example for any order of its words, number by number."""
from __future__ import annotations

import traitlets
from ipywidgets import Text
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.explorers.base import CONTROL, Explorer, SentenceView, choice, choices, linked, static
from transformer_book.one_hot import tokenize
from transformer_book.worked_example import EMBEDDINGS, MAX_WORDS, SENTENCE, check_sentence, robot

STAGES = ("embedding", "encoding", "input")
QUESTION = "am I a robot"


class RobotView(SentenceView):
    """Traits: `sentence`, which is followed, and `stage`; `text` is what stands in the field, followed or not."""

    _esm = static("robot.js")
    text = traitlets.Unicode(QUESTION).tag(sync=True)
    sentence = traitlets.Unicode(QUESTION).tag(sync=True)
    reference = traitlets.Unicode(SENTENCE, read_only=True).tag(sync=True)
    stages = traitlets.List(list(STAGES), read_only=True).tag(sync=True)
    stage = traitlets.Enum(STAGES, default_value="input")
    stage_index = traitlets.Int(len(STAGES) - 1, min=0, max=len(STAGES) - 1).tag(sync=True)
    embeddings = traitlets.Dict({word: list(row) for word, row in EMBEDDINGS.items()}, read_only=True).tag(sync=True)
    most_words = traitlets.Int(MAX_WORDS, read_only=True).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "stage")

    @traitlets.validate("sentence")
    def _check_sentence(self, proposal: dict) -> str:
        try:
            check_sentence(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return " ".join(tokenize(proposal["value"]))

    @property
    def value(self) -> Tensor:
        """The chosen stage of the reader's sentence, float32, (seq_len, 4)."""
        return getattr(robot(self.sentence), self.stage)


def robot_explorer(sentence: str = QUESTION, stage: str = "input") -> Explorer:
    """Type the four words in any order; the view is `.view`, the tensor on screen `.view.value`.

    Raises TraitError for a sentence of none or more than eight words, for an unknown word and for an unknown stage.
    """
    view = RobotView(sentence=sentence, stage=stage)
    text = Text(view.text, description="your sentence", placeholder=QUESTION, **CONTROL)
    tooltip = "how far the sentence has come"
    return Explorer(
        "robot",
        [
            linked(view, "text", text, tooltip="one to eight of the words I, am, a, robot, in any order"),
            choices(view, "stage", list(STAGES), description="stage", tooltip=tooltip),
        ],
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f'The {view.stage} of "{view.reference}" above the {view.stage} of "{view.sentence}": '
            "a number for each word and column."
        ),
    )


def draw(view: RobotView) -> Figure:
    """The explorer on paper: the stage of the book's sentence above that of the reader's."""
    figure = Figure(figsize=(5.4, 3.6), layout="constrained")
    for ax, sentence in zip(figure.subplots(2), (view.reference, view.sentence), strict=True):
        followed = robot(sentence)
        matrix = getattr(followed, view.stage)
        plots.heatmap(matrix, rows=followed.tokens, limit=2.0, ylabel="", ax=ax, title=sentence)
    return figure
