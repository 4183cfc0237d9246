"""Chapter 9: the machine with two heads of seed 0, and what became of many seeds: of one, two and four heads, with the slip in
the reshape, and without positions."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from trainings import chapter
from transformer_book.trained import weights

SEEDS = range(16)
LOSSES = (0, 50, 100, 200, 299)  # the steps whose losses are kept
LEARNED = 0.95  # the share of right answers from which on the chapter calls a job right
LINES = (  # those of the explorer
    "Ada Bo Cy Dee Eli Fay", "Hal Gus Fay Eli Dee Cy", "Cy Hal Bo Ada Gus Dee",
    "Gus Ada Hal Cy Bo Eli", "Dee Eli Ada Gus Hal Bo", "Bo Fay Dee Hal Cy Ada",
)
CELLS = (
    "setup", "module-code", "train-lines", "train-wanted-code", "train-model-code", "train-loop", "train-judge-code", "look-code",
    "off-code", "slip-code",
)


def book() -> dict[str, Any]:
    """What the chapter's cells define."""
    return chapter("09_multi_head_attention", *CELLS)


def train(seed: int) -> nn.Module:
    return book()["train"](seed)[0].double().eval()


def arrays(machine: nn.Module) -> dict[str, Tensor]:
    return machine.state_dict()


def restored() -> nn.Module:
    machine = book()["Line"]().double().eval()
    machine.load_state_dict(weights("multi_head_attention"))
    return machine


def accuracies(machine: nn.Module) -> list[float]:
    """The share of right answers, of who is in front and of who is the first."""
    return book()["right_answers"](machine).tolist()


def accuracies_without_each_head(machine: nn.Module) -> list[list[float]]:
    """The same without head 1, and without head 2."""
    return [accuracies(book()["without"](machine, head)) for head in (0, 1)]


def mean_shares(machine: nn.Module) -> Tensor:
    """The shares of each head on average over the exam, (n_heads, 6, 6)."""
    return book()["shares_of"](machine, book()["exam"]).mean(dim=0)


def shares_by_place(machine: nn.Module) -> list[list[float]]:
    """How much each head gives on average to the first place, and to the place in front of the one that asks."""
    average = mean_shares(machine)
    front = torch.stack([average[:, at, at - 1] for at in range(2, 6)])
    return torch.stack([average[:, 2:, 0].mean(dim=1), front.mean(dim=0)], dim=1).tolist()


def rounded(numbers: list) -> list:
    return [rounded(part) if isinstance(part, list) else round(part, 4) for part in numbers]


def measure_jobs(**options: object) -> list[dict]:
    """Both jobs and the shares of every head, for each seed."""
    found = []
    for seed in SEEDS:
        machine = book()["train"](seed, **options)[0].double()
        in_front, first = rounded(accuracies(machine))
        found.append({"seed": seed, "in_front": in_front, "first": first, "shares": rounded(shares_by_place(machine))})
        if machine.attend.n_heads == 2:
            found[-1]["off"] = rounded(accuracies_without_each_head(machine))
    return found


def measure_slip() -> list[dict]:
    """The loss on its way down and both jobs of each robot, for each seed."""
    found = []
    for seed in SEEDS:
        machine, losses = book()["train"](seed, attention=book()["Straight"])
        exam = book()["exam"]
        with torch.no_grad():
            robots = (machine(exam).argmax(dim=-1) == book()["wanted"](exam)).double().mean(dim=0)
        found.append({"seed": seed, "losses": rounded([losses[at] for at in LOSSES]), "robots": rounded(robots.tolist())})
    return found


RECORDS = {
    "one_head": lambda: measure_jobs(n_heads=1),
    "two_heads": measure_jobs,
    "four_heads": lambda: measure_jobs(n_heads=4),
    "slip": measure_slip,
    "without_positions": lambda: measure_jobs(positions=False),
}


def does_both_jobs(machine: nn.Module) -> bool:
    return min(accuracies(machine)) > LEARNED


def splits_the_work(machine: nn.Module) -> bool:
    """Whether each head, silenced, takes one job with it and leaves the other, and the two heads not the same one."""
    tables = accuracies_without_each_head(machine)
    taken = {table.index(min(table)) for table in tables}
    return all(min(table) < 0.3 and max(table) > 0.9 for table in tables) and len(taken) == 2


def both_go_for_the_first(machine: nn.Module) -> bool:
    return all(first > front for first, front in shares_by_place(machine))


def one_column_and_one_slanted_line(machine: nn.Module) -> bool:
    """Whether head 1 gives most to the first place, and head 2 to the place in front, whoever asks from the third robot on."""
    first, front = mean_shares(machine)[:, 2:].argmax(dim=-1).tolist()
    return first == [0, 0, 0, 0] and front == [1, 2, 3, 4]


def shares_in(machine: nn.Module, line: str) -> Tensor:
    """The shares of both heads in a line of names, (2, 6, 6)."""
    robots = book()["robots"]
    return book()["shares_of"](machine, torch.tensor([[robots.index(name) for name in line.split()]]))[0]


def eli_listens_to_gus_and_bo(machine: nn.Module) -> bool:
    return shares_in(machine, "Gus Ada Hal Cy Bo Eli")[:, 5].argmax(dim=-1).tolist() == [0, 4]


def the_second_need_not_look_to_the_front(machine: nn.Module) -> bool:
    return all(shares_in(machine, line)[1, 1, 0] < 0.5 for line in LINES)


def the_front_is_the_closer_choice(machine: nn.Module) -> bool:
    """Whether the shares that the last robot gives to the place in front lie farther apart than those for the first place."""
    at_five = book()["shares_of"](machine, book()["exam"])[:, :, 5]  # (1000, 2, 6)
    spread = at_five.amax(dim=0) - at_five.amin(dim=0)  # (2, 6)
    head = 0 if shares_by_place(machine)[0][0] > 0.5 else 1
    return bool(spread[1 - head, 4] > spread[head, 0])


CLAIMS = {
    "where both jobs are done, each head carries one, alone": lambda machine: not does_both_jobs(machine) or splits_the_work(machine),
    "where both jobs are done, the shares for the place in front change more from line to line than those for the first":
        lambda machine: not does_both_jobs(machine) or the_front_is_the_closer_choice(machine),
    "where a machine does not know who is in front, both heads give more to the first place":
        lambda machine: accuracies(machine)[0] > LEARNED or both_go_for_the_first(machine),
}
CLAIMS_OF_SHIPPED = {
    "our machine does both jobs": does_both_jobs,
    "head 1 of our machine has a dark column, the first place, and head 2 a slanted line, the place in front": one_column_and_one_slanted_line,
    "in the fourth line Eli listens to Gus with one head and to Bo with the other": eli_listens_to_gus_and_bo,
    "the second robot need not look to the front, in any of the lines": the_second_need_not_look_to_the_front,
}
