// Table talk. What is muted makes no sound, counts nothing and is not read out. What a browser wishes is kept in it, for
// each room: whether the talk is open, folded or muted, whom it does not hear, and what it has read.

import { storedAs } from "../core/browser/address.js";
import { markBody } from "../core/browser/body_marks.js";
import { texts } from "../core/browser/page.js";
import { play } from "../core/browser/sound.js";

const KEY = storedAs("branchline_talk");
const ROOMS = 50; // of which the wishes are kept
const LINES = 200; // as many as the server keeps
const SHOWN = 8000; // milliseconds for which a folded talk shows its latest line

const room = document.body.dataset.room;
const box = document.getElementById("talk");
const voice = document.getElementById("talk-said");
const form = box?.querySelector("form");
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
const mine = new Set(box?.dataset.mine.split(",").filter(Boolean));

let wish = { state: null, deaf: [], read: 0, ...kept()[room] };
let latest = 0; // moment of the last line that has come
let fading;

export function readyTalk(send) {
  if (!box) return;
  wish.state ??= "quiet" in box.dataset ? "muted" : "folded";
  addEventListener("click", press);
  addEventListener("visibilitychange", count);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const reactions = box.querySelector(".reactions[open]");
    if (!reactions) {
      event.target.blur();
      return document.getElementById("question").focus();
    }
    reactions.open = false;
    reactions.querySelector("summary").focus();
    event.stopPropagation();
  });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    say(send, event.submitter?.value ?? "");
  });
  show();
  heardTalk(true);
}

// After a message that brought lines; `silent`: they were there when the page came.
export function heardTalk(silent = false) {
  if (!box) return;
  const list = document.getElementById("talk-lines");
  for (let surplus = list.children.length - LINES; surplus > 0; surplus--) list.firstElementChild.remove();
  for (const time of list.querySelectorAll("time")) time.textContent = clock.format(new Date(time.dateTime));
  const fresh = [...list.children].filter((line) => at(line) > latest);
  latest = Math.max(latest, ...fresh.map(at));
  sift();
  if (fresh.length) list.scrollTop = list.scrollHeight;
  if (!silent) tell(fresh.filter(audible));
  count();
}

// What was refused stands in the field again, to be said in another way.
export function unsaid(text) {
  if (text && form?.elements.text && !form.elements.text.value) form.elements.text.value = text;
}

// The card about a player has a button that mutes it.
export function showDeaf() {
  for (const button of document.querySelectorAll("[data-deaf]")) {
    button.setAttribute("aria-pressed", String(wish.deaf.includes(button.dataset.deaf)));
  }
}

// To the field where one speaks; whether there is one.
export function openTalk() {
  if (!box) return false;
  if (shown()) become("open");
  else document.querySelector('[data-tab="talk"][aria-pressed="false"]')?.click();
  (box.querySelector("input:not([type=hidden])") || box.querySelector("button")).focus();
  return true;
}

function say(send, reaction) {
  const everybody = form.elements.everybody.value === "1";
  if (reaction) {
    form.querySelector(".reactions").open = false;
    return send({ do: "say", reaction, everybody });
  }
  const text = form.elements.text.value.trim();
  if (!text) return;
  form.elements.text.value = "";
  send({ do: "say", text, everybody });
}

function press(event) {
  const on = (selector) => event.target.closest?.(selector);
  const deed = on("[data-talk]")?.dataset.talk;
  if (deed === "mute") become("muted");
  if (deed === "fold") become(wish.state === "open" ? "folded" : "open");
  if (on('[data-tab="talk"]') && shown()) become("open"); // on a phone, where it does not fold
  else if (on("[data-tab]")) count();
  const deaf = on("[data-deaf]")?.dataset.deaf;
  if (deaf) {
    wish.deaf = wish.deaf.includes(deaf) ? wish.deaf.filter((seat) => seat !== deaf) : [...wish.deaf, deaf];
    showDeaf();
    sift();
    count();
  }
  const reactions = box.querySelector(".reactions[open]");
  if (reactions && !reactions.contains(event.target)) reactions.open = false;
}

function become(state) {
  wish.state = state;
  show();
  count();
}

function show() {
  const open = wish.state === "open";
  box.classList.toggle("folded", !open);
  box.classList.toggle("muted", wish.state === "muted");
  markBody();
  box.querySelector("[data-talk=fold]").setAttribute("aria-expanded", String(open));
  if (open) box.querySelector(".latest").textContent = "";
  const list = document.getElementById("talk-lines");
  list.scrollTop = list.scrollHeight;
}

// Lines of players who are muted are not shown.
function sift() {
  for (const line of document.getElementById("talk-lines").children) {
    line.hidden = wish.deaf.includes(line.dataset.seat);
  }
}

function tell(lines) {
  if (!lines.length || wish.state === "muted") return;
  play("talk");
  for (const line of lines) {
    const sentence = document.createElement("p");
    sentence.textContent = `${part(line, ".who")}: ${part(line, ".line")}`;
    voice.append(sentence);
    while (voice.children.length > 5) voice.firstElementChild.remove();
    if (wish.state === "folded") box.querySelector(".latest").textContent = sentence.textContent;
  }
  clearTimeout(fading);
  fading = setTimeout(() => (box.querySelector(".latest").textContent = ""), SHOWN);
}

function part(line, selector) {
  return line.querySelector(selector).textContent.trim();
}

// Read is what stood there while somebody could see it.
function count() {
  if (visible() && document.visibilityState === "visible") wish.read = latest;
  const lines = wish.state === "muted" ? [] : [...document.getElementById("talk-lines").children];
  const unread = lines.filter((line) => audible(line) && at(line) > wish.read).length;
  for (const badge of document.querySelectorAll("[data-unread]")) {
    badge.hidden = !unread;
    badge.replaceChildren(String(unread), hidden(` ${texts.unread}`));
  }
  keep();
}

function hidden(text) {
  const label = document.createElement("span");
  label.className = "vh";
  label.textContent = text;
  return label;
}

function audible(line) {
  return !mine.has(line.dataset.seat) && !wish.deaf.includes(line.dataset.seat);
}

function at(line) {
  return Number(line.dataset.at);
}

function visible() {
  return document.getElementById("talk-lines").getClientRects().length > 0;
}

// Whether it has a place in the page now: on a phone it lies behind a tab.
function shown() {
  return box.getClientRects().length > 0;
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // a browser that keeps nothing begins anew each time
  }
}

function keep() {
  const rooms = Object.entries({ ...kept(), [room]: { ...wish, used: Date.now() } });
  rooms.sort((one, other) => other[1].used - one[1].used);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(rooms.slice(0, ROOMS))));
  } catch {
    // the same
  }
}
