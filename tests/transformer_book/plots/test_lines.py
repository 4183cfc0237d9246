"""Curves, read through their artists."""
import pytest
import torch

from transformer_book import plots
from transformer_book.positional_encoding import positional_encoding


@pytest.mark.parametrize(("halves", "sines"), [(False, [0, 2, 4]), (True, [0, 1, 2])])
def test_a_row_is_two_curves(halves, sines):
    values = torch.arange(6.0) / 6
    ax = plots.row(values, halves=halves)
    assert ax.lines[0].get_xdata().tolist() == sines
    assert ax.lines[0].get_ydata().tolist() == values[sines].tolist()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["sines", "cosines"]


def test_waves_are_columns_with_dots_at_whole_positions():
    table = positional_encoding(20, 6)
    ax = plots.waves(table, columns=[0, 3])
    assert [line.get_label() for line in ax.lines] == ["column 0", "column 3"]
    assert torch.equal(torch.as_tensor(ax.lines[1].get_ydata()), table[:, 3])
    assert all(line.get_marker() != "None" for line in ax.lines)


def test_no_curve_is_dropped_however_many():
    table = positional_encoding(20, 20)
    assert len(plots.waves(table, columns=list(range(9))).lines) == 9
    series = {str(name): torch.tensor([1e-7, 1e-6]) for name in range(9)}
    assert len(plots.errors(torch.tensor([1, 10]), series=series).lines) == 9


def test_errors_are_drawn_on_logarithmic_scales():
    ax = plots.errors(torch.tensor([1, 10]), series={"a": torch.tensor([1e-7, 1e-6])}, title="errors")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_similarity_has_dots_while_there_is_room_and_marks_the_position():
    ax = plots.similarities({"few": torch.linspace(-1, 1, 20), "many": torch.ones(500)}, position=7, lowest=0)
    few, many, mark = ax.lines
    assert (few.get_marker(), many.get_marker()) == ("o", "")
    assert few.get_ydata().tolist() == torch.linspace(-1, 1, 20).tolist()
    assert set(mark.get_xdata()) == {7}
    assert -0.1 < ax.get_ylim()[0] < 0 < 1 < ax.get_ylim()[1] < 1.1
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["few", "many"]
    assert plots.similarities({"one": torch.ones(3)}, position=0).get_legend() is None


@pytest.mark.parametrize(("log", "scale"), [(True, "log"), (False, "linear")])
def test_curves_are_drawn_over_what_is_given(log, scale):
    x, falling = torch.tensor([1, 5, 9]), torch.tensor([1.0, 0.1, 0.01])
    ax = plots.curves(x, series={"a": falling, "b": 2 * falling}, xlabel="words", ylabel="gradient", log=log)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale(), ax.get_xscale()) == ("words", "gradient", scale, "linear")
    assert [line.get_label() for line in ax.lines] == ["a", "b"]
    assert torch.equal(torch.as_tensor(ax.lines[1].get_xydata()), torch.stack((x, 2 * falling), dim=1).double())
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()
    assert ax.figure.get_figwidth() < 5 and ax.lines[0].get_linewidth() >= 2


@pytest.mark.parametrize(("low", "steps"), [(0.0, True), (-1.0, False)])
def test_lanes_are_columns_one_below_the_other_that_never_touch(low, steps):
    table = torch.tensor([[low, 1.0], [1.0, low], [low, low]])
    ax = plots.lanes(table, names=["fast", "slow"], low=low, steps=steps, mark=1)
    fast, slow, mark = ax.lines
    assert fast.get_ydata().tolist() == [0, 1, 0]
    assert (slow.get_ydata() - slow.get_ydata().min()).tolist() == [1, 0, 0]
    assert slow.get_ydata().max() < fast.get_ydata().min()
    assert fast.get_drawstyle() == ("steps-post" if steps else "default")
    assert list(mark.get_xdata()) == [1, 1]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["fast", "slow"]
    assert [(line.get_ydata().min() + line.get_ydata().max()) / 2 for line in (fast, slow)] == list(ax.get_yticks())
