"""The explorer of chapters 5 and 10: the worked example for any order of its words, number by number."""
from __future__ import annotations

import traitlets
from ipywidgets import Dropdown, Text
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.encoder import LayerNorm
from transformer_book.explorers.base import CONTROL, Explorer, SentenceView, choice, linked, static
from transformer_book.one_hot import tokenize
from transformer_book.worked_example import (
    D_MODEL,
    EMBEDDINGS,
    FEED_FORWARD,
    MAX_WORDS,
    N_HEADS,
    SENTENCE,
    TWO_HEADS,
    VOCABULARY,
    check_sentence,
    robot,
)

QUESTION = "am I a robot"
# In the order of the walk; with the value of the palette's ends, beyond which no number of the example lies.
LIMITS = {
    "one_hot": 1, "embedding": 2, "encoding": 2, "input": 2, "query": 2, "key": 3, "value": 2, "scores": 4, "weights": 1,
    "heads": 2, "attention": 2, "residual_1": 3, "norm_1": 2, "hidden": 2, "feed_forward": 2, "residual_2": 3, "output": 2,
}
STAGES = tuple(LIMITS)
WEIGHTS = {name: [list(row) for row in rows] for name, rows in {**TWO_HEADS, **FEED_FORWARD}.items()}
WEIGHT_LIMITS = {"table": 2, "W_Q": 1, "W_K": 3, "W_V": 1, "W_O": 1, "W_1": 1, "W_2": 1}


class RobotView(SentenceView):
    """Traits: `sentence`, which is followed, and `stage`, one of the `stages` that the control walks through; `text` is what
    stands in the field, followed or not."""

    _esm = static("robot.js")
    text = traitlets.Unicode(QUESTION).tag(sync=True)
    sentence = traitlets.Unicode(QUESTION).tag(sync=True)
    reference = traitlets.Unicode(SENTENCE, read_only=True).tag(sync=True)
    stages = traitlets.List(list(STAGES), read_only=True).tag(sync=True)
    stage = traitlets.Enum(STAGES, default_value="one_hot")
    stage_index = traitlets.Int(0, min=0).tag(sync=True)
    embeddings = traitlets.Dict({word: list(EMBEDDINGS[word]) for word in VOCABULARY.entries}, read_only=True).tag(sync=True)
    weights = traitlets.Dict(WEIGHTS, read_only=True).tag(sync=True)
    n_heads = traitlets.Int(N_HEADS, read_only=True).tag(sync=True)
    eps = traitlets.Float(LayerNorm(D_MODEL).eps, read_only=True).tag(sync=True)
    limits = traitlets.Dict({**LIMITS, **WEIGHT_LIMITS}, read_only=True).tag(sync=True)
    most_words = traitlets.Int(MAX_WORDS, read_only=True).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    def __init__(self, stages: tuple[str, ...] = STAGES, stage: str = STAGES[0], **traits: object) -> None:
        super().__init__(**traits)
        self.set_trait("stages", list(stages))
        choice(self, "stage")
        self.stage = stage

    @traitlets.validate("stage")
    def _check_stage(self, proposal: dict) -> str:
        if proposal["value"] not in self.stages:
            raise traitlets.TraitError(f"stage must be one of {', '.join(self.stages)}, got {proposal['value']!r}")
        return proposal["value"]

    @traitlets.validate("stage_index")
    def _check_index(self, proposal: dict) -> int:
        if proposal["value"] >= len(self.stages):
            raise traitlets.TraitError(f"stage_index must be from 0 to {len(self.stages) - 1}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("sentence")
    def _check_sentence(self, proposal: dict) -> str:
        try:
            check_sentence(proposal["value"])
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None
        return " ".join(tokenize(proposal["value"]))

    @property
    def value(self) -> Tensor:
        """The chosen stage of the reader's sentence, float32: (seq_len, 4), but `hidden` is (seq_len, 8), and `scores` and
        `weights` are (2, seq_len, seq_len)."""
        return getattr(robot(self.sentence), self.stage)


def robot_explorer(sentence: str = QUESTION, stage: str = "input", last: str | None = None) -> Explorer:
    """Type the four words in any order; the view is `.view`, the tensor on screen `.view.value`.

    The walk goes from `one_hot` to `output`, or ends at `last`: without it, at the stage where it starts, so that
    `robot_explorer()` shows what comes before the encoder layer and `robot_explorer(stage="output")` everything.

    Raises TraitError for a sentence of none or more than eight words, for an unknown word, for an unknown stage, and for
    one after the last.
    """
    last = stage if last is None else last
    for name, value in (("stage", stage), ("last", last)):
        if value not in STAGES:
            raise traitlets.TraitError(f"{name} must be one of {', '.join(STAGES)}, got {value!r}")
    view = RobotView(STAGES[: STAGES.index(last) + 1], stage, sentence=sentence)
    text = Text(view.text, description="your sentence", placeholder=QUESTION, **CONTROL)
    menu = Dropdown(options=view.stages, index=view.stage_index, description="stage", **CONTROL)
    explorer = Explorer(
        "robot",
        [
            linked(view, "text", text, tooltip="one to eight of the words I, am, a, robot, in any order"),
            linked(view, "stage_index", menu, source="index", tooltip="how far the sentence has come"),
        ],
        view,
        figure=lambda: draw(view),
        alt=lambda: describe(view),
    )
    return explorer if last in STAGES[:4] else explorer.add_class("tb-robot-layer")


def describe(view: RobotView) -> str:
    """The figure in words."""
    split = ", in each of the two heads" if view.value.dim() == 3 else ""
    pairs = "each pair of words" if split else "each word and column"
    return f'The {view.stage} of "{view.reference}" above the {view.stage} of "{view.sentence}"{split}: a number for {pairs}.'


def draw(view: RobotView) -> Figure:
    """The explorer on paper: the stage of the book's sentence above that of the reader's, two heads side by side."""
    sentences = (view.reference, view.sentence)
    stages = [getattr(robot(sentence), view.stage) for sentence in sentences]
    heads = [stage if stage.dim() == 3 else stage[None] for stage in stages]
    words = [tokenize(sentence) for sentence in sentences]
    width = sum(1.4 + 0.5 * max(head.shape[-1] for head in heads) for _ in heads[0])
    height = sum(0.8 + 0.25 * len(tokens) for tokens in words)
    figure = Figure(figsize=(max(5.4, width), max(3.6, height)), layout="constrained")
    grid = figure.subplots(2, len(heads[0]), squeeze=False, height_ratios=[len(tokens) + 2 for tokens in words])
    for row, tokens, matrices in zip(grid, words, heads, strict=True):
        for at, (ax, matrix) in enumerate(zip(row, matrices, strict=True)):
            pairs = {"columns": tokens, "xlabel": "key"} if len(row) > 1 else {}
            title = f"head {at + 1}: {' '.join(tokens)}" if len(row) > 1 else " ".join(tokens)
            plots.heatmap(matrix, rows=tokens, limit=LIMITS[view.stage], ylabel="", ax=ax, title=title, **pairs)
    return figure
