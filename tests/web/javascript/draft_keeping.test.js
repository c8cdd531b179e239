// What becomes of the steps of a draft: saved, saved again after a server was away, and laid on top of what others did.

import assert from "node:assert/strict";
import test from "node:test";

import { addition, change } from "./static/workshop/draft.js";
import { Keeper } from "./static/workshop/draft_keeping.js";

const TABLES = ["cities", "routes", "tickets", "tours", "passengers", "exits", "layout", "names"];
const content = (...cities) => ({ settings: {}, tables: { ...Object.fromEntries(TABLES.map((name) => [name, []])), cities }, backdrop: null, files: {} });
const place = (name) => ({ name: `add ${name}`, edits: [addition("cities", { name })] });
const names = (keeper) => [...keeper.draft.tables.cities.values()].map(({ name }) => name);

// A server that gives these answers, one after the other, to what it is asked.
function begun(answers, { unsent = [], cities = [] } = {}) {
  const heard = { states: [], lost: [], saves: [], dropped: [], versions: [] };
  globalThis.fetch = async (address, { body } = {}) => {
    if (body) heard.saves.push(JSON.parse(body.get("steps")).map(([, step]) => step.name));
    const [status, answer] = answers.shift()(body ? JSON.parse(body.get("steps")) : address);
    if (status === 0) throw new TypeError("no network");
    return new Response(JSON.stringify(answer), { status });
  };
  const keeper = new Keeper({
    path: "/workshop/a",
    id: "a",
    csrf: "c",
    version: 1,
    content: content(...cities),
    mayEdit: true,
    told: (state) => heard.states.push(state),
    changed: (lost) => heard.lost.push(...lost),
    kept: { add: async () => 7, steps: async () => unsent, drop: (keys) => heard.dropped.push(...keys), history: async () => undefined, keepHistory: async () => {} },
    saved: (version) => heard.versions.push(version),
  });
  return { keeper, heard };
}

const ok = (version) => () => [200, { version }];

test("steps that follow each other are saved together", async () => {
  const { keeper, heard } = begun([ok(2)]);
  keeper.add(place("Bern"));
  keeper.add(place("Rom"));
  assert.ok(keeper.waiting && keeper.onlyHere);
  await keeper.settled();
  assert.deepEqual(heard.saves, [["add Bern", "add Rom"]]);
  assert.deepEqual([keeper.waiting, keeper.version, heard.versions, heard.states.at(-1)], [false, 2, [2], "saved"]);
  assert.deepEqual(names(keeper), ["Bern", "Rom"]);
});

test("a step waits while the server is away", async () => {
  const { keeper, heard } = begun([() => [0], () => [503], ok(2)]);
  keeper.add(place("Bern"));
  await assert.rejects(keeper.settled());
  await assert.rejects(keeper.settled());
  assert.ok(keeper.waiting && heard.states.includes("away"));
  await keeper.settled();
  assert.deepEqual([keeper.waiting, keeper.version], [false, 2]);
});

test("a step is laid on top of what others have saved meanwhile", async () => {
  const others = [["m1", place("Oslo")]];
  const { keeper, heard } = begun([() => [409, { version: 5, steps: others }], ok(6)]);
  keeper.add(place("Bern"));
  await keeper.settled();
  assert.deepEqual(names(keeper), ["Oslo", "Bern"]);
  assert.deepEqual([keeper.version, heard.lost], [6, []]);
});

test("a step about the very cell that somebody else has changed is lost, and told", async () => {
  const cities = [["c1", { name: "Bern" }]];
  let theirs;
  const { keeper, heard } = begun([() => [409, { version: 5, steps: [["m1", theirs]] }]], { cities });
  theirs = { name: "theirs", edits: [change(keeper.draft, "cities", "c1", { name: "Berne" })] };
  keeper.add({ name: "ours", edits: [change(keeper.draft, "cities", "c1", { name: "Berna" })] });
  await keeper.settled();
  assert.deepEqual([names(keeper), heard.lost, keeper.waiting], [["Berne"], ["ours"], false]);
});

test("of what a crash has left, the server is sent what it does not have", async () => {
  const [had, lacks] = [place("Oslo"), place("Bern")];
  const unsent = [{ key: 1, mark: "m1", step: had }, { key: 2, mark: "m2", step: lacks }];
  const { keeper, heard } = begun([() => [200, { version: 3, steps: [["m1", had]] }], ok(4)], { unsent });
  await keeper.recover();
  assert.deepEqual(names(keeper), ["Oslo", "Bern"]);
  await keeper.settled();
  assert.deepEqual(heard.saves, [["add Bern"]]);
  assert.deepEqual([keeper.version, heard.dropped], [4, [1, 2]]);
});
