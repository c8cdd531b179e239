// The search of the rules, on a few rules in each language.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { answering } from "./static/rules/search.js";

const { small } = JSON.parse(readFileSync(new URL("boards.json", import.meta.url)));
const RULES = {
  en: ["You take two cards, each from the market or blind from a deck.", "You may hold as many cards as you like.", "One route a turn, all of it. You lay one piece on each space.", "Each wheel on a ferry asks for a wild card."],
  de: ["Du nimmst zwei Karten, jede aus der Auslage.", "Du darfst beliebig viele Wagenkarten haben.", "Eine Strecke pro Zug, ganz.", "Alle haben drei Bahnhöfe."],
  pl: ["Dobierasz dwie karty, każdą spośród odkrytych.", "Na ręce możesz mieć dowolnie wiele żetonów.", "Jedno połączenie na turę, w całości.", "Możesz zbudować jeden dworzec."],
  cs: ["Vezmete si dvě karty, každou z odhalených.", "V ruce smíte mít libovolný počet žetonů.", "Jedna trať za tah, celá.", "Smíte postavit jednu stanici."],
};
const best = (question, language) => {
  const scores = answering(question, RULES[language], small[language]);
  return scores.indexOf(Math.max(...scores));
};

test("a question finds its rule, whatever small words it has", () => {
  assert.equal(best("can I take two cards?", "en"), 0);
  assert.equal(best("Darf ich zwei Karten nehmen?", "de"), 0);
  assert.equal(best("Czy mogę wziąć dwie karty?", "pl"), 0);
  assert.equal(best("Můžu si vzít dvě karty?", "cs"), 0);
});

test("other forms of a word find it, too", () => {
  assert.equal(best("ferries", "en"), 3);
  assert.equal(best("routes", "en"), 2);
  assert.equal(best("Bahnhof", "de"), 3);
  assert.equal(best("Strecken", "de"), 2);
  assert.equal(best("połączeniu", "pl"), 2);
  assert.equal(best("dworce", "pl"), 3);
  assert.equal(best("stanice", "cs"), 3);
  assert.equal(best("tratě", "cs"), 2);
});

test("a part of a long German word finds it", () => assert.ok(answering("Karte", RULES.de, small.de)[1] > 0));

test("rare words count more than frequent ones", () => assert.equal(best("hold cards", "en"), 1));

test("small words count where there are no others, and nothing asked is no question", () => {
  assert.ok(Math.max(...answering("may", RULES.en, small.en)) > 0);
  assert.equal(answering(" … ?", RULES.en, small.en), null);
  assert.deepEqual(answering("zeppelin", RULES.en, small.en), [0, 0, 0, 0]);
});
