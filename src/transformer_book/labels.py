"""Where the names on a map go: each beside its mark, or as near as the other names and marks leave room."""
from __future__ import annotations

import numpy as np

Box = np.ndarray  # left, bottom, right, top


def clusters(points: np.ndarray, kinds: list[str], reach: float) -> list[list[int]]:
    """Points of one kind whose marks touch: no farther than `reach` from the first of their cluster.

    >>> clusters(np.array([[0, 0], [9, 9], [1, 0], [0, 1]]), ["a", "a", "a", "b"], 2)
    [[0, 2], [1], [3]]
    """
    result: list[list[int]] = []
    for at, point in enumerate(points):
        near = (home for home in result if kinds[home[0]] == kinds[at] and np.hypot(*(points[home[0]] - point)) <= reach)
        home = next(near, None)
        if home is None:
            result.append([at])
        else:
            home.append(at)
    return result


def around(points: np.ndarray, margin: float) -> Box:
    """The box around points, a margin wider on every side."""
    return np.concatenate((points.min(axis=0) - margin, points.max(axis=0) + margin))


def overlap(box: Box, others: Box) -> np.ndarray:
    """The areas that a box shares with others, (others, 4) -> (others,)."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    return (high - low).clip(min=0).prod(axis=1)


def arrange(named: list[Box], sizes: list[tuple[float, float]], *, marks: Box, bounds: Box) -> list[Box]:
    """A box of each size for a label, the first label first, close to the box that it names; `bounds` holds them all.

    >>> mark = np.array([0, 0, 10, 10])
    >>> [box.tolist() for box in arrange([mark], [(20, 10)], marks=mark[None], bounds=np.array([0, 0, 99, 99]))]
    [[10.0, 0.0, 30.0, 10.0]]
    """
    taken = np.empty((0, 4))
    for about, (width, height) in zip(named, sizes, strict=True):
        x, y = (about[:2] + about[2:]) / 2
        best, least = about, np.inf
        for shift in np.arange(-20, 21) * height / 2:
            for left, price in ((about[2], 0), (about[0] - width, 3), (x - width / 2, 4)):
                box = np.array([left, y + shift - height / 2, left + width, y + shift + height / 2])
                outside = width * height - overlap(box, bounds[None])[0]
                crowd = overlap(box, marks).sum() / 2 + 100 * overlap(box, taken).sum()
                cost = abs(shift) + price + crowd + 1000 * outside
                if cost < least - 1e-9:
                    best, least = box, cost
        taken = np.vstack((taken, best))
    return list(taken)
