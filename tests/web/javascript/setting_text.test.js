// Settings as people type them, and as they are written into the fields again.

import assert from "node:assert/strict";
import test from "node:test";

import { readDraft, settingWithin } from "./static/workshop/draft.js";
import { valueTyped, written } from "./static/workshop/setting_text.js";

const TYPED = [
  ["number", " 45 ", 45],
  ["decimal", "-1,5", -1.5],
  ["number", "many", "many"],
  ["numbers", "1, 2;4 7", [1, 2, 4, 7]],
  ["lines", "long\n\n short ", ["long", "short"]],
  ["share", "3", 3],
  ["share", "train 3, ship 7", { train: 3, ship: 7 }],
  ["share", "train three", "train three"],
  ["edges", "Lima–Sydney = 5, 3\nRom–Oslo: 2", { "Lima–Sydney": [5, 3], "Rom–Oslo": [2] }],
  ["text", "Moon", "Moon"],
  ["number", "  ", null],
];

for (const [kind, typed, value] of TYPED) {
  test(`${kind}: ${JSON.stringify(typed)} is read, and read again as it is written`, () => {
    assert.deepEqual(valueTyped(kind, typed), value);
    assert.deepEqual(valueTyped(kind, written(value)), value);
  });
}

const TABLES = ["cities", "routes", "tickets", "tours", "passengers", "exits", "layout", "names"];
const draft = readDraft({ settings: { title: "Moon", pieces: { trains: 45 } }, tables: Object.fromEntries(TABLES.map((name) => [name, []])), backdrop: null, files: {} });

test("a setting brings the sections around it", () => {
  const edit = settingWithin(draft, ["tickets", "first", "keep"], 2);
  assert.deepEqual([edit.path, edit.before, edit.after], [["tickets"], null, { first: { keep: 2 } }]);
  assert.deepEqual(settingWithin(draft, ["pieces", "trains"], 40).path, ["pieces", "trains"]);
});

test("what is so already, or cannot be, is no edit", () => {
  assert.equal(settingWithin(draft, ["pieces", "trains"], 45), null);
  assert.equal(settingWithin(draft, ["tickets", "first"], null), null);
  assert.equal(settingWithin(draft, ["title", "colour"], "red"), null);
});
