// A hand at a table whose board is real. What is pressed first is only chosen; the button below does it. The server
// sends what has changed; what was chosen stays chosen as long as it is there.

import { address, pathIn } from "../core/browser/address.js";
import { stayAwake } from "../core/browser/awake.js";
import { linkTo } from "../core/browser/desk/link.js";
import { keepTable } from "./deal_kept.js";
import { put } from "../core/browser/fragments.js";
import { notice } from "../core/browser/notice.js";
import { connect } from "../core/browser/socket.js";

const start = JSON.parse(document.getElementById("start").textContent);
const { said: texts, cards, faces } = start;
const status = document.getElementById("told");
const doing = document.getElementById("doing");
const paying = new Map(); // card: how many are to be put away
let picked = null; // the deed of a card of the market or a deck
let sure = null; // the button that was pressed once and asks whether it is meant

const line = connect(pathIn(start.path).slice(1), start.step, { receive, state });
stayAwake();
if (start.seat !== null) keepTable({ path: start.path, title: start.title, name: start.name });

function receive(message) {
  if (message.fragments) {
    sure = null;
    put(message.fragments);
    settle();
    document.body.toggleAttribute("data-live", true);
  }
  if (message.said) status.textContent = message.said;
  if (message.error) {
    notice(message.why || texts.lost);
    settle();
  }
}

function state(now) {
  if (now !== "open") notice(texts[now], now !== "found");
  if (now !== "open" && now !== "found") document.body.removeAttribute("data-live");
}

function act(deed) {
  line.send({ do: "play", action: deed, version: line.version });
  picked = null;
  paying.clear();
  settle();
}

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest?.(selector);
  const pick = on("[data-pick]");
  const held = on("[data-hand]");
  const deed = on("[data-deed]");
  const less = on("[data-less]");
  if (pick) choose(pick);
  else if (held) more(held.dataset.hand, Number(held.dataset.count));
  else if (less) fewer(less.dataset.less);
  else if (on("[data-clear]")) clear();
  else if (deed && deed.hasAttribute("data-sure") && sure !== deed) ask(deed);
  else if (deed) act(deed.dataset.deed);
  else return unsure();
  if (!deed) unsure();
});

function choose(button) {
  if (button.getAttribute("aria-disabled") === "true") return;
  paying.clear();
  picked = picked === button.dataset.pick ? null : button.dataset.pick;
  settle();
  doing?.querySelector("button")?.scrollIntoView({ block: "nearest" });
}

function more(card, count) {
  picked = null;
  const next = (paying.get(card) ?? 0) + 1;
  if (next > count) paying.delete(card);
  else paying.set(card, next);
  settle();
}

function fewer(card) {
  const next = (paying.get(card) ?? 0) - 1;
  if (next > 0) paying.set(card, next);
  else paying.delete(card);
  settle();
}

function clear() {
  picked = null;
  paying.clear();
  settle();
}

// What shows hidden cards, or is somebody else's, is pressed twice.
function ask(button) {
  unsure();
  sure = button;
  button.dataset.label = button.textContent;
  button.textContent = texts.sure;
  button.classList.add("sure");
}

function unsure() {
  if (!sure) return;
  sure.textContent = sure.dataset.label;
  sure.classList.remove("sure");
  sure = null;
}

// Everything that was chosen, shown where it is; what is gone is chosen no longer.
function settle() {
  for (const button of document.querySelectorAll("[data-pick]")) {
    button.setAttribute("aria-pressed", String(button.dataset.pick === picked));
  }
  const button = picked && document.querySelector(`[data-pick="${CSS.escape(picked)}"]:not([aria-disabled])`);
  if (picked && !button) picked = null;
  for (const [card, count] of paying) {
    const held = Number(document.querySelector(`[data-hand="${CSS.escape(card)}"]`)?.dataset.count ?? 0);
    if (!held) paying.delete(card);
    else if (count > held) paying.set(card, held);
  }
  for (const held of document.querySelectorAll("[data-hand]")) {
    held.setAttribute("aria-pressed", String(paying.has(held.dataset.hand)));
  }
  if (doing) show(button);
  follow();
}

function show(button) {
  const parts = button ? taking(button) : paying.size ? putting() : [];
  const { other } = document.getElementById("whose").dataset; // whose turn it is, if not one's own
  if (other && parts.length) parts.unshift(newElement("p", {}, `${other} ${texts.all_the_same}`));
  doing.replaceChildren(...parts);
  doing.hidden = !parts.length;
  document.body.toggleAttribute("data-doing", parts.length > 0);
}

function taking(button) {
  const { pick, card, deck, refills } = button.dataset;
  if (!card) return [newElement("button", { class: "first big", "data-deed": pick }, deck ? `${texts.draw}: ${texts.draw_from[deck]}` : texts.draw), cancel()];
  const words = texts.take.replace("{card}", cards[card]);
  if (refills !== "1") return [newElement("button", { class: "first big", "data-deed": pick }, words), cancel()];
  const ways = ["train", "ship"].map((from) => newElement("button", { class: "first", "data-deed": `${pick} from ${from}` }, texts.from[from]));
  return [newElement("p", {}, words), ...ways, cancel()];
}

function putting() {
  const chips = [...paying].map(([card, count]) => {
    const chip = newElement("button", { class: `card c-${card.split(" ")[0]}`, "data-less": card, "aria-label": `${count} × ${cards[card]}: ${texts.less.replace("{card}", cards[card])}` });
    chip.innerHTML = faces[card]; // of our own page
    chip.append(newElement("b", { class: "count" }, String(count)));
    return chip;
  });
  const deed = `put ${[...paying].map(([card, count]) => `${count} ${card}`).join(" + ")}`;
  return [...chips, newElement("button", { class: "first big", "data-deed": deed }, `${texts.put} (${[...paying.values()].reduce((a, b) => a + b, 0)})`), cancel()];
}

const cancel = () => newElement("button", { class: "back", "data-clear": "" }, texts.clear);

function newElement(name, attributes, text = "") {
  const element = document.createElement(name);
  if (name === "button") element.type = "button";
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

// Tickets that are ticked, and the way on to counting.
function follow() {
  const form = document.getElementById("keep");
  if (form) form.querySelector("button").disabled = form.querySelectorAll("input:checked").length < Number(form.dataset.least);
  const count = document.getElementById("to-count");
  if (count) linkTo(JSON.parse(count.dataset.position)).then((fragment) => (count.href = address(`/count${fragment}`)));
}

document.addEventListener("change", (event) => {
  if (event.target.closest?.("#keep")) follow();
});
document.addEventListener("submit", (event) => {
  if (event.target.id !== "keep") return;
  event.preventDefault();
  act(`keep ${[...event.target.querySelectorAll("input:checked")].map((box) => box.value).join(" ")}`);
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") clear();
});
settle();
