"""What every explorer is made of: a view that computes in the browser, controls linked to it, and a figure for paper."""
from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import anywidget
import ipywidgets
import seaborn as sns
import traitlets
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from torch import Tensor

from transformer_book import plots
from transformer_book.attention import causal_mask
from transformer_book.explorers.traits import CONTROL, Given, linked, slider, states

__all__ = ["CONTROL", "linked", "slider"]
COLOURS = 256


@cache
def static(name: str) -> str:
    """The text of a bundled file; anywidget sends it to the browser."""
    return (files("transformer_book.explorers") / "static" / name).read_text(encoding="utf-8")


def palette_table() -> str:
    """The palette of the heatmaps, sampled evenly from its lowest to its highest value: "rrggbbrrggbb..."."""
    return "".join(to_hex(colour)[1:] for colour in sns.color_palette(plots.DIVERGING, COLOURS))


def series_colours() -> list[tuple[float, float, float]]:
    """The colours of four series, on paper as in the views: of seaborn's, those that differ most."""
    palette = sns.color_palette("colorblind")
    return [palette[at] for at in (0, 1, 2, 4)]


class View(anywidget.AnyWidget):
    """A view that a subclass gives its state (`traits.py`) and its JavaScript; `value` is the tensor that is on screen.

    `given` are the values of its `Given` traits, `state` those of the others.
    """

    _css = static("explorer.css")
    palette = Given(palette_table())
    rules = traitlets.Dict(read_only=True).tag(sync=True)
    message: Mapping[str, Any] = {}  # what is being set at once, by the page or at first

    def __init__(self, given: Mapping[str, Any] | None = None, **state: Any) -> None:
        for name, value in (given or {}).items():
            self.set_trait(name, value)
        self.message = state
        super().__init__(**state)
        self.message = {}

    @traitlets.default("rules")
    def _rules(self) -> dict[str, dict[str, Any]]:
        """What the page must know of each trait."""
        return {name: trait.rule() for name, trait in states(type(self))}

    def set_state(self, sync_data: dict) -> None:
        self.message = sync_data
        try:
            super().set_state(sync_data)
        finally:
            self.message = {}


class SentenceView(View):
    """A view of a `sentence` that follows the `text` in its field; a subclass has both traits and says what it refuses."""

    @traitlets.observe("text")
    def _follow(self, change: dict) -> None:
        """What is refused stays in the field, where the view says why; the sentence stays as it was."""
        with contextlib.suppress(traitlets.TraitError):
            self.sentence = change["new"]

    @traitlets.observe("sentence")
    def _show(self, change: dict) -> None:
        """A message that holds the text has it as the reader left it, perhaps ahead of the last sentence that it gave."""
        if "text" not in self.message and self.text.split() != change["new"].split():
            self.text = change["new"]


class EvenInt(traitlets.Int):
    """A trait for an even whole number."""

    def validate(self, obj: Any, value: Any) -> int:
        value = super().validate(obj, value)
        if value % 2:
            raise traitlets.TraitError(f"{self.name} must be even, got {value}")
        return value


class MaskedView(View):
    """A view of attention with a `mask`, "none" or "causal"."""

    masks = traitlets.List(["none", "causal"], read_only=True).tag(sync=True)
    mask = traitlets.Enum(("none", "causal"), default_value="none")
    mask_index = traitlets.Int(0, min=0, max=1).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        choice(self, "mask")

    def allowed(self, length: int) -> Tensor | None:
        """The mask for so many words, None where every word may look at every other."""
        return causal_mask(length) if self.mask == "causal" else None

    def mask_buttons(self) -> ipywidgets.ToggleButtons:
        """The choice of the mask."""
        return choices(self, "mask", self.masks, description="mask", tooltip="causal: no word may look at those after it")


class PairView(View):
    """A view of one `pair` of the columns of its `d_model`, which a subclass has; `last_pair` is the end of the slider."""

    pair = traitlets.Int(0).tag(sync=True)
    last_pair = traitlets.Int().tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._limit()

    @traitlets.validate("pair")
    def _check_pair(self, proposal: dict) -> int:
        last = self.d_model // 2 - 1
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"pair must be from 0 to {last} at d_model = {self.d_model}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("d_model")
    def _limit(self, change: object = None) -> None:
        """Fewer pairs take a choice outside along to the last that is left."""
        self.last_pair = self.d_model // 2 - 1
        self.pair = min(self.pair, self.last_pair)


