// The geometry of lines on the map.

import assert from "node:assert/strict";
import test from "node:test";

import { curveOf, farFrom, middleOf } from "./static/core/browser/curves.js";

test("a line over the edge of the map is near where it is drawn, and nowhere between", () => {
  const curve = curveOf("M0 10L20 10M980 10L1000 10");
  assert.deepEqual(curve, [[[0, 10], [20, 10]], [[980, 10], [1000, 10]]]);
  assert.equal(farFrom(curve, { x: 10, y: 13 }), 3);
  assert.equal(farFrom(curve, { x: 990, y: 6 }), 4);
  assert.equal(farFrom(curve, { x: 500, y: 10 }), 480);
});

test("beyond its ends a line is as far as its end, and a point without length is a point", () => {
  assert.equal(farFrom(curveOf("M0 0L10 0"), { x: 13, y: 4 }), 5);
  assert.equal(farFrom(curveOf("M3 4L3 4"), { x: 0, y: 0 }), 5);
});

test("the middle is on the longest stretch", () => {
  assert.deepEqual(middleOf(curveOf("M0 0L1 0M5 5L6 5L7 5")), [6, 5]);
});
