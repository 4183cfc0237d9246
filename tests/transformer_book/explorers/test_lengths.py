"""The Python side of the explorer: its traits and their validation, the accuracies on screen and the figure."""
import itertools
import random

import pytest
import torch
from traitlets import TraitError

from tests.tolerances import assert_close
from transformer_book.explorers import lengths_explorer
from transformer_book.explorers.lengths import SPANS, describe, draw
from transformer_book.sweep import shipped_runs
from transformer_book.training import ENCODINGS, LENGTHS, TASKS
from transformer_book.training import chance as chance_of


def made_up_runs(seeds=4):
    """Runs with random accuracies, the last seed first."""
    chance = random.Random(0)
    grid = itertools.product(reversed(range(seeds)), TASKS, ENCODINGS, (1, 2))
    return [
        {"task": task, "encoding": encoding, "n_layers": n_layers, "d_model": 32, "seed": seed}
        | {length: round(chance.random(), 4) for length in LENGTHS}
        for seed, task, encoding, n_layers in grid
    ]


RUNS = made_up_runs()


def accuracies(task, encoding, n_layers):
    found = {run["seed"]: run for run in RUNS if (run["task"], run["encoding"], run["n_layers"]) == (task, encoding, n_layers)}
    return torch.tensor([[found[seed][length] for seed in range(4)] for length in LENGTHS], dtype=torch.float64)


def test_it_opens_on_shift_with_sinusoids_and_hides_the_longer_lengths():
    explorer = lengths_explorer(RUNS)
    view = explorer.view
    assert (view.task, view.encoding, view.n_layers, view.guess, view.longer) == ("shift", "sinusoidal", 1, 50, False)
    assert view.value.shape == (1, 4) and view.means.shape == (6, 1)
    controls = [control for row in explorer.children[:-2] for control in row.children]
    assert [control.description for control in controls] == ["task", "layers", "encoding", "guess for 2x"]
    assert controls[2].options == ("none", "sinusoidal", "random offsets", "learned", "rotary", "ALiBi")
    assert explorer.children[-2].description == "show the longer lengths"
    assert {chance_of(task) for task in TASKS} == {view.chance}


@pytest.mark.parametrize(("task", "encoding", "n_layers"), list(itertools.product(TASKS, ENCODINGS, (1, 2))))
def test_the_tensor_on_screen_holds_the_accuracies_by_length_and_seed(task, encoding, n_layers):
    view = lengths_explorer(RUNS, task=task, encoding=encoding, n_layers=n_layers, longer=True).view
    wanted = accuracies(task, encoding, n_layers)
    assert (view.value - wanted).abs().max() <= 1e-12
    means = torch.stack([accuracies(task, kind, n_layers).mean(1) for kind in ENCODINGS])
    assert (view.means - means).abs().max() <= 1e-12
    assert_close(view.means[ENCODINGS.index(encoding)], view.value.mean(1), terms=4)


def test_what_is_hidden_is_in_no_tensor():
    view = lengths_explorer(RUNS, longer=True).view
    whole = view.value
    view.longer = False
    assert view.value.tolist() == whole[:1].tolist()
    view.task, view.n_layers = "latch", 2
    assert (view.task_index, view.n_layers_index) == (2, 1)
    assert (view.value - accuracies("latch", "sinusoidal", 2)[:1]).abs().max() <= 1e-12


def test_the_spans_are_the_positions_of_each_length():
    ends = [f"{16 * first} to {16 * last - 1}" for first, last in LENGTHS.values()]
    assert SPANS == (ends[0].replace("0 to", "up to"), *ends[1:])


def test_the_book_has_runs_for_every_choice_and_sends_little_of_them():
    view = lengths_explorer().view
    assert len(str(view.accuracies)) < 8000
    for run in shipped_runs():
        view.task, view.encoding, view.n_layers, view.longer = run["task"], run["encoding"], run["n_layers"], True
        assert abs(view.value[:, run["seed"]] - torch.tensor([run[length] for length in LENGTHS], dtype=torch.float64)).max() <= 1e-12


def test_a_combination_without_runs_is_refused():
    missing = {"task": "first", "encoding": "rotary", "n_layers": 2}
    with pytest.raises(ValueError, match=r"runs must have at least one .*'first', 'encoding': 'rotary', 'n_layers': 2"):
        lengths_explorer(run for run in RUNS if not missing.items() <= run.items())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("task", "copy", "task"),
        ("encoding", "xpos", "encoding"),
        ("n_layers", 3, "n_layers"),
        ("guess", 101, "'guess'.*not be greater than 100"),
        ("guess", -1, "'guess'.*not be less than 0"),
        ("guess", 50.5, "guess"),
        ("longer", "yes", "longer"),
    ],
)
def test_a_wrong_value_raises(name, value, message):
    with pytest.raises(TraitError, match=message):
        lengths_explorer(RUNS, **{name: value})
    view = lengths_explorer(RUNS).view
    with pytest.raises(TraitError, match=message):
        setattr(view, name, value)


def test_the_figure_shows_all_lengths_since_paper_has_nothing_to_tick():
    explorer = lengths_explorer(RUNS, encoding="alibi", n_layers=2)
    data, metadata = explorer._repr_mimebundle_()
    view = explorer.view
    assert "<svg" in data["image/svg+xml"]
    rows = 100 * view.dots("alibi")
    measured = ", ".join(
        f"{row.mean():.1f}% at positions {span} (from {row.min():.1f} to {row.max():.1f})" for row, span in zip(rows, SPANS, strict=True)
    )
    assert metadata["image/svg+xml"]["alt"] == describe(view) == (
        "Accuracy in the task shift with 2 layers at three lengths, a panel for each of 6 encodings with a dot for each of 4 seeds. "
        f"With ALiBi: {measured}. Guessing gives 6.25%."
    )
    for ax, encoding in zip(draw(view).axes, ENCODINGS, strict=True):
        means, dots, chance = ax.lines
        assert means.get_ydata().tolist() == view.dots(encoding).mean(1).tolist()
        assert dots.get_ydata().tolist() == view.dots(encoding).flatten().tolist()
        assert set(chance.get_ydata()) == {1 / 16}
        assert (means.get_color() == "0.55") == (encoding != "alibi")
