// The table: wires the parts together. It knows no rules: what may be done is on the buttons the server sends.

import { stayAwake } from "../core/browser/awake.js";
import { standBeside } from "./beside.js";
import { followHand, glow, showClaims, showHeld } from "./claims.js";
import { tellEnd } from "../core/browser/final_scores.js";
import { followForms } from "./forms.js";
import { followCopy, keepCopy, offerToGoOn } from "./going_on.js";
import { put } from "../core/browser/fragments.js";
import { followGuide, guideListens, guideSays, offerNext, showMarks } from "./guide.js";
import { keyboard, readyMap } from "../core/browser/keyboard.js";
import { followLights, thing, things, tidyLights } from "../core/browser/highlights.js";
import { followStory, showLately } from "./lately.js";
import { loupe } from "./loupe.js";
import { watchCards } from "../core/browser/motion.js";
import { followLobby } from "./lobby.js";
import { followResult } from "../core/browser/result.js";
import { meantBy } from "./nearest.js";
import { followNotices, quietNow, showNotice } from "./notices.js";
import { commonPresses, live, notice, runClocks, showClocks, texts } from "../core/browser/page.js";
import { panzoom } from "../core/browser/panzoom.js";
import { fitNames } from "../core/browser/place_names.js";
import { followReview } from "./review.js";
import { play, readySound } from "../core/browser/sound.js";
import { cautioned, followCoach, thinkAlong, wishes } from "./coach/coach.js";
import { connect } from "../core/browser/socket.js";
import { heardTalk, openTalk, readyTalk, showDeaf, unsaid } from "./talk.js";

const root = document.documentElement;
const map = panzoom(document.getElementById("stage"), document.getElementById("ground"));
const card = document.getElementById("card");
const choice = document.getElementById("near"); // which of the lines under a finger is meant
const line = connect(document.body.dataset.room, Number(document.body.dataset.version), { receive, state });

let pressed = null; // what was pressed last: corrections stand beside it
let finger = false; // whether the last press came from a finger
let begun = false; // the server has answered on this page
let pending = null; // the version our last action was for: nothing is sent twice

followLights((elements) => map.show(elements));
followHand((elements) => map.show(elements));
followForms();
followCoach(showMarks);
followGuide();
followStory();
commonPresses(map);
followLobby();
followResult();
stayAwake(() => document.querySelector(".seat.me") && document.getElementById("end").hidden);
runClocks();
readySound();
followNotices();
showClaims();
readyTalk((message) => line.send(message));
keyboard({ map, openTalk, openHelp: () => document.getElementById("help").showModal() });
glow();
showMarks();
showLately();
offerNext();
showHeld();
endOfLog();
tellEnd(document.body.dataset.room);
followReview();
followCopy();
map.open(wantedPlaces());
map.onDraw(fitNames);
loupe(document.getElementById("stage"));
if (document.querySelector("#guide:not([hidden])")) map.closeUp(guided());

// ------------------------------------------------------------------------------------------- from the server

