"""Every number of the worked example, and what a sentence may be."""
import dataclasses

import pytest
import torch

from transformer_book.worked_example import EMBEDDINGS, VOCABULARY, robot

INPUT = [
    [1.0000, 1.5000, 0.3000, 1.2000],
    [1.6415, 0.7403, 0.5100, 1.9000],
    [1.3093, 0.2839, 0.6200, 1.0998],
    [1.0411, -0.6900, 0.8300, 1.4996],
]


def test_every_number_of_the_input():
    example = robot()
    assert example.tokens == ["I", "am", "a", "robot"]
    assert example.positions.tolist() == [0, 1, 2, 3]
    assert example.embedding[3].tolist() == pytest.approx([0.9, 0.3, 0.8, 0.5])
    assert [[f"{value:.4f}" for value in row] for row in example.input] == [[f"{v:.4f}" for v in row] for row in INPUT]
    assert torch.equal(example.input, example.embedding + example.encoding)


def test_every_id_and_where_its_one_stands():
    statement, question = robot("I am a robot"), robot("am I a robot")
    assert statement.ids.tolist() == [0, 2, 1, 3]
    assert question.ids.tolist() == [2, 0, 1, 3]
    assert question.one_hot.tolist() == [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert (question.ids.dtype, question.one_hot.dtype) == (torch.int64, torch.float32)


def test_the_stages_stand_in_the_order_in_which_they_are_computed():
    names = [field.name for field in dataclasses.fields(robot())]
    assert names[:7] == ["tokens", "ids", "one_hot", "embedding", "positions", "encoding", "input"]


def test_the_one_hot_rows_pick_the_embeddings():
    example = robot("robot a I robot")
    weight = torch.tensor([EMBEDDINGS[token] for token in VOCABULARY.entries])
    assert torch.equal(example.one_hot @ weight, example.embedding)


def test_the_third_column_is_hundredths_and_not_thousandths():
    assert robot().encoding[:, 2].tolist() == pytest.approx([0, 0.01, 0.02, 0.03], abs=5e-6)


def test_the_question_has_the_same_words_at_other_positions():
    statement, question = robot("I am a robot"), robot("am I a robot")
    assert torch.equal(question.embedding, statement.embedding[[1, 0, 2, 3]])
    assert torch.equal(question.encoding, statement.encoding)
    changed = (question.input != statement.input[[1, 0, 2, 3]]).any(dim=1)
    assert changed.tolist() == [True, True, False, False]


def test_words_may_repeat_and_space_may_be_generous():
    assert robot("  I   I\tI ").tokens == ["I", "I", "I"]
    assert robot(" ".join(["robot"] * 8)).input.shape == (8, 4)


def test_the_result_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        robot().input = None


@pytest.mark.parametrize("sentence", ["I are a robot", "i am a robot", "I am a robot."])
def test_an_unknown_word_is_named(sentence):
    stranger = next(word for word in sentence.split() if word not in {"I", "am", "a", "robot"})
    with pytest.raises(ValueError, match=rf"I, a, am, robot.*got '{stranger}'"):
        robot(sentence)


@pytest.mark.parametrize(("sentence", "count"), [("", 0), ("   ", 0), ("I " * 9, 9)])
def test_one_to_eight_words(sentence, count):
    with pytest.raises(ValueError, match=f"1 to 8 words, got {count}"):
        robot(sentence)


@pytest.mark.parametrize("sentence", [None, 3, ["I", "am"], b"I am"])
def test_a_sentence_is_text(sentence):
    with pytest.raises(TypeError, match="sentence must be text"):
        robot(sentence)
