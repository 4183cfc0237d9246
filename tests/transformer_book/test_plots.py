"""Figures, read through their artists."""
import matplotlib as mpl
import pytest
import torch
from matplotlib.figure import Figure

from transformer_book import plots
from transformer_book.positional_encoding import positional_encoding

mpl.use("agg")


@pytest.fixture(autouse=True)
def close():
    yield
    mpl.pyplot.close("all")


def test_a_small_heatmap_shows_its_numbers_on_the_fixed_scale():
    table = positional_encoding(10, 6)
    ax = plots.heatmap(table, title="small", mark=1)
    assert [text.get_text() for text in ax.texts] == [f"{value:.4f}" for value in table.flatten()]
    mesh = ax.collections[0]
    assert mesh.get_clim() == (-1, 1)
    assert mesh.get_array().shape == (10, 6)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title(loc="left")) == ("column", "position", "small")
    assert [(patch.get_y(), patch.get_width()) for patch in ax.patches] == [(1, 6), (1, 6)]


def test_a_large_heatmap_shows_colours_only_and_few_ticks():
    ax = plots.heatmap(positional_encoding(128, 512))
    assert not ax.texts
    assert len(ax.get_xticklabels()) <= 8 and len(ax.get_yticklabels()) <= 8


def test_the_axes_given_are_the_axes_returned():
    ax = Figure().subplots()
    assert plots.heatmap(positional_encoding(4, 4), ax=ax, rows=list("abcd")) is ax
    assert [label.get_text() for label in ax.get_yticklabels()] == list("abcd")


def test_a_heatmap_names_its_columns_and_shows_as_many_decimals_as_asked_for():
    ax = plots.heatmap(torch.eye(2), columns=["I", "am"], digits=0)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["I", "am"]
    assert [text.get_text() for text in ax.texts] == ["1", "0", "0", "1"]


def test_fits_show_what_was_wanted_and_ring_the_highest_score():
    words = {"one": ["I", "am"], "two": ["am", "I"]}
    wanted = {"one": torch.tensor([1.0, 0.0]), "two": torch.tensor([0.0, 1.0])}
    scores = {"one": torch.tensor([0.2, 0.4]), "two": torch.tensor([0.5, 0.1])}
    panels = plots.fits(words, wanted=wanted, scores=scores)
    assert [ax.get_title(loc="left") for ax in panels] == ["one", "two"]
    assert [label.get_text() for label in panels[1].get_xticklabels()] == ["0\nam", "1\nI"]
    for ax, name in zip(panels, words, strict=True):
        drawn = [torch.as_tensor(line.get_ydata()) for line in ax.lines]
        assert torch.equal(drawn[0], wanted[name].double()) and torch.equal(drawn[1], scores[name].double())
    assert [list(ax.lines[2].get_xdata()) for ax in panels] == [[1], [0]]


def test_three_words_are_the_corners_of_a_triangle_whose_sides_are_true():
    ax = plots.corners(["I", "a", "am"])
    sides = [torch.tensor(line.get_xydata()).diff(dim=0).norm().item() for line in ax.lines]
    assert sides == pytest.approx([2**0.5] * 3)
    texts = [text.get_text() for text in ax.texts]
    assert texts.count("1.4142") == 3
    assert {"I\n(1, 0, 0)", "(0, 1, 0)\na", "(0, 0, 1)\nam"} <= set(texts)


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


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_any_dtype_is_drawn_and_no_gradient_is_in_the_way(dtype):
    table = positional_encoding(4, 4).to(dtype).requires_grad_()
    plots.heatmap(table)
    plots.row(table[1])
    plots.waves(table, columns=[0])


def test_numbers_on_colours_have_contrast():
    ax = plots.heatmap(positional_encoding(10, 6))
    colours = ax.collections[0].to_rgba(positional_encoding(10, 6).flatten().numpy())
    for text, behind in zip(ax.texts, colours, strict=True):
        ink, ground = plots.relative_luminance(mpl.colors.to_rgba(text.get_color())), plots.relative_luminance(behind)
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4


def test_errors_are_drawn_on_logarithmic_scales():
    ax = plots.errors(torch.tensor([1, 10]), series={"a": torch.tensor([1e-7, 1e-6])}, title="errors")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_stacked_matrices_keep_their_names():
    panels = plots.stacked({"x": torch.eye(2), "y": torch.eye(2)}, rows={"x": ["a", "b"], "y": ["0", "1"]})
    assert len(plots.stacked({"x": torch.eye(2)}, rows={"x": ["a", "b"]})) == 1
    assert [ax.get_title(loc="left") for ax in panels] == ["x", "y"]
    assert [label.get_text() for label in panels[1].get_yticklabels()] == ["0", "1"]