function receive(message) {
  if (message.panel) return showPanel(message.panel);
  if (message.do === "go") return location.assign(message.to);
  if (message.do === "bye") return notice(message.why || texts.ended, true);
  if (message.error) {
    correct(texts[message.error] || message.why, message.error === "guide" && guideSays(message.why));
    unsaid(message.text);
    settle(true); // a refused action may be followed by another one
  }
  if (message.said) notice(texts[message.said]);
  if (message.cautioned) {
    settle(true);
    cautioned();
  }
  if (!message.fragments) return;
  const shows = (name) => !begun || name in message.fragments; // a page that is as it was made is looked at, too
  const land = watchCards(mySeat());
  put(message.fragments);
  if ("copy" in message.fragments) keepCopy();
  showAsked();
  if (shows("claims") || shows("tickets")) showClaims();
  showClocks();
  if (shows("log") || message.fragments["log+"]) endOfLog();
  if (shows("talk-lines") || message.fragments["talk+"]) heardTalk();
  if (message.fragments.board) readyMap();
  if (Object.keys(message.fragments).some((name) => /^(board$|place-)/.test(name))) fitNames();
  glow();
  showMarks();
  showLately();
  tidyLights();
  showHeld();
  thinkAlong((found) => line.send(found));
  land(message.events || []);
  document.body.dataset.version = line.version;
  if (message.title) document.title = message.title;
  for (const event of message.events || []) soundOf(event);
  if (message.sound) {
    if (!document.hidden || !quietNow()) play(message.sound);
    showNotice(message.title);
  }
  settle(false);
  if (begun && shows("guide")) map.closeUp(guided());
  if (shows("end") && document.querySelector("#end:not([hidden])")) {
    map.fit();
    tellEnd(document.body.dataset.room);
    followReview();
  }
  const cover = document.querySelector("#cover:not([hidden]) button");
  if (cover && shows("cover")) cover.focus();
  if (shows("guide")) offerNext();
  begun = true;
}

// Whether our last action has been answered: by what came of it, or because it was `turned` down.
function settle(turned) {
  if (turned || line.version !== pending) pending = null;
  document.body.classList.toggle("waiting", pending !== null);
}

function state(word) {
  const connected = word === "open" || word === "found";
  if (word !== "open") notice(texts[word], !connected);
  document.body.classList.toggle("offline", !connected);
  if (!connected) offerToGoOn();
  live(connected);
  if (connected && !line.owes()) pending = null; // what may not have arrived is sent again, and answered
}

function soundOf(event) {
  if (event.kind === "claim") play("claim");
  else if (event.kind === "take" || event.kind === "blind") play("card");
  else if (event.kind === "tunnel") play("tunnel");
}

// The places of tickets, and of those on offer.
function wantedPlaces() {
  return [...document.querySelectorAll("#board .place.goal")];
}

// What the guide marks on the map.
function guided() {
  return things(document.getElementById("guide")?.dataset.marks);
}

// Why something was not done is said beside what was pressed, even if it has been `said` elsewhere as well.
function correct(text, content) {
  const near = pressed?.isConnected && pressed.getClientRects().length;
  if (content && !near) return;
  notice(text);
  const box = document.getElementById("notice");
  box.ariaHidden = content ? "true" : null;
  if (near) standBeside(box, pressed);
}

function endOfLog() {
  const log = document.querySelector("#log ol");
  log.scrollTop = log.scrollHeight;
}

function mySeat() {
  return Number(document.querySelector(".seat.me")?.id.slice(5) ?? -1);
}

// Whose turn it is, and what of the market may be taken, is said once; seats, bar and buttons follow.
function showAsked() {
  const { seat, mine } = document.getElementById("whose").dataset;
  document.getElementById("bar").classList.toggle("mine", mine !== undefined);
  for (const row of document.querySelectorAll("#seats .seat")) {
    const asked = row.id === `seat-${seat}`;
    row.classList.toggle("now", asked);
    row.querySelector("[data-asked]").hidden = !asked;
  }
  const may = document.getElementById("acts").dataset.acts.split(",");
  for (const button of document.querySelectorAll("#market [data-act]")) {
    if (may.includes(button.dataset.act)) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }
}

// ------------------------------------------------------------------------------------------- presses

const PRESSED = "button, label, [data-route], [data-place]";
document.addEventListener(
  "pointerdown",
  (event) => {
    finger = event.pointerType === "touch";
    pressed = event.target.closest?.(PRESSED);
  },
  true,
);
document.addEventListener(
  "keydown",
  (event) => {
    finger = false;
    pressed = null; // who plays by keyboard or ear is told where such things are always said
  },
  true,
);

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-act],[data-do],[data-ask]");
  if (button) {
    if (button.dataset.ask) return ask(button.dataset.ask);
    if (event.detail > 1) return; // of a double click the first press counts
    if (button.getAttribute("aria-disabled") === "true") return sayWhyNot(button);
    if (button.dataset.act) return act(button);
    return order(button);
  }
  if (finger && event.target.closest?.("#stage")) return tapped(event);
  const on = event.target.closest?.("#board [data-route],#board [data-place]");
  if (on) ask(on.dataset.route ? `route-${on.dataset.route}` : `place-${on.dataset.place}`);
});

