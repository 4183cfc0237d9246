"""The Python side of the explorer: the sentence followed, what is refused, and the tensor on screen."""
import pytest
import torch
from traitlets import TraitError

from transformer_book.explorers import robot_explorer
from transformer_book.explorers.robot import draw
from transformer_book.worked_example import robot


def test_it_opens_on_the_question():
    view = robot_explorer().view
    assert (view.reference, view.sentence, view.text, view.stage) == ("I am a robot", "am I a robot", "am I a robot", "input")
    assert torch.equal(view.value, robot("am I a robot").input)


@pytest.mark.parametrize("stage", ["embedding", "encoding", "input"])
def test_the_tensor_on_screen_is_the_stage(stage):
    view = robot_explorer("robot am I a", stage).view
    assert torch.equal(view.value, getattr(robot("robot am I a"), stage))
    assert view.stages[view.stage_index] == stage


def test_the_sentence_follows_the_text_while_it_can():
    view = robot_explorer().view
    view.text = "robot  robot"
    assert view.sentence == "robot robot"
    view.text = "robot rob"
    assert (view.sentence, view.text) == ("robot robot", "robot rob")
    view.sentence = "a robot"
    assert view.text == "a robot"


@pytest.mark.parametrize("sentence", ["I are", "", "I " * 9])
def test_a_wrong_sentence_raises(sentence):
    view = robot_explorer().view
    with pytest.raises(TraitError, match="sentence"):
        view.sentence = sentence
    assert view.sentence == "am I a robot"
    with pytest.raises(TraitError, match="sentence"):
        robot_explorer(sentence)


def test_figure_and_alternative_text_show_the_state_at_hand():
    explorer = robot_explorer()
    explorer.view.sentence, explorer.view.stage = "I", "encoding"
    _, metadata = explorer._repr_mimebundle_()
    assert metadata["image/svg+xml"]["alt"].startswith('The encoding of "I am a robot" above the encoding of "I"')


def test_a_wrong_stage_raises():
    with pytest.raises(TraitError, match="embedding"):
        robot_explorer(stage="decoder")
    with pytest.raises(TraitError):
        robot_explorer().view.stage_index = 3


@pytest.mark.parametrize("stage", ["embedding", "encoding", "input"])
def test_the_figure_writes_the_stage_of_both_sentences(stage):
    view = robot_explorer("robot am I", stage).view
    for ax, sentence in zip(draw(view).axes[:2], ("I am a robot", "robot am I"), strict=True):
        numbers = getattr(robot(sentence), stage).flatten().tolist()
        assert [text.get_text() for text in ax.texts] == [f"{number:.4f}" for number in numbers]
        assert [label.get_text() for label in ax.get_yticklabels()] == sentence.split()
