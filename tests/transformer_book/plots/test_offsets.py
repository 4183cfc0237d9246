"""Scores by offset, checked by their artists."""
import torch

from tests.transformer_book.plots.artists import texts, titles
from transformer_book import plots


def test_each_method_has_a_panel_with_its_curves_and_offset_0_is_marked():
    offsets = torch.arange(-2, 3)
    series = {"query at 20": offsets**2, "query at 60": -offsets}
    panels = plots.scores_by_offset(offsets, methods={"added": series, "turned": {"one": offsets.double()}}, ylabel="bias")
    assert titles(panels) == ["added", "turned"]
    first, second, mark = panels[0].lines
    assert first.get_ydata().tolist() == [4, 1, 0, 1, 4]
    assert torch.equal(torch.as_tensor(second.get_xydata()), torch.stack((offsets, -offsets), dim=1).double())
    assert first.get_linestyle() != second.get_linestyle() and set(mark.get_xdata()) == {0}
    assert texts(panels[0].get_legend().get_texts()) == ["query at 20", "query at 60"]
    assert panels[1].get_legend() is None
    assert [ax.get_ylabel() for ax in panels] == ["bias", "bias"]
    assert "offset" in panels[-1].get_xlabel() and not panels[0].get_xlabel()
    assert panels[0].figure.get_figwidth() < 5
