"""The translator of chapter 11, and many of its kind: whole, and each spoilt in one way."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from trainings import chapter
from transformer_book.trained import runs, weights
from transformer_book.translation import END, Generation, follow

STEPS, SPOILT_STEPS = 300, 100
SEEDS = range(10)
CELLS = (
    "setup", "seen-mask", "language-words", "language-phrase-code", "language-sentence-code", "language-ours", "language-split-code",
    "shift-ids", "model-code", "model-class", "train-code", "train-loop", "write-code", "write-translate", "write-score", "hide-code",
    "free-code", "free-slip-code", "free-force-kinds", "cheat-code", "copy-code", "places-code", "failures-long-code",
)
HOUSE, OURS, OLD, MOON = "a small red house", ("I am a robot", "am I a robot"), "am I this old wooden machine", "the white moon is wooden"


def book() -> dict[str, Any]:
    """What the chapter's cells define."""
    return chapter("11_decoder", *CELLS)


def untrained() -> nn.Module:
    return book()["Translator"](len(book()["SOURCE"]), len(book()["TARGET"]))


def trained(make: Callable[[], nn.Module], seed: int, steps: int, **how: Any) -> tuple[nn.Module, float]:
    """A machine made and trained with this seed, and the loss of its last twenty steps."""
    torch.manual_seed(seed)
    machine = make()
    losses = book()["train"](machine, steps, seed=seed, **how)
    return machine.double().eval(), sum(losses[-20:]) / 20


def train(seed: int, steps: int = STEPS) -> nn.Module:
    return trained(untrained, seed, steps)[0]


def arrays(machine: nn.Module) -> dict[str, Tensor]:
    return machine.state_dict()


def restored(name: str = "translation") -> nn.Module:
    machine = untrained().double()
    machine.load_state_dict(weights(name))
    return machine.eval()


def translate(machine: nn.Module, english: str) -> str:
    return book()["translate"](machine, english)


def generation(machine: nn.Module, english: str) -> Generation:
    return follow(machine, english.split(), book()["SOURCE"], book()["TARGET"])


def cross_weights(machine: nn.Module, english: str, written: str, read: str) -> Tensor:
    """What each head gives a word that is read when a word is written."""
    one = generation(machine, english)
    return one.cross_weights[:, one.output.index(written), one.source.index(read)]


def translate_without(machine: nn.Module, english: str, word: str) -> str:
    """What is written when a word is hidden from the decoder."""
    return book()["without"](machine, english, english.split().index(word))


def sentence_accuracy(machine: nn.Module, pairs: list[tuple[str, str]] | None = None) -> float:
    return round(book()["right_sentences"](machine, book()["held_out"] if pairs is None else pairs), 6)


def measure(machine: nn.Module) -> dict[str, Any]:
    """What the chapter counts over many starts."""
    first = generation(machine, OURS[0]).cross_weights[:, 0].mean(dim=0)
    return {
        "held_out": sentence_accuracy(machine),
        "una_on_house": round(generation(machine, HOUSE).cross_weights[:, 0, 3].max().item(), 6),
        "first_from": {"I": round(first[0].item(), 6), "am": round(first[1].item(), 6)},
        "hidden": {
            HOUSE: {word: translate_without(machine, HOUSE, word) for word in ("small", "red", "house")},
            **{english: {word: translate_without(machine, english, word) for word in ("I", "am")} for english in OURS},
        },
        "next": book()["next_words"](machine),
        "moons": sentence_accuracy(machine, list(book()["moons"].items())),
        "longer": {str(length): sentence_accuracy(machine, pairs) for length, pairs in book()["lengths"].items()},
    }


def translators() -> list[dict[str, Any]]:
    rows = []
    for seed in SEEDS:
        machine, loss = trained(untrained, seed, STEPS)
        rows.append({"seed": seed, "loss": round(loss, 6), **measure(machine)})
    return rows


def spoilt_translators() -> list[dict[str, Any]]:
    """Without the mask, without the shift, and without positions on either side."""
    def cheat() -> nn.Module:
        return book()["Cheat"](len(book()["SOURCE"]), len(book()["TARGET"]))

    def row(trained: tuple[nn.Module, float]) -> dict[str, Any]:
        machine, loss = trained
        return {"loss": round(loss, 6), "right": sentence_accuracy(machine), "says": {english: translate(machine, english) for english in OURS}}

    return [
        {
            "seed": seed,
            "no mask": row(trained(cheat, seed, STEPS)),
            "no shift": row(trained(untrained, seed, SPOILT_STEPS, teach=book()["unshifted"])),
            "source": row(trained(lambda: book()["bare"]("source"), seed, STEPS)),
            "target": row(trained(lambda: book()["bare"]("target"), seed, STEPS)),
        }
        for seed in SEEDS
    ]


RECORDS = {"translators": translators, "spoilt_translators": spoilt_translators}


def is_the_first_record(machine: nn.Module) -> bool:
    (record,) = [one for one in runs("translators") if one["seed"] == 0]
    return {key: record[key] for key in record if key not in ("seed", "loss")} == measure(machine)


