// The places of a draft: which of them a typed name means, and how far apart two of them lie.

import assert from "node:assert/strict";
import test from "node:test";

import { readDraft } from "./static/workshop/draft.js";
import { namesMeant, placeNames, shortestWay } from "./static/workshop/draft_places.js";

const ROUTES = [["Bern", "Köln", 2], ["Köln", "Łódź", 3], ["Bern", "Łódź", 9], ["Łódź", "Kraj", 1], ["Kraj", "Oslo", 1]];
const draft = readDraft({
  settings: {},
  tables: {
    cities: [["c1", { name: "Bern" }], ["c2", { name: "Köln" }], ["c3", { name: "Łódź" }], ["c4", { name: "Kraj", kind: "country" }], ["c5", { name: "Oslo" }], ["c6", {}]],
    routes: [...ROUTES.map(([city_a, city_b, length], n) => [`r${n}`, { city_a, city_b, length: String(length) }]), ["r9", { city_a: "Bern", city_b: "Oslo", length: "long" }]],
    ...Object.fromEntries(["tickets", "tours", "passengers", "exits", "layout", "names"].map((name) => [name, []])),
  },
  backdrop: null,
  files: {},
});

test("the way goes where the fewest spaces are, in both directions", () => {
  assert.equal(shortestWay(draft, "Bern", "Łódź"), 5);
  assert.equal(shortestWay(draft, "Łódź", "Bern"), 5);
});

test("it ends in a country and begins there, but does not pass through", () => {
  assert.equal(shortestWay(draft, "Bern", "Kraj"), 6);
  assert.equal(shortestWay(draft, "Kraj", "Oslo"), 1);
  assert.equal(shortestWay(draft, "Bern", "Oslo"), null, "a route without a length is none either");
});

test("a place is meant without its accents, and by as much as no other begins with", () => {
  const names = placeNames(draft);
  assert.deepEqual(names, ["Bern", "Köln", "Łódź", "Kraj", "Oslo"]);
  assert.deepEqual(namesMeant(names, " lodz "), ["Łódź"]);
  assert.deepEqual(namesMeant(names, "K"), ["Köln", "Kraj"]);
  assert.deepEqual(namesMeant(names, "kr"), ["Kraj"]);
  assert.deepEqual(namesMeant(names, ""), []);
  assert.deepEqual(namesMeant(names, "Rom"), []);
});

test("a name that fits exactly is meant though others begin alike", () => {
  assert.deepEqual(namesMeant(["Essen", "Essen-Süd", "essen"], "Essen"), ["Essen"]);
  assert.deepEqual(namesMeant(["Essen", "Essen-Süd"], "ESSEN"), ["Essen"]);
});
