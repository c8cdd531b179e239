// The steps of the workshop: each can be taken back, and fits a draft that somebody else has changed meanwhile.

import assert from "node:assert/strict";
import test from "node:test";

import { addition, applied, change, fitted, Misfit, readDraft, removal, removingPlace, renaming, same, settingEdit, undone } from "./static/workshop/draft.js";

const draft = () =>
  readDraft({
    settings: { title: "Moon", pieces: { trains: 45 } },
    tables: {
      cities: [["c1", { name: "Tycho" }], ["c2", { name: "Kepler" }], ["c3", { name: "Plato" }]],
      routes: [["r1", { city_a: "Tycho", city_b: "Kepler", length: "3" }], ["r2", { city_a: "Kepler", city_b: "Plato", length: "2" }]],
      tickets: [["t1", { city_a: "Tycho", city_b: "Plato", points: "5" }]],
      tours: [["o1", { cities: "Tycho > Kepler > Plato", points: "9" }]],
      passengers: [],
      exits: [],
      layout: [["l1", { name: "Kepler", x: "1" }]],
      names: [],
    },
    backdrop: null,
    files: {},
  });

const plain = (one) => ({ ...one, tables: Object.fromEntries(Object.entries(one.tables).map(([name, rows]) => [name, [...rows]])) });

const step = (...edits) => ({ name: "a step", edits });

const STEPS = {
  "a row more": (one) => step(addition("cities", { name: "Copernicus" })),
  "a row less": (one) => step(removal(one, "routes", "r1")),
  "another cell": (one) => step(change(one, "routes", "r2", { length: "4", colour: "red" })),
  "a setting": (one) => step(settingEdit(one, ["pieces", "trains"], 40)),
  "a new setting": (one) => step(settingEdit(one, ["pieces", "ships"], 12)),
  "a place called otherwise": (one) => step(...renaming(one, "c2", "Clavius")),
  "a place less": (one) => step(...removingPlace(one, "c2")),
};

for (const [name, make] of Object.entries(STEPS)) {
  test(`${name} is taken back to the very draft before`, () => {
    const before = draft();
    const made = make(before);
    const after = applied(before, made);
    assert.ok(!same(plain(after), plain(before)));
    assert.deepEqual(plain(applied(after, undone(made))), plain(before));
    assert.deepEqual(plain(before), plain(draft()), "a step changes nothing in place");
  });
}

test("a new name stands wherever the old one stood", () => {
  const after = applied(draft(), step(...renaming(draft(), "c2", "Clavius")));
  const text = JSON.stringify(plain(after));
  assert.ok(!text.includes("Kepler"));
  assert.equal(text.split("Clavius").length - 1, 5);
});

test("with a place goes whatever names it", () => {
  const { tables } = applied(draft(), step(...removingPlace(draft(), "c2")));
  assert.deepEqual([tables.cities.size, tables.routes.size, tables.tickets.size, tables.tours.size, tables.layout.size], [2, 0, 1, 0, 0]);
});

test("a step for an older draft is refused, and fitted where nobody touched the same cell", () => {
  const older = step(change(draft(), "routes", "r1", { length: "5" }));
  const now = applied(draft(), step(change(draft(), "routes", "r1", { colour: "blue" })));
  assert.throws(() => applied(now, older), Misfit);
  const after = applied(now, fitted(now, older));
  assert.deepEqual(after.tables.routes.get("r1"), { city_a: "Tycho", city_b: "Kepler", length: "5", colour: "blue" });
  const rival = applied(draft(), step(change(draft(), "routes", "r1", { length: "6" })));
  assert.equal(fitted(rival, older), null);
  assert.deepEqual(fitted(applied(draft(), older), older).edits, [], "what is done already is not done again");
});
