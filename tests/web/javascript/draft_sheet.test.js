// Where places lie on the sheet: by degrees or by the table `layout`, moved a little where that is wished.

import assert from "node:assert/strict";
import test from "node:test";

import { readDraft } from "./static/workshop/draft.js";
import { offSheet, onSheet, pointsOf } from "./static/workshop/draft_sheet.js";

const PACIFIC = { width: 1000, height: 500, bounds: [120, -50, 290, 60] }; // over the date line

test("a point of the sheet and its degrees say the same", () => {
  for (const point of [[0, 0], [1000, 500], [412, 77]]) {
    const [lat, lon] = offSheet(PACIFIC, point);
    const [x, y] = onSheet(PACIFIC, lat, lon);
    assert.ok(Math.hypot(x - point[0], y - point[1]) < 1e-6, `${point}`);
    assert.ok(Math.abs(lon) <= 180, "degrees are told as everywhere");
  }
});

test("north is up and equal steps are larger near the pole", () => {
  const height = (lat) => onSheet(PACIFIC, lat, 150)[1];
  assert.ok(height(50) < height(40));
  assert.ok(height(40) - height(50) > height(0) - height(10));
});

test("a place lies where its row says, or nowhere", () => {
  const cities = [["c1", { name: "A", lat: "10", lon: "150", nudge_x: "7" }], ["c2", { name: "B", lat: "95", lon: "1" }], ["c3", { name: "C" }]];
  const tables = Object.fromEntries(["routes", "tickets", "tours", "passengers", "exits", "names"].map((name) => [name, []]));
  const draft = readDraft({ settings: {}, tables: { ...tables, cities, layout: [["l1", { name: "C", x: "0.5", y: "0.25" }]] }, backdrop: null, files: {} });
  const [x, y] = onSheet(PACIFIC, 10, 150);
  assert.deepEqual([...pointsOf(draft, PACIFIC)], [["c1", [x + 7, y]]]);
  assert.deepEqual([...pointsOf(draft, { width: 1000, height: 500 })], [["c3", [500, 125]]]);
});
