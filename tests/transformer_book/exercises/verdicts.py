"""What the tests of the judges ask of a verdict."""


def assert_rejected(verdict, words):
    """A verdict that is not "Right!" and that holds these words, whatever its line breaks."""
    assert verdict.startswith("Not yet")
    assert words in " ".join(verdict.split())
