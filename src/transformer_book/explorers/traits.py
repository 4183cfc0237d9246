"""The state of an explorer: traits that know what they refuse, their control, and the rules that the page keeps to."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import ipywidgets
import traitlets
from traitlets import TraitError

CONTROL = {"layout": {"width": "100%", "max_width": "34rem"}, "style": {"description_width": "7rem"}}


class State:
    """A trait of a view that the page has, too. `rule` is what the page must know of it beside its value."""

    label: str | None = None

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {}


class Given(State, traitlets.Any):
    """What a view is made with and nobody changes."""

    def __init__(self, value: Any = None) -> None:
        super().__init__(value, read_only=True)
        self.tag(sync=True)

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {"given": True}


class Whole(State, traitlets.Int):
    """A whole number from `least` to `most`, under a slider."""

    step = 1

    def __init__(self, default: int, *, least: int = 0, most: int, tooltip: str) -> None:
        super().__init__(default, min=least, max=most, help=tooltip)
        self.tag(sync=True)

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {"step": self.step} if self.step > 1 else {}

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        return slider(view, self.name, self.min, self.max, self.step, self.help)


class Even(Whole):
    """An even one."""

    step = 2

    def __init__(self, default: int, *, least: int = 2, most: int, tooltip: str) -> None:
        super().__init__(default, least=least, most=most, tooltip=tooltip)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> int:
        value = super().validate(obj, value)
        if value % 2:
            raise TraitError(f"{self.name} must be even, got {value}")
        return value


class Multiple(State, traitlets.Int):
    """A whole number from 0 to what the view has under the name `most`, in steps of what it has under `every`."""

    def __init__(self, *, every: str, most: str, tooltip: str) -> None:
        super().__init__(0, help=tooltip)
        self.every, self.most = every, most
        self.tag(sync=True)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> int:
        value = super().validate(obj, value)
        every, most = getattr(obj, self.every), getattr(obj, self.most)
        if not 0 <= value <= most or value % every:
            raise TraitError(f"{self.name} must be one of 0, {every}, ..., {most}, got {value}")
        return value

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {"step": getattr(view, self.every)}

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        return slider(view, self.name, 0, getattr(view, self.most), getattr(view, self.every), self.help)


class Real(State, traitlets.Float):
    """A number from `least` to `most`, which NaN never is; one between the steps of its slider, tenths, becomes the nearest
    step, as the slider on the page would make it."""

    step = 0.1
    slider: Any = staticmethod(partial(ipywidgets.FloatSlider, readout_format=".1f"))

    def __init__(self, default: float, *, least: float, most: float, label: str | None = None, tooltip: str) -> None:
        super().__init__(default, min=least, max=most, help=tooltip)
        self.label = label
        self.tag(sync=True)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> float:
        value = super().validate(obj, value)
        if math.isnan(value):
            raise TraitError(f"{self.name} must be from {self.min:g} to {self.max:g}, got nan")
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

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        bounds = {"min": self.place(self.min), "max": self.place(self.max), "step": self.step}
        control = self.slider(getattr(view, self.name), **bounds, description=self.label or self.name, **CONTROL)
        return linked(view, self.name, control, tooltip=self.help)


class LogReal(Real):
    """The same for a slider that goes in powers of ten, at steps of a twentieth of such a power."""

    step = 0.05
    slider = staticmethod(partial(ipywidgets.FloatLogSlider, base=10))

    def place(self, value: float) -> float:
        return math.log10(value)

    def at(self, place: float) -> float:
        return 10**place


class Index(State, traitlets.Int):
    """A whole number from 0, below what the view has under the name `below`, under a slider that ends there.

    When one of the traits `of`, on which that depends (without them: `below` itself), leaves the number outside, it
    becomes the last one; with `restart` it becomes 0 whenever one of them changes, unless the page says in the same message
    what it is. The view gets a trait `last_<name>`, which the end of the slider follows. `where` ends the error instead of the
    first of the traits.
    """

    def __init__(
        self,
        default: int = 0,
        *,
        below: str,
        of: str | Sequence[str] = (),
        where: str = "",
        restart: bool = False,
        tooltip: str,
    ) -> None:
        super().__init__(default, help=tooltip)
        self.below, self.where, self.restart = below, where, restart
        self.of = (of,) if isinstance(of, str) else tuple(of) or (below,)
        self.tag(sync=True)

    def class_init(self, cls: type, name: str) -> None:
        super().class_init(cls, name)
        add(cls, f"last_{name}", Last(self))
        add(cls, f"_check_{name}", traitlets.validate(name)(self._check))
        add(cls, f"_follow_{name}", traitlets.observe(*self.of)(self._follow))

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {"below": self.below} | ({"restart": self.of[0]} if self.restart else {})

    def last(self, view: traitlets.HasTraits) -> int:
        return getattr(view, self.below) - 1

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        control = slider(view, self.name, 0, self.last(view), 1, self.help)
        ipywidgets.jsdlink((view, f"last_{self.name}"), (control, "max"))
        return control

    def _check(self, view: traitlets.HasTraits, proposal: dict) -> int:
        last, value = self.last(view), proposal["value"]
        if not 0 <= value <= last:
            where = f", {self.where}" if self.where else f" at {self.of[0]} = {getattr(view, self.of[0])}"
            raise TraitError(f"{self.name} must be from 0 to {last}{where}, got {value}")
        return value

    def _follow(self, view: traitlets.HasTraits, change: dict) -> None:
        view.set_trait(f"last_{self.name}", self.last(view))
        if not self.restart:
            setattr(view, self.name, min(getattr(view, self.name), self.last(view)))
        elif self.name not in view.message:
            setattr(view, self.name, 0)


class Last(traitlets.Int):
    """The largest value of an `Index`, whatever a page says."""

    def __init__(self, index: Index) -> None:
        super().__init__(read_only=True)
        self.index = index
        self.tag(sync=True)

    def class_init(self, cls: type, name: str) -> None:
        super().class_init(cls, name)
        add(cls, f"_check_{name}", traitlets.validate(name)(lambda view, proposal: self.index.last(view)))

    def default(self, obj: traitlets.HasTraits | None = None) -> int:
        return 0 if obj is None else self.index.last(obj)


class Choice(State, traitlets.Enum):
    """One of some names: those given, which the view then has under the `plural`, or those of its trait `among`.

    The page has the number of the name, `<name>_index`. Its control is buttons, or a menu, with the `labels`.
    """

    def __init__(
        self,
        among: Sequence | str,
        default: Any = traitlets.Undefined,
        *,
        plural: str | None = None,
        labels: Sequence[str] = (),
        label: str | None = None,
        menu: bool = False,
        tooltip: str,
    ) -> None:
        self.fixed = not isinstance(among, str)
        names = list(among) if self.fixed else []
        if self.fixed and default is traitlets.Undefined:
            default = names[0]
        super().__init__(names, default_value=default, help=tooltip)
        self.plural = plural if self.fixed else among
        self.labels, self.label, self.menu = list(labels), label, menu

    def class_init(self, cls: type, name: str) -> None:
        super().class_init(cls, name)
        if self.fixed:
            self.plural = self.plural or f"{name}s"
            add(cls, self.plural, traitlets.List(self.values, read_only=True).tag(sync=True))
        add(cls, f"{name}_index", Number(self))

    def names(self, view: traitlets.HasTraits) -> list:
        return getattr(view, self.plural)

    def default(self, obj: traitlets.HasTraits | None = None) -> Any:
        return self.default_value if self.fixed or obj is None else self.names(obj)[0]

    def validate(self, obj: traitlets.HasTraits, value: Any) -> Any:
        if self.fixed:
            return super().validate(obj, value)
        names = self.names(obj)
        if value not in names:
            raise TraitError(f"{self.name} must be one of {', '.join(map(str, names))}, got {value!r}")
        return value

    def set(self, obj: traitlets.HasTraits, value: Any) -> None:
        with obj.hold_trait_notifications():  # whoever hears of the name finds its number
            super().set(obj, value)
            number = self.names(obj).index(getattr(obj, self.name))
            if getattr(obj, f"{self.name}_index") != number:
                obj.set_trait(f"{self.name}_index", number)

    def rule(self, view: traitlets.HasTraits) -> dict[str, Any]:
        return {"among": self.plural}

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        how = {"options": self.labels or list(map(str, self.names(view))), "index": getattr(view, f"{self.name}_index")}
        how["description"] = self.label or self.name
        if self.menu:
            control = ipywidgets.Dropdown(**how, **CONTROL)
        else:
            control = ipywidgets.ToggleButtons(**how, style={**CONTROL["style"], "button_width": "auto"})
        return linked(view, f"{self.name}_index", control, source="index", tooltip=self.help)


class Number(traitlets.Int):
    """The number of a `Choice` among its names, from 0."""

    def __init__(self, choice: Choice) -> None:
        names = choice.values
        start = names.index(choice.default_value) if choice.fixed else 0
        super().__init__(start, min=0, max=len(names) - 1 if choice.fixed else None)
        self.choice = choice
        self.tag(sync=True)

    def validate(self, obj: traitlets.HasTraits, value: Any) -> int:
        value = super().validate(obj, value)
        count = len(self.choice.names(obj))
        if value >= count:
            raise TraitError(f"{self.name} must be from 0 to {count - 1}, got {value}")
        return value

    def set(self, obj: traitlets.HasTraits, value: Any) -> None:
        with obj.hold_trait_notifications():
            super().set(obj, value)
            name = self.choice.names(obj)[getattr(obj, self.name)]
            if getattr(obj, self.choice.name) != name:
                obj.set_trait(self.choice.name, name)


class Switch(State, traitlets.Bool):
    """Something that is so or not, under a box to tick."""

    def __init__(self, default: bool, *, label: str, tooltip: str) -> None:
        super().__init__(default, help=tooltip)
        self.label = label
        self.tag(sync=True)

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        box = ipywidgets.Checkbox(getattr(view, self.name), description=self.label, indent=False)
        return linked(view, self.name, box, tooltip=self.help)


class Sentence(State, traitlets.Unicode):
    """Words with single spaces between them, in which `check` finds nothing wrong, and the trait `text`: what stands in the
    field. The sentence follows the text as long as it can; what is refused stays in the field, where the page says why."""

    def __init__(self, default: str, *, check: Callable[[str], object], label: str, tooltip: str) -> None:
        super().__init__(default, help=tooltip)
        self.check, self.label = check, label
        self.tag(sync=True)

    def class_init(self, cls: type, name: str) -> None:
        super().class_init(cls, name)
        add(cls, "text", traitlets.Unicode(self.default_value).tag(sync=True))
        add(cls, f"_follow_{name}", traitlets.observe("text")(self._follow))
        add(cls, f"_show_{name}", traitlets.observe(name)(self._show))

    def validate(self, obj: traitlets.HasTraits, value: Any) -> str:
        value = super().validate(obj, value)
        try:
            self.check(value)
        except ValueError as error:
            raise TraitError(str(error)) from None
        return " ".join(value.split())

    def control(self, view: traitlets.HasTraits) -> ipywidgets.Widget:
        field = ipywidgets.Text(view.text, description=self.label, placeholder=self.default_value, **CONTROL)
        return linked(view, "text", field, tooltip=self.help)

    def _follow(self, view: traitlets.HasTraits, change: dict) -> None:
        with suppress(TraitError):
            setattr(view, self.name, change["new"])

    def _show(self, view: traitlets.HasTraits, change: dict) -> None:
        """A message that holds the text has it as the reader left it, perhaps ahead of the last sentence that it gave."""
        if "text" not in view.message and view.text.split() != change["new"].split():
            view.text = change["new"]


def add(cls: type, name: str, descriptor: Any) -> None:
    """Give a class that is being made one more trait or handler, as if it stood in its body."""
    setattr(cls, name, descriptor)
    descriptor.class_init(cls, name)


def states(cls: type) -> Iterator[tuple[str, State]]:
    """The traits of a view's state with their names, in the order in which they are declared, those of its bases first."""
    for each in reversed(cls.__mro__):
        yield from ((name, trait) for name, trait in vars(each).items() if isinstance(trait, State))


def slider(view: traitlets.HasTraits, trait: str, least: int, most: int, step: int, tooltip: str) -> ipywidgets.IntSlider:
    """A slider over a trait of the view, under the trait's own name."""
    control = ipywidgets.IntSlider(getattr(view, trait), least, most, step, description=trait, **CONTROL)
    return linked(view, trait, control, tooltip=tooltip)


def linked(
    view: traitlets.HasTraits, trait: str, control: ipywidgets.Widget, *, source: str = "value", tooltip: str
) -> ipywidgets.Widget:
    """Tie a control to a trait of the view in the browser, both ways, and give the control back."""
    ipywidgets.jslink((control, source), (view, trait))
    # ipywidgets 7, which Colab runs, has another name for the tooltip.
    setattr(control, "tooltip" if control.has_trait("tooltip") else "description_tooltip", tooltip)
    return control
