"""The examples in the docstrings."""
import doctest
import importlib
import pkgutil

import pytest

import static_widgets
import transformer_book

MODULES = [
    module.name
    for package in (transformer_book, static_widgets)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_the_results_they_show(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(examples) >= 5
