// Walks through the lines of an edition: what is on the printed board stays in this browser until it is sent or saved.

import { storedAs } from "../core/browser/address.js";
import { worded } from "../core/browser/wording.js";

const start = JSON.parse(document.getElementById("start").textContent);
const { words } = start;
const at = (id) => document.getElementById(id);
const [walk, finish, values] = ["walk", "finish", "values"].map(at);
const svg = document.querySelector(".walk-map svg");
const wholeMap = svg.getAttribute("viewBox");
const KEPT = storedAs(`printed ${start.board}`);
const fresh = () => ({ n: 0, lines: start.lines.map((line) => ({ ...line, checked: false, gone: false })), more: [] });

let state = restored();

// What was answered before, as long as the edition is the same.
function restored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    const same = kept?.lines.length === start.lines.length && kept.lines.every((line, n) => line.where.join() === start.lines[n].where.join());
    return same ? kept : fresh();
  } catch {
    return fresh();
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // a private window: the answers last as long as the page
  }
}

const counted = (forms, count) => worded(forms, { count });

// A line in words: where it is, and what it says.
const named = (line) => (line.what.startsWith("points") ? `${words.pointsFor}: ${counted(line.what === "points" ? words.spaces : words.cards, Number(line.where[0]))}` : line.where.join(" – "));

function saying(line) {
  const number = Number(line.says[0]);
  if (line.what !== "route") return counted(words.points, number);
  const [, colour, kind] = line.says;
  const size = counted(kind === "subway" ? words.cards : words.spaces, number);
  return [size, start.colours[colour] ?? colour, Object.keys(start.kinds).length > 1 ? start.kinds[kind] : ""].filter(Boolean).join(" · ");
}

function described(line) {
  return line.what.startsWith("points") ? words.pointsFor : words[line.what];
}

// ------------------------------------------------------------------------------------------------ one line

function show() {
  const over = state.n >= state.lines.length;
  walk.hidden = over;
  finish.hidden = !over;
  keep();
  if (over) return showFound();
  const line = state.lines[state.n];
  const alike = state.lines.filter((candidate) => candidate.what === line.what);
  at("number").textContent = worded(words.of, { what: described(line), number: alike.indexOf(line) + 1, count: alike.length });
  Object.assign(at("progress"), { max: state.lines.length, value: state.n });
  at("asked").textContent = named(line);
  at("says").textContent = line.gone ? words.gone : saying(line);
  ask(false);
  for (const button of document.querySelectorAll("[data-for]")) button.hidden = (button.dataset.for === "route") !== (line.what === "route");
  for (const part of document.querySelectorAll("[data-several]")) part.hidden ||= Object.keys(start.kinds).length < 2;
  document.querySelector("[data-answer=gone]").hidden = line.what.startsWith("points");
  light(line);
}

// The route in the middle of the map, with what is around it; a ticket's places on the whole map.
function light(line) {
  for (const marked of svg.querySelectorAll(".meant, .end")) marked.classList.remove("meant", "end");
  svg.setAttribute("viewBox", wholeMap);
  svg.classList.toggle("ways", line.what === "route");
  if (line.what !== "route") {
    for (const route of svg.querySelectorAll(".route")) route.classList.add("meant");
    for (const place of svg.querySelectorAll("[data-place]")) if (line.where.includes(place.querySelector("title")?.textContent.split(/[:,]/)[0])) place.classList.add("end");
    return;
  }
  const route = svg.querySelector(`[data-route="${state.n}"]`); // routes come first, in the order of the board
  if (!route) return;
  route.classList.add("meant");
  const [, , wide, high] = wholeMap.split(" ").map(Number);
  const box = route.getBBox();
  const [w, h] = [Math.max(box.width + 260, wide / 3), Math.max(box.height + 260, high / 3)];
  svg.setAttribute("viewBox", `${box.x + box.width / 2 - w / 2} ${box.y + box.height / 2 - h / 2} ${w} ${h}`);
}

// The values to choose from stand in place of the answers.
function ask(choosing) {
  values.hidden = !choosing;
  document.querySelector(".answers").hidden = choosing;
}

