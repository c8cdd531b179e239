// The count and the notes of a game, on the real boards: `boards.json` beside this file is made by Python.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { boardOf, placesLike, plain } from "./static/core/browser/desk/board.js";
import { linkTo, recordIn } from "./static/core/browser/desk/link.js";
import { shortestWay } from "./static/count/ways.js";
import { gameOf, newGame, routeWords, textOf, unfilled, withHeld, withPending, withStart, withTurn } from "./static/notate/game.js";

const given = JSON.parse(readFileSync(new URL("boards.json", import.meta.url)));
const boards = given.boards.map(({ facts }) => boardOf(facts));

test("names are compared as Python compares them", () => {
  for (const [name, expected] of Object.entries(given.plain)) assert.equal(plain(name), expected, name);
});

test("every place is found by each of its names", () => {
  for (const board of boards) {
    for (const place of board.places) for (const name of [place.name, ...place.names]) assert.notEqual(board.place(name), undefined, name);
  }
});

test("what begins with a text comes before what only holds it", () => {
  const begins = placesLike(boards[0], "an").map((place) => place.names.concat(place.name).some((name) => plain(name).startsWith("an")));
  assert.ok(begins.includes(true) && begins.includes(false));
  assert.deepEqual(begins, [...begins].sort((one, other) => other - one));
  assert.deepEqual(placesLike(boards[0], " – "), []);
});

test("shortest ways are as long as Python finds them", () => {
  given.boards.forEach(({ ways }, n) => {
    for (const [a, b, length] of ways) {
      const way = shortestWay(boards[n], boards[n].routes, a, b);
      assert.equal(way.reduce((sum, route) => sum + route.length, 0), length);
    }
  });
  assert.equal(shortestWay(boards[0], [], 0, 1), null);
});

test("a count comes back from its link, and nothing else does", async () => {
  const record = { edition: "europe", seats: [{ name: "Łucja ☃", routes: [["Paris", "Dieppe"]] }] };
  const link = await linkTo(record);
  assert.deepEqual(await recordIn(link), record);
  assert.deepEqual(await recordIn(`#j=${btoa('{"edition":"x"}').replace(/=+$/, "")}`), { edition: "x" });
  for (const bad of ["", "#", "#z=", "#z=%%", "#z=AAAA", "#j=e30.", `#j=${"A".repeat(30_000)}`, link.slice(0, -6)]) assert.equal(await recordIn(bad), null, bad.slice(0, 20));
  const bomb = await linkTo({ text: "0".repeat(200_000) });
  assert.ok(bomb.length < 20_000, "little is packed into much");
  assert.equal(await recordIn(bomb), null);
});

test("a noted game comes back from its text", () => {
  const [board] = boards;
  let game = newGame(board.edition, ["Anna", "Ben: the #1"]);
  assert.deepEqual(game.names, ["Anna", "Ben the 1"]);
  game = withStart(game, 1, "keep", board.tickets[0].name);
  game = withTurn(game, { said: "draw red, blind" });
  game = withTurn(game, { said: `claim ${routeWords(board, 3)} with 2 red`, route: 3 });
  game = withHeld(game, 0, 5);
  const read = gameOf(textOf(game, board), board);
  assert.equal(textOf(read, board), textOf(game, board));
  assert.equal(read.turns[1].route, 3);
  assert.deepEqual(read.held, [[5], []]);
});

test("an open card without its refill is the one that is asked for", () => {
  assert.equal(unfilled(["red"]), 0);
  assert.equal(unfilled(["red refill blue", "green"]), 1);
  for (const nothing of [[], ["blind"], ["red refill blue"], ["red refill blue", "blind"]]) assert.equal(unfilled(nothing), -1);
  assert.deepEqual(withPending(newGame("x", ["A"]), { drawn: ["red"] }).pending.drawn, ["red"]);
});
