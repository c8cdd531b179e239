// What may be claimed and built now: the list of it, what of it my tickets want, and what a card in the hand pays for.

import { put } from "../core/browser/fragments.js";
import { mark, thing, things } from "../core/browser/highlights.js";
import { texts } from "../core/browser/page.js";
import { worded } from "../core/browser/wording.js";

let pressed = ""; // the card that was pressed: it lights until it is pressed again
let over = ""; // the card under the mouse, or with focus

// All routes, ports and stations, each as a row of a list; only who has a seat has them.
const all = () => document.getElementById("all-choices")?.content.firstElementChild;
const cardsInHand = () => document.querySelectorAll("#hand button[data-hand]");

// "red,wild:3,14,s2;wild:7": the row of each claim → the cards that could pay for it.
function claims() {
  const cardsByRow = new Map();
  for (const group of document.getElementById("claims").dataset.claims.split(";")) {
    const [cards, rows] = group.split(":");
    for (const row of rows?.split(",") ?? []) cardsByRow.set(row, cards.split(","));
  }
  return cardsByRow;
}

const onMap = (row) => thing(row.startsWith("p") ? `place-${row.slice(1)}` : `route-${row}`);
const isRoute = (row) => /^\d/.test(row);
const isLit = (row) => !row.startsWith("s"); // a station can be built nearly everywhere: that says nothing

// ------------------------------------------------------------------------------------------- the list

// Which of all may be claimed is told by their numbers; those on the way of a ticket come first and name it.
export function showClaims() {
  if (!all()) return;
  const may = claims();
  const wanted = onTheWay();
  const choices = all().cloneNode(true);
  for (const row of choices.querySelectorAll("[data-row]")) if (!may.has(row.dataset.row)) row.remove();
  for (const row of [...choices.querySelectorAll("[data-row]")].reverse()) {
    const tickets = wanted.get(row.dataset.row);
    if (tickets) row.parentElement.prepend(named(row, tickets));
  }
  for (const list of choices.querySelectorAll("details")) if (!list.querySelector("li")) list.remove();
  put({ choices: choices.outerHTML });
  count();
}

function named(row, tickets) {
  const note = document.createElement("small");
  note.textContent = worded(texts.for_tickets, { tickets: tickets.join(", ") });
  row.querySelector(".ends").append(" ", note);
  row.querySelector("button").dataset.wanted = "";
  return row;
}

function count() {
  for (const list of document.querySelectorAll("#choices details")) {
    list.querySelector("summary b").textContent = list.querySelectorAll("li:not([hidden])").length;
  }
}

// The routes still missing on the cheapest way of each open ticket → the names of the tickets.
function onTheWay() {
  const tickets = new Map();
  for (const ticket of document.querySelectorAll("#tickets .possible")) {
    const name = ticket.querySelector(".ends").firstChild.textContent;
    for (const id of ticket.dataset.highlights.split(" ")) {
      if (id.startsWith("route-")) for (const row of asGood(id.slice(6))) tickets.set(row, [...(tickets.get(row) ?? []), name]);
    }
  }
  return tickets;
}

// A route and those beside it, as long as itself.
function asGood(number) {
  const { beside } = all().querySelector(`[data-row="${number}"]`).dataset;
  if (!beside) return [number];
  return [...all().querySelectorAll(`[data-beside="${beside}"]`)].map((row) => row.dataset.row);
}

// On a phone lists are behind tabs: these say how much is there.
function tellTabs() {
  const counts = { tickets: "#tickets .possible", choices: "#choices [data-glow]" };
  for (const [tab, sources] of Object.entries(counts)) {
    document.querySelector(`.tabs [data-tab="${tab}"]`).dataset.count = document.querySelectorAll(sources).length || "";
  }
}

// What stands in the list of claims glows on the map; what a ticket wants glows more.
export function glow() {
  for (const claim of document.querySelectorAll("#choices [data-ask^=route]")) claim.dataset.glow = claim.dataset.ask;
  const from = (sources) => [...document.querySelectorAll(sources)];
  mark("can", from("[data-glow]").flatMap((element) => things(element.dataset.glow)));
  mark("wanted", from("#choices [data-wanted]").flatMap((choice) => things(choice.dataset.ask)));
  tellTabs();
  mark("goal", from("#tickets .possible, .offers label").flatMap((ticket) => things(ticket.dataset.highlights)));
}

// ------------------------------------------------------------------------------------------- a card of the hand

// Lights what the card under the mouse, with focus or pressed pays for; answers with what is lit.
export function showHeld() {
  const names = [...cardsInHand()].map((card) => card.dataset.hand);
  if (!names.includes(pressed)) pressed = "";
  if (!names.includes(over)) over = "";
  const name = pressed || over;
  const may = claims();
  const paid = [...may.keys()].filter((row) => may.get(row).includes(name));
  const lit = paid.filter(isLit).map(onMap).filter(Boolean);
  mark("held", lit);
  mark("suit", name ? ofSuit(name).filter((route) => !lit.includes(route)) : []);
  document.getElementById("board").classList.toggle("holding", Boolean(name));
  for (const row of document.querySelectorAll("#choices [data-row]")) {
    row.hidden = Boolean(pressed) && !paid.includes(row.dataset.row);
  }
  count();
  for (const card of cardsInHand()) tell(card, may);
  return lit;
}

// Free routes printed in the colour of a card.
function ofSuit(name) {
  const card = document.querySelector(`#hand button[data-hand="${name}"]`);
  const rows = all()?.querySelectorAll(`[data-suit="${card.dataset.suit ?? name}"]`) ?? [];
  return [...rows].map((row) => onMap(row.dataset.row)).filter((route) => route?.matches(".free"));
}

function tell(card, may) {
  const name = card.dataset.hand;
  const routes = [...may.keys()].filter((row) => isRoute(row) && may.get(row).includes(name));
  card.setAttribute("aria-pressed", String(name === pressed));
  if (may.size) card.setAttribute("aria-description", worded(texts.pays, { count: routes.length }));
  else card.removeAttribute("aria-description");
}

export function followHand(show) {
  const cardAt = (event) => event.target.closest?.("#hand button[data-hand]");
  const hold = (card) => {
    const name = card?.dataset.hand ?? "";
    if (name === over) return;
    over = name;
    showHeld();
  };
  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && hold(cardAt(event)));
  document.addEventListener("focusin", (event) => hold(event.target.matches(":focus-visible") ? cardAt(event) : null));
  document.addEventListener("click", (event) => {
    const card = cardAt(event);
    // The parts of a phone's table change while a card stays pressed, and its claims are chosen from the list.
    if (!card && (!pressed || event.target.closest?.(".tabs, .zoomer, #choices"))) return;
    pressed = card && card.dataset.hand !== pressed ? card.dataset.hand : "";
    over = "";
    show(showHeld());
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !(pressed || over)) return;
      if (document.querySelector("dialog[open], #confirm:not([hidden])")) return;
      pressed = over = "";
      showHeld();
      event.stopImmediatePropagation();
    },
    true,
  );
}