function ask(id) {
  choice.close();
  card.dataset.about = id;
  line.send({ do: "show", what: id });
}

function tapped({ clientX, clientY }) {
  const meant = meantBy(clientX, clientY);
  if (meant.length === 1) return ask(meant[0]);
  if (!meant.length) return notice(texts.no_line);
  pressed = thing(meant[0]);
  const buttons = meant.map((id) => {
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, { ask: id, highlights: id });
    button.textContent = thing(id).querySelector("title").textContent;
    return button;
  });
  choice.querySelector("div").replaceChildren(...buttons);
  choice.showModal();
}

async function act(button) {
  const { act: action, say } = button.dataset;
  if (!("sure" in button.dataset) && wantsConfirming(button) && !(await confirmed(say || button.textContent))) return;
  if (pending === line.version) return;
  pending = line.version;
  guideListens();
  document.body.classList.add("waiting");
  line.send({ do: "play", version: line.version, action });
  card.close();
}

// What is not possible now is asked for all the same: the server refuses it, and says why.
function sayWhyNot(button) {
  line.send({ do: "play", version: line.version, action: button.dataset.act });
}

async function order(button) {
  const { do: deed, seat, confirmText } = button.dataset;
  if (confirmText && !(await confirmed(confirmText))) return;
  const message = { do: deed };
  if (deed === "undo") message.version = line.version;
  if (seat !== undefined) message.seat = seat === "" ? null : Number(seat); // nobody: the cards are covered
  Object.assign(message, wishes(button));
  line.send(message);
}

// Cards lie apart and are as large as a finger: drawing two takes two taps, unless somebody always wants to be asked.
function wantsConfirming(button) {
  const wish = root.dataset.confirm;
  return wish === "always" || (wish === "touch" && finger && !button.matches("#market :is(.cards [data-act], #deck-train, #deck-ship)"));
}

function confirmed(text) {
  const box = document.getElementById("confirm");
  const before = document.activeElement;
  box.querySelector("p").textContent = text;
  box.hidden = false;
  box.querySelector("[data-yes]").focus();
  return new Promise((answer) => {
    const decide = (event) => {
      const yes = event.target.closest("[data-yes]");
      if (!yes && !event.target.closest("[data-no]") && event.key !== "Escape") return;
      box.hidden = true;
      box.removeEventListener("click", decide);
      box.removeEventListener("keydown", decide);
      before?.focus?.({ preventScroll: true });
      answer(Boolean(yes) && event.type === "click");
    };
    box.addEventListener("click", decide);
    box.addEventListener("keydown", (event) => event.key === "Escape" && decide(event));
  });
}

function showPanel(fragments) {
  put(fragments);
  const answers = card.querySelectorAll("[data-act]");
  // Who never wants to be asked claims at once where there is nothing to choose and no tunnel to fear.
  if (root.dataset.confirm === "never" && answers.length === 1 && !answers[0].querySelector("small")) {
    return act(answers[0]);
  }
  for (const old of document.querySelectorAll("#board .asked")) old.classList.remove("asked");
  const about = thing(card.dataset.about);
  about?.classList.add("asked");
  showDeaf();
  if (!card.open) card.showModal();
  if (about) standBeside(card, about, [document.getElementById("hand"), document.getElementById("seats")]);
  else card.removeAttribute("style");
  (answers[0] || card.querySelector("button"))?.focus();
}

card.addEventListener("close", () => {
  const about = thing(card.dataset.about);
  about?.classList.remove("asked");
});