class Real(traitlets.Float):
    """A trait for a number within its bounds, which NaN never is; one between the steps of its slider, tenths, becomes
    the nearest step, as the slider on the page would make it."""

    step = 0.1

    def validate(self, obj: Any, value: Any) -> float:
        value = super().validate(obj, value)
        if math.isnan(value):
            raise traitlets.TraitError(f"{self.name} must be from {self.min:g} to {self.max:g}, got nan")
        steps = self.place(value) / self.step
        nearest = math.floor(steps + 0.5)
        on_step = math.isclose(steps, nearest, abs_tol=1e-9)
        return (value if on_step else self.at(round(nearest * self.step, 9))) + 0.0  # never -0

    def place(self, value: float) -> float:
        """Where a value stands on the slider."""
        return value

    def at(self, place: float) -> float:
        """The value at a place of the slider."""
        return place


class LogReal(Real):
    """The same for a slider that goes in powers of ten, at steps of a twentieth of such a power."""

    step = 0.05

    def place(self, value: float) -> float:
        return math.log10(value)

    def at(self, place: float) -> float:
        return 10**place


class Explorer(ipywidgets.VBox):
    """Controls above their view, reachable as `.view`; where no script runs, a figure of its state stands in."""

    def __init__(
        self, name: str, controls: list[ipywidgets.Widget], view: View, *, figure: Callable[[], Figure], alt: Callable[[], str]
    ) -> None:
        super().__init__([*controls, view])
        self.view = view
        self.add_class(f"tb-root-{name}")
        self._figure = figure
        self._alt = alt

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        """What ipywidgets displays, and beside it the figure, for readers and printers without a script.

        ipywidgets 7 displays itself without asking here, and leaves the figure out.
        """
        data = super()._repr_mimebundle_(**kwargs)
        image = "image/svg+xml"
        with plots.style():
            figure = plots.figure_to_svg(self._figure())
        return {**data, image: figure}, {image: {"alt": self._alt()}}


def choice(view: View, name: str, plural: str | None = None) -> None:
    """Keep `view.<name>`, one of the names in `view.<name>s`, and the synchronised `<name>_index` in agreement.

    `plural` is where the names are if not there.
    """
    names = list(getattr(view, plural or f"{name}s"))
    traitlets.link((view, name), (view, f"{name}_index"), transform=(names.index, names.__getitem__))


def choices(view: View, name: str, labels: list[str], *, description: str, tooltip: str) -> ipywidgets.ToggleButtons:
    """Buttons for the names in `view.<name>s`, under these labels, one of them pressed."""
    style = {**CONTROL["style"], "button_width": "auto"}
    index = getattr(view, f"{name}_index")
    control = ipywidgets.ToggleButtons(options=labels, index=index, description=description, style=style)
    return linked(view, f"{name}_index", control, source="index", tooltip=tooltip)


def controls(view: View, *names: str) -> list[ipywidgets.Widget]:
    """The controls of a view's traits, of all that have one or of these."""
    declared = {name: trait for name, trait in states(type(view)) if hasattr(trait, "control")}
    return [declared[name].control(view) for name in names or declared]


def real_slider(view: View, trait: str, tooltip: str, *, description: str | None = None) -> ipywidgets.Widget:
    """A slider over a `Real` trait of the view, from one of its bounds to the other, in the steps of the trait."""
    kind = view.traits()[trait]
    bounds = {"min": kind.place(kind.min), "max": kind.place(kind.max), "step": kind.step}
    how = {**bounds, "description": description or trait, **CONTROL}
    value = getattr(view, trait)
    if isinstance(kind, LogReal):
        control = ipywidgets.FloatLogSlider(value, base=10, **how)
    else:
        control = ipywidgets.FloatSlider(value, readout_format=".1f", **how)
    return linked(view, trait, control, tooltip=tooltip)