function offer(name) {
  const line = state.lines[state.n];
  const numbers = name === "length" || name === "value";
  const place = { length: 0, value: 0, colour: 1, kind: 2 }[name];
  const most = name === "length" ? start.mostSpaces : 30;
  const choices = numbers ? Array.from({ length: most }, (_, n) => [String(n + 1), String(n + 1)]) : Object.entries(name === "colour" ? start.colours : start.kinds);
  values.classList.toggle("named", !numbers);
  values.setAttribute("aria-label", document.querySelector(`[data-answer=${name}]`).textContent);
  values.replaceChildren(...choices.map(([value, text]) => choice(value, text, line.says[place] === value, place)));
  ask(true);
  values.querySelector("button").focus();
}

function choice(value, text, now, place) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (start.signs[value]) button.insertAdjacentHTML("afterbegin", start.signs[value]);
  button.setAttribute("aria-pressed", String(now));
  button.addEventListener("click", () => {
    const line = state.lines[state.n];
    line.says = line.says.map((word, n) => (n === place ? value : word));
    Object.assign(line, { gone: false, checked: true });
    show();
    document.querySelector("[data-answer=right]").focus();
  });
  return button;
}

// ------------------------------------------------------------------------------------------------ all of it

const differs = (line, n) => line.gone || line.says.join() !== start.lines[n].says.join();

function showFound() {
  const changed = [...state.lines.entries()].filter(([n, line]) => differs(line, n));
  const unseen = state.lines.filter((line) => !line.checked).length;
  const count = changed.length + state.more.length;
  const summary = [count ? counted(words.changed, count) : words.allSame, unseen ? counted(words.unseen, unseen) : ""];
  at("sum").textContent = summary.filter(Boolean).join(" · ");
  const rows = changed.map(([n, line]) => row(named(line), line.gone ? words.gone : `${saying(start.lines[n])} → ${saying(line)}`, () => {
    Object.assign(line, { says: start.lines[n].says, gone: false });
  }));
  const added = state.more.map((line) => row(named(line), `${words.added}: ${saying(line)}`, () => state.more.splice(state.more.indexOf(line), 1)));
  at("found").replaceChildren(...rows, ...added);
  document.querySelector("#make [name=printed]").value = JSON.stringify(file());
}

function row(name, text, undo) {
  const item = document.createElement("li");
  const [title, change, button] = ["b", "span", "button"].map((tag) => document.createElement(tag));
  title.textContent = name;
  change.textContent = text;
  button.type = "button";
  button.textContent = "↶";
  button.setAttribute("aria-label", `↶ ${name}`);
  button.addEventListener("click", () => {
    undo();
    show();
  });
  item.append(title, change, button);
  return item;
}

function file() {
  const lines = state.lines.filter((line) => !line.gone).map(({ what, where, says, checked }) => ({ what, where, says, checked }));
  return { [start.format]: start.version, board: start.board, lines: [...lines, ...state.more] };
}

function saveFile() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file(), null, 1)], { type: "application/json" }));
  link.download = `${start.board}-printed.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

const ANSWERS = {
  right: () => Object.assign(state.lines[state.n], { checked: true, gone: false }) && (state.n += 1),
  gone: () => Object.assign(state.lines[state.n], { checked: true, gone: true }) && (state.n += 1),
  skip: () => (state.n += 1),
  before: () => (state.n = values.hidden ? Math.max(0, state.n - 1) : state.n),
  finish: () => (state.n = state.lines.length),
  resume: () => (state.n = state.lines.length - 1),
  anew: () => (state = fresh()),
};

document.addEventListener("click", (event) => {
  const answer = event.target.closest?.("[data-answer]")?.dataset.answer;
  if (!answer) return;
  if (!(answer in ANSWERS)) return offer(answer);
  ANSWERS[answer]();
  show();
  at(state.n < state.lines.length ? "asked" : "finish-title").focus({ preventScroll: state.n < state.lines.length });
});
at("save").addEventListener("click", saveFile);

const options = (select, entries) => select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
for (const select of document.querySelectorAll("select[name=a], select[name=b]")) options(select, start.places.map((name) => [name, name]));
for (const select of document.querySelectorAll("select[name=b]")) select.selectedIndex = 1;
options(document.querySelector("select[name=colour]"), Object.entries(start.colours));
options(document.querySelector("select[name=kind]"), Object.entries(start.kinds));

for (const form of document.querySelectorAll("#more-route, #more-ticket")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { a, b, size, colour, kind, value } = form.elements;
    if (a.value === b.value) return b.focus();
    const route = form.id === "more-route";
    const says = route ? [String(Number(size.value)), colour.value, kind.value] : [String(Number(value.value))];
    state.more.push({ what: route ? "route" : "ticket", where: [a.value, b.value], says, checked: true });
    show();
  });
}
show();
