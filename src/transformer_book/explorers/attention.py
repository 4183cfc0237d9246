"""The explorer of chapter 8: the worked example through one head of attention, number by number."""
from __future__ import annotations

import math

import torch
import traitlets
from ipywidgets import Checkbox
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.attention import scaled_dot_product_attention
from transformer_book.explorers.base import Explorer, MaskedView, choice, choices, linked, static
from transformer_book.one_hot import tokenize
from transformer_book.worked_example import EMBEDDINGS, ONE_HEAD, SENTENCE, robot

SENTENCES = (SENTENCE, "am I a robot")
WORDS = tuple(tokenize(SENTENCE))
STAGES = ("Q and K", "scores", "weights", "V", "output")
D_K = len(ONE_HEAD["W_K"][0])


class AttentionHeadView(MaskedView):
    """Traits: the `query`, a word of the `sentence`; `scale`, `mask`, `positions`; and `stage`, which numbers are shown.

    Not AttentionView: by its short name the page is asked for this view, and #attention is the chapter's title.
    """

    _esm = static("attention.js")
    sentences = traitlets.List(list(SENTENCES), read_only=True).tag(sync=True)
    sentence = traitlets.Enum(SENTENCES, default_value=SENTENCE)
    sentence_index = traitlets.Int(0, min=0, max=len(SENTENCES) - 1).tag(sync=True)
    words = traitlets.List(list(WORDS), read_only=True).tag(sync=True)
    query = traitlets.Enum(WORDS, default_value="robot")
    query_index = traitlets.Int(len(WORDS) - 1, min=0, max=len(WORDS) - 1).tag(sync=True)
    scale = traitlets.Bool(True).tag(sync=True)
    positions = traitlets.Bool(True).tag(sync=True)
    stages = traitlets.List(list(STAGES), read_only=True).tag(sync=True)
    stage = traitlets.Enum(STAGES, default_value="weights")
    stage_index = traitlets.Int(STAGES.index("weights"), min=0, max=len(STAGES) - 1).tag(sync=True)
    embeddings = traitlets.Dict({word: list(row) for word, row in EMBEDDINGS.items()}, read_only=True).tag(sync=True)
    head = traitlets.Dict({name: [list(row) for row in rows] for name, rows in ONE_HEAD.items()}, read_only=True).tag(sync=True)
    base = traitlets.Float(10000.0, read_only=True).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "sentence")
        choice(self, "query", "words")
        choice(self, "stage")

    @property
    def value(self) -> Tensor:
        """The weights: row i holds the shares that query i gives to the keys; float32, (4, 4)."""
        return self._attend()[1]

    @property
    def output(self) -> Tensor:
        """The values mixed by the weights, float32, (4, 4)."""
        return self._attend()[0]

    def _attend(self) -> tuple[Tensor, Tensor]:
        example = robot(self.sentence)
        x = example.input if self.positions else example.embedding
        q, k, v = (x @ torch.tensor(ONE_HEAD[name], dtype=x.dtype) for name in ("W_Q", "W_K", "W_V"))
        if not self.scale:
            q = q * math.sqrt(D_K)
        return scaled_dot_product_attention(q, k, v, self.allowed(len(x)))


def attention_explorer(
    query: str = "robot",
    *,
    sentence: str = SENTENCE,
    scale: bool = True,
    mask: str = "none",
    positions: bool = True,
    stage: str = "weights",
) -> Explorer:
    """Every number of one head's attention over "I am a robot" or "am I a robot"; the view is `.view`.

    The weights on screen are `.view.value`, what they mix `.view.output`. `scale` divides the scores by the root of
    d_k, `mask` is "none" or "causal", `positions` adds the encoding to the embedding, and `stage` says which matrices
    are shown: "Q and K", "scores", "weights", "V" or "output". Raises TraitError for anything else.
    """
    view = AttentionHeadView(query=query, sentence=sentence, scale=scale, mask=mask, positions=positions, stage=stage)
    switches = {
        "scale": (
            f"scale: divide scores by √{D_K} = {math.sqrt(D_K):.4g}",
            "without it the differences between scores stay large",
        ),
        "positions": ("positions: add the encoding", "without it the machine reads the bare words"),
    }
    boxes = [
        linked(view, trait, Checkbox(getattr(view, trait), description=label, indent=False), tooltip=tooltip)
        for trait, (label, tooltip) in switches.items()
    ]
    return Explorer(
        "attention",
        [
            choices(view, "query", list(WORDS), description="query", tooltip="the word that asks"),
            choices(view, "sentence", list(SENTENCES), description="sentence", tooltip="the same words in two orders"),
            view.mask_buttons(),
            *boxes,
            choices(view, "stage", list(STAGES), description="show", tooltip="which of the matrices are shown"),
        ],
        view,
        figure=lambda: draw(view),
        alt=lambda: (
            f'The weights of "{view.sentence}": a row for each query, a column for each key; the row of "{view.query}", '
            f"{', '.join(f'{share:.4f}' for share in view.value[tokenize(view.sentence).index(view.query)])}, is framed."
        ),
    )


def draw(view: AttentionHeadView) -> Figure:
    """The explorer on paper: the weights, the query's row framed, above what they mix."""
    figure = Figure(figsize=(5.4, 3.8), layout="constrained")
    tokens = tokenize(view.sentence)
    upper, lower = figure.subplots(2)
    common = {"rows": tokens, "mark": tokens.index(view.query), "ylabel": ""}
    plots.heatmap(view.value, columns=tokens, xlabel="key", ax=upper, title=f'Weights: "{view.query}" asks', **common)
    plots.heatmap(view.output, limit=2.0, ax=lower, title="Output: the values, mixed", **common)
    return figure
