// How well texts answer a question, in any language of the pages.

import { unaccented } from "../core/browser/letters.js";

const ENDING = 3; // letters at most in which two forms of a word differ
const STEM = 4; // letters at least that two forms of a word share where both have an ending

const wordsOf = (text) => unaccented(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// How much a word of a text is a word of the question: 1 for the same, less for another form or a part of it.
function likeness(wanted, word) {
  if (word === wanted) return 1;
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === word[shared]) shared++;
  const [one, other] = [wanted.length - shared, word.length - shared];
  if (shared >= (one && other ? STEM : ENDING) && Math.max(one, other) <= ENDING) return 1 - 0.1 * (one + other);
  return wanted.length >= STEM && word.includes(wanted) ? 0.6 : 0; // Karte in Wagenkarten
}

// For each text how well it answers: rare words of the question count more than those that many texts have. Small words,
// which a question has whatever it is about, count only where there are no others. Null when nothing is asked.
export function answering(question, texts, smallWords) {
  const asked = [...new Set(wordsOf(question))];
  if (!asked.length) return null;
  const small = new Set(smallWords.split(" "));
  const telling = asked.filter((word) => !small.has(word));
  const scores = texts.map(() => 0);
  const held = texts.map(wordsOf);
  for (const wanted of telling.length ? telling : asked) {
    const likes = held.map((words) => Math.max(0, ...words.map((word) => likeness(wanted, word))));
    const rarity = Math.log(1 + texts.length / Math.max(1, likes.filter(Boolean).length));
    likes.forEach((like, n) => (scores[n] += like * rarity));
  }
  return scores;
}
