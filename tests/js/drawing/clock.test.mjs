import assert from "node:assert/strict";
import { test } from "node:test";
import { roundStep } from "../../../js/drawing/axis.js";
import { face, marks, side, slice, sweep, tip } from "../../../js/drawing/clock.js";
import { pairAt, shiftBlock, wavelength } from "../../../js/mathematics/geometry.js";

const DIAL = { x: 100, y: 50, radius: 10 };
const QUARTER = Math.PI / 2;

/** The points of a path of straight lines. @param {string} path */
const points = (path) => path.replace(/^M|Z$/g, "").split("L").map((point) => point.split(" ").map(Number));

test("steps are 1, 2, 5 and their tenfolds", () => {
  assert.deepEqual([6.28, 30, 63, 64, 65, 628.3, 60611].map((length) => roundStep(length, 64)), [1, 1, 1, 1, 2, 10, 1000]);
  assert.deepEqual([roundStep(30, 7), roundStep(30, 2)], [5, 20]);
});

test("12 o'clock is 0 and angles run clockwise: right by the sine, up by the cosine", () => {
  assert.deepEqual([0, 1, 2, 3].map((hours) => Object.values(tip(DIAL, hours * QUARTER))), [[100, 40], [110, 50], [100, 60], [90, 50]]);
  assert.deepEqual(tip(DIAL, QUARTER, 0.5), { x: 105, y: 50 });
  assert.deepEqual([0.1, 1.5, 3.2, 4.7].map(side), ["middle", "start", "middle", "end"]);
});

test("a clock is marked with the whole positions of one turn", () => {
  assert.deepEqual(marks(2 * Math.PI), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(marks(628.3), [0, 100, 200, 300, 400, 500, 600]);
  /** @param {number} wave @param {number[]} [hands] */
  const names = (wave, hands) => face(DIAL, wave, 0.8, hands).flatMap(([tag, , text]) => (tag === "text" ? [text] : []));
  assert.deepEqual(names(2 * Math.PI), ["0", "1", "2", "3", "4", "5", "6"]);
  assert.deepEqual(names(2 * Math.PI, [2, -1]), ["0", "1", "3", "4", "5", "6"], "a hand covers 2");
  assert.deepEqual(names(60611), ["0", "10k", "20k", "30k", "40k", "50k"], "60k would touch 0");
});

test("a sweep ends where its hand stands, having gone all the way around", () => {
  for (const [from, to] of [[0, 5], [1, -3], [0.5, 20], [2, 2]]) {
    const way = points(sweep(DIAL, from, to, 0.4).path);
    const angles = way.map(([x, y]) => Math.atan2(x - DIAL.x, DIAL.y - y));
    assert.ok(Math.abs(Math.cos(angles[0] - from) - 1) < 1e-4 && Math.abs(Math.cos(angles[angles.length - 1] - to) - 1) < 1e-4);
    const turned = angles.slice(1).reduce((sum, angle, at) => sum + Math.atan2(Math.sin(angle - angles[at]), Math.cos(angle - angles[at])), 0);
    assert.ok(Math.abs(turned - (to - from)) < 0.02, `${turned} and ${to - from}`);
    assert.equal(sweep(DIAL, from, to, 0.4).head === "", from === to);
  }
});

test("a slice of more than half a turn goes the long way", () => {
  assert.match(slice(DIAL, 1, 1), /A10 10 0 0 1 /);
  assert.match(slice(DIAL, 6, 1), /A10 10 0 1 1 97.21 40.4Z$/);
});

test("a block turns a position's pair into that of the position an offset on", () => {
  for (const [position, offset, pair] of [[2, 5, 0], [40, -7, 1], [0, 0, 2]]) {
    const block = shiftBlock(offset, pair, 6, 10000);
    const here = pairAt(position, pair, 6, 10000);
    const there = pairAt(position + offset, pair, 6, 10000);
    block.forEach((row, at) => assert.ok(Math.abs(row[0] * here[0] + row[1] * here[1] - there[at]) < 1e-12));
  }
  assert.equal(wavelength(0, 6, 10000), 2 * Math.PI);
});
