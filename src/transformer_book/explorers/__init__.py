"""The book's explorers: each function returns an ipywidget that also lives in a page without a kernel."""

from transformer_book.explorers.attention import attention_explorer
from transformer_book.explorers.base import Explorer
from transformer_book.explorers.counter import counter_explorer
from transformer_book.explorers.embedding import embedding_explorer
from transformer_book.explorers.generation import generation_explorer
from transformer_book.explorers.lengths import lengths_explorer
from transformer_book.explorers.map import map_explorer
from transformer_book.explorers.multi_head import multi_head_explorer
from transformer_book.explorers.offsets import offsets_explorer
from transformer_book.explorers.one_hot import one_hot_explorer
from transformer_book.explorers.positional_encoding import positional_encoding_explorer
from transformer_book.explorers.quick_question import quick_question
from transformer_book.explorers.relu import relu_explorer
from transformer_book.explorers.robot import robot_explorer
from transformer_book.explorers.rotation import rotation_explorer
from transformer_book.explorers.similarity import similarity_explorer
from transformer_book.explorers.softmax import softmax_explorer
from transformer_book.explorers.softmax_curve import softmax_curve_explorer
from transformer_book.explorers.waves import waves_explorer
from transformer_book.explorers.worksheet import worksheet_explorer

__all__ = [
    "Explorer",
    "attention_explorer",
    "counter_explorer",
    "embedding_explorer",
    "generation_explorer",
    "lengths_explorer",
    "map_explorer",
    "multi_head_explorer",
    "offsets_explorer",
    "one_hot_explorer",
    "positional_encoding_explorer",
    "quick_question",
    "relu_explorer",
    "robot_explorer",
    "rotation_explorer",
    "similarity_explorer",
    "softmax_curve_explorer",
    "softmax_explorer",
    "waves_explorer",
    "worksheet_explorer",
]
