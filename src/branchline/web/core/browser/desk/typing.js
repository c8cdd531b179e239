// Routes and places by their names, typed or spoken: "Berlin Wien".

import { placesLike } from "./board.js";
import { start } from "./words.js";

const MOST = 8;
const NEAREST = 6; // places that a word may mean

const wordsOf = (text) => text.slice(0, 120).split(/[\s,;–—>/→-]+/u).filter(Boolean);

// A route as it may be typed, for an example: that of the shortest name, between cities if there is one.
export function exampleOf(board) {
  const all = board.routes.map(({ a, b }) => [board.places[a], board.places[b]]);
  const between = all.filter((ends) => ends.every((place) => place.kind !== "waypoint"));
  const names = (between.length ? between : all).map((ends) => ends.map((place) => place.name).join(" "));
  return names.reduce((short, name) => (name.length < short.length ? name : short), names[0]);
}

// Sets of lines that a text names, the likeliest first, each as its lines.
export function linesNamed(board, text) {
  const words = wordsOf(text);
  const sets = new Map();
  const note = (lines) => {
    for (const line of lines) if (!sets.has(line.set)) sets.set(line.set, board.setOf(line));
  };
  for (let cut = 1; cut < words.length; cut += 1) {
    const first = placesLike(board, words.slice(0, cut).join(" ")).slice(0, NEAREST);
    const second = placesLike(board, words.slice(cut).join(" ")).slice(0, NEAREST);
    for (const a of first) for (const b of second) note(board.linesBetween(a.index, b.index));
  }
  if (!sets.size && words.length) for (const place of placesLike(board, words.join(" ")).slice(0, 2)) note(board.at[place.index]);
  return [...sets.values()].slice(0, MOST);
}

// Tickets of which each word begins a place, in any language.
export function ticketsNamed(board, text) {
  const words = wordsOf(text);
  const sets = words.map((word) => new Set(placesLike(board, word).map((place) => place.index)));
  return board.tickets.filter((ticket) => sets.every((set) => ticket.places.some((place) => set.has(place))));
}

export const placesNamed = (board, text) => placesLike(board, text.slice(0, 120)).slice(0, MOST);

// Whether the browser can listen; `heard(texts)` is given what it may have been, `ended(problem)` comes in any case.
export function listening() {
  const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
  if (!Recognition) return null;
  return (heard, ended) => {
    const ear = new Recognition();
    ear.lang = start.spoken;
    ear.maxAlternatives = 5;
    let problem = "";
    ear.onresult = (event) => heard([...event.results[0]].map((guess) => guess.transcript));
    ear.onerror = (event) => (problem = event.error);
    ear.onend = () => ended(problem);
    ear.start();
  };
}