def runners_up(machine: nn.Module) -> list[tuple[str, str]]:
    """The words written and their second candidates in the sentences of the explorer, the largest second share first."""
    found = []
    for english in (*book()["OURS"], MOON, OLD):
        one = generation(machine, english)
        for word, (share, at) in zip(one.output, (row.topk(2) for row in one.probabilities), strict=True):
            found.append((share[1].item(), (word, one.vocabulary[at[1]])))
    return [pair for _, pair in sorted(found, reverse=True)]


def best_next_words(machine: nn.Module, english: str, given: str = "") -> list[tuple[str, float]]:
    """The best next word and its share after each word so far, until the end."""
    names, found = book(), []
    source, target = torch.tensor(names["SOURCE"].encode(english.split())), [names["START"], *names["TARGET"].encode(given.split())]
    while target[-1] != names["END"] and len(target) < 12:
        with torch.no_grad():
            best = machine(source, torch.tensor(target))[-1].softmax(dim=-1).max(dim=-1)
        target.append(best.indices.item())
        found.append((names["TARGET"].decode([target[-1]])[0], best.values.item()))
    return found


def leaves_out_one_word(machine: nn.Module) -> bool:
    """Of each of the three sentences that are shown, one word of the translation is missing and the rest stands in its order."""
    for english in list(book()["longer"])[:3]:
        said, wanted = translate(machine, english).split(), book()["longer"][english].split()
        if said not in [wanted[:at] + wanted[at + 1:] for at in range(len(wanted))]:
            return False
    return True


CLAIMS = {
    "translates at least nine of ten held-out sentences": lambda machine: sentence_accuracy(machine) >= 0.9,
    "an adjective that is hidden from the decoder is not written":
        lambda machine: "pequeña" not in translate_without(machine, HOUSE, "small") and "roja" not in translate_without(machine, HOUSE, "red"),
    "wooden and moon, never seen together, come out right in most sentences":
        lambda machine: sentence_accuracy(machine, list(book()["moons"].items())) > 0.6,
    "three adjectives come out right in less than half of the sentences, short or long":
        lambda machine: all(sentence_accuracy(machine, pairs) < 0.5 for pairs in book()["lengths"].values()),
}
CLAIMS_OF_SHIPPED = {
    "is start 0 of the ten": is_the_first_record,
    "translates our five sentences": lambda machine: {e: translate(machine, e) for e in book()["OURS"]} == book()["OURS"],
    "is sure of each word of a small red house but pequeña, whose rival is <end>":
        lambda machine: all(share > 0.99 for word, share in best_next_words(machine, HOUSE) if word != "pequeña")
        and ("pequeña", END) in runners_up(machine)[:2],
    "una looks at a with nearly everything and hardly at house, in both heads":
        lambda machine: cross_weights(machine, HOUSE, "una", "a").min() > 0.9 and cross_weights(machine, HOUSE, "una", "house").max() < 0.05,
    "casa looks at house with nearly everything": lambda machine: cross_weights(machine, HOUSE, "casa", "house").min() > 0.9,
    "in the mean of the heads, casa, roja and pequeña take most from house, red and small":
        lambda machine: generation(machine, HOUSE).cross_weights.mean(dim=0).argmax(dim=1).tolist()[:4] == [0, 3, 2, 1],
    "yo and soy take most from I and robot from robot, in the statement and in the question":
        lambda machine: all(
            cross_weights(machine, english, written, read).mean() > 0.65
            for english in OURS
            for written, read in (("yo", "I"), ("soy", "I"), ("robot", "robot"))
        ),
    "without red it writes the other adjective twice, without house everything":
        lambda machine: [translate_without(machine, HOUSE, word) for word in ("small", "red", "house")]
        == ["una casa roja", "una casa pequeña pequeña", "una casa roja pequeña"],
    "without robot it stammers un before it writes another noun":
        lambda machine: all(" un un un libro" in translate_without(machine, english, "robot") for english in OURS),
    "can do without am in both of the book's sentences, and without I in neither":
        lambda machine: all(
            (translate_without(machine, english, word) == book()["OURS"][english]) == (word == "am") for english in OURS for word in ("I", "am")
        ),
    "máquina, after soy yo esta, is fetched from machine by both heads":
        lambda machine: translate(machine, OLD).startswith("soy yo esta máquina ") and cross_weights(machine, OLD, "máquina", "machine").min() > 0.85,
    "de looks at wooden with nearly everything, madera in one head not at all and in the other with less than a third":
        lambda machine: cross_weights(machine, MOON, "de", "wooden").min() > 0.9 and cross_weights(machine, MOON, "madera", "wooden").min() < 0.005
        and cross_weights(machine, MOON, "madera", "wooden").max() < 0.33,
    "the largest second candidates are viejo for vieja and <end> for pequeña":
        lambda machine: runners_up(machine)[:2] == [("vieja", "viejo"), ("pequeña", END)],
    "is sure of a red robot, and after a forced una its best word has a third and is <end>":
        lambda machine: min(share for _, share in best_next_words(machine, "a red robot")) > 0.98
        and best_next_words(machine, "a red robot", "una")[0][0] == END and 0.3 < best_next_words(machine, "a red robot", "una")[0][1] < 0.36,
    "writes the white moon is wooden": lambda machine: translate(machine, MOON) == "la luna blanca es de madera",
    "leaves out one adjective in the three sentences shown": leaves_out_one_word,
    "answers a word salad": lambda machine: translate(machine, "robot robot robot") == "robot",
}