def test_the_svg_swaps_paper_and_ink_on_a_dark_page_and_leaves_the_data_alone():
    text = plots.figure_to_svg(plots.heatmap(positional_encoding(4, 4)).figure)
    assert text.count("<style>@media (prefers-color-scheme: dark)") == 1
    assert f"fill: {plots.PAPER}" in text and f"fill: {plots.INK}" in text
    assert f'[style*="fill: {plots.PAPER}"]{{fill:#14181e !important}}' in text
    assert f'[style*="stroke: {plots.INK}"]{{stroke:#e4e4e7 !important}}' in text
    assert f'[style*="fill: {plots.ON_COLOUR}"]' not in text and f"fill: {plots.ON_COLOUR}" in text


def test_the_same_figure_gives_the_same_svg():
    def make():
        return plots.figure_to_svg(plots.waves(positional_encoding(8, 4), columns=[0, 2]).figure)

    assert make() == make()


def test_the_style_leaves_the_sessions_own_settings_alone():
    before = dict(mpl.rcParams)
    with plots.style():
        assert mpl.rcParams["figure.facecolor"] == plots.PAPER
    assert dict(mpl.rcParams) == before


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


def test_a_lookup_is_three_matrices_with_the_same_word_framed():
    weight = torch.arange(12.0).reshape(4, 3) / 12
    panels = plots.lookup(torch.eye(4)[[2, 0]], weight, tokens=["am", "I"], entries=["I", "a", "am", "robot"], mark=0)
    assert [ax.get_title(loc="left") for ax in panels] == ["one-hot", "@ weight", "= embedded"]
    assert [label.get_text() for label in panels[1].get_yticklabels()] == ["I", "a", "am", "robot"]
    assert [text.get_text() for text in panels[0].texts] == list("00101000")
    shown = [[text.get_text() for text in ax.texts] for ax in panels[1:]]
    assert shown[1] == shown[0][6:9] + shown[0][0:3]
    assert [ax.patches[0].get_y() for ax in panels] == [0, 2, 0]


def test_a_map_has_every_word_at_its_place_and_no_name_on_another():
    points = torch.tensor([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [0.01, 0.0]])
    words, kinds = ["cat", "dog", "robot", "cow"], ["animal", "animal", "machine", "animal"]
    ax = plots.word_map(points, words=words, kinds=kinds, title="map")
    drawn = {group.get_label(): group.get_offsets().tolist() for group in ax.collections}
    assert drawn == {"animal": points[[0, 1, 3]].tolist(), "machine": points[[2]].tolist()}
    assert [text.get_text() for text in ax.texts] == ["robot", "cat, dog, cow"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["animal", "machine"]


def test_no_name_on_a_map_covers_another_or_the_scales():
    points = torch.randn(23, 2, generator=torch.Generator().manual_seed(0))
    ax = plots.word_map(points, words=["computer"] * 23, kinds=["a"] * 22 + ["b"], within=torch.tensor([[[-3.0, -3], [3, 3]]]))
    assert ax.get_xlim()[0] < -3 and ax.get_ylim()[1] > 3
    boxes = [text.get_window_extent() for text in ax.texts]
    for one, box in enumerate(boxes):
        assert ax.bbox.x0 <= box.x0 and ax.bbox.y0 <= box.y0 and box.x1 <= ax.bbox.x1 and box.y1 <= ax.bbox.y1
        for other in boxes[one + 1 :]:
            across, down = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
            assert across <= 2 or down <= 2


def test_who_is_alone_in_a_kind_is_a_map_s_topmost_mark():
    ax = plots.word_map(torch.zeros(3, 2), words=["mouse", "cat", "cow"], kinds=["mouse", "animal", "animal"])
    order = {group.get_label(): group.get_zorder() for group in ax.collections}
    assert order["mouse"] > order["animal"]
    assert [text.get_text() for text in ax.texts] == ["mouse", "cat, cow"]


@pytest.mark.parametrize("count", [7, 8, 11])
def test_a_map_of_many_kinds_drops_none_and_no_two_look_alike(count):
    words = list("abcdefghijk"[:count])
    ax = plots.word_map(torch.randn(count, 2, generator=torch.Generator().manual_seed(0)), words=words, kinds=words)
    assert [group.get_label() for group in ax.collections] == words
    looks = {(str(group.get_facecolor()), str(group.get_paths()[0].vertices)) for group in ax.collections}
    assert len(looks) == count
