// The replay: a scrubber over every moment. The server draws; what differs from the moment shown is all that travels.

import { address } from "../core/browser/address.js";
import { tellEnd } from "../core/browser/final_scores.js";
import { put } from "../core/browser/fragments.js";
import { readyMap } from "../core/browser/keyboard.js";
import { followLights, light, things } from "../core/browser/highlights.js";
import { still } from "../core/browser/motion.js";
import { commonPresses, copyText, live, notice, texts } from "../core/browser/page.js";
import { panzoom } from "../core/browser/panzoom.js";
import { fitNames } from "../core/browser/place_names.js";

const { room, perspective } = document.body.dataset;
const last = Number(document.body.dataset.last);
const map = panzoom(document.getElementById("stage"), document.getElementById("ground"));
map.onDraw(fitNames);
const scrubber = document.getElementById("scrubber");
const slider = scrubber.querySelector("input[type=range]");
const runButton = scrubber.querySelector("[data-run]");

const mistakes = [...scrubber.querySelectorAll("[data-at]")].sort((one, other) => one.dataset.at - other.dataset.at);
for (const mistake of mistakes) {
  mistake.querySelector("details").addEventListener("toggle", () => {
    map.refit();
    map.show(light(lights(mistake), "pinned"));
  });
}
const curve = scrubber.querySelector(".curve");
scrubber.querySelector(".chances")?.addEventListener("toggle", () => map.refit());

let shown = Number(document.body.dataset.n);
let wanted = shown;
let loading = false;
let running = null;

followLights((elements) => map.show(elements));
commonPresses(map);
readyMap();
const bottom = scrubber.parentElement; // on phones the scores stand above it
new ResizeObserver(() => document.body.style.setProperty("--scrubber", `${bottom.offsetHeight}px`)).observe(bottom);
mark();

async function go(n) {
  wanted = Math.min(Math.max(n, 0), last);
  slider.value = wanted;
  if (loading) return; // the newest wish is fetched when the last has come
  loading = true;
  try {
    while (shown !== wanted) {
      const goal = wanted;
      const answer = await fetch(address(`/t/${room}/replay/${goal}.json?perspective=${perspective}&since=${shown}`));
      if (!answer.ok) throw new Error(answer.statusText);
      const { fragments, title } = await answer.json();
      put(fragments);
      fitNames();
      if (goal === last || shown === last) map.refit(); // the scores come, or go
      shown = goal;
      document.title = title;
      history.replaceState(null, "", address(`/t/${room}/replay/${goal}?perspective=${perspective}`));
      mark();
    }
  } catch {
    notice(texts.lost);
    stop();
  }
  loading = false;
}

// What happened at this moment is lit, in the list and on the map.
function mark() {
  const moment = document.getElementById("moment");
  light(moment.dataset.highlights, "pinned");
  map.show(things(moment.dataset.highlights));
  for (const old of document.querySelectorAll("[data-moment][aria-current]")) old.removeAttribute("aria-current");
  const line = document.querySelector(`#log [data-moment="${shown}"]`);
  line?.setAttribute("aria-current", "step");
  line?.scrollIntoView({ block: "nearest" });
  if (curve) pointAt(curve, shown / last);
  const current = mistakes.filter((mistake) => Number(mistake.dataset.at) === shown);
  const changed = current.some((mistake) => mistake.hidden) || mistakes.some((mistake) => !mistake.hidden && !current.includes(mistake));
  for (const mistake of mistakes) mistake.hidden = !current.includes(mistake);
  if (changed) map.refit(); // what is told takes some of the map's room, or gives it back
  for (const mistake of current) map.show(light(lights(mistake), "pinned"));
  const on = document.querySelector("[data-play-on]");
  if (on) on.action = address(`/t/${room}/replay/${shown}/play`);
  if (shown === last) tellEnd();
}

// What was better stays hidden, on the map as well, until somebody asks: one may want to find it.
function lights(mistake) {
  const better = mistake.querySelector("details[open]")?.dataset.better;
  return [better, mistake.dataset.done].filter(Boolean).join(" ");
}

// To the nearest mistake in this direction.
function goToMistake(way) {
  const places = mistakes.map((mistake) => Number(mistake.dataset.at)).filter((at) => (at - wanted) * way > 0);
  if (places.length) go(way > 0 ? places[0] : places.at(-1));
  else if (mistakes.length) notice(texts.noMoreMistakes);
}

// A line on the curve of the chances.
function pointAt(picture, share) {
  const { left, wide, top, bottom } = picture.dataset;
  const x = Number(left) + Number(wide) * share;
  let line = picture.querySelector(".now");
  if (!line) {
    line = document.createElementNS(picture.namespaceURI, "path");
    line.setAttribute("class", "now");
    picture.append(line);
  }
  line.setAttribute("d", `M${x} ${top}V${bottom}`);
}

function stop() {
  clearInterval(running);
  running = null;
  runButton.setAttribute("aria-pressed", "false");
}

function run() {
  if (running) return stop();
  if (shown === last) go(0);
  runButton.setAttribute("aria-pressed", "true");
  running = setInterval(() => (wanted >= last ? stop() : go(wanted + 1)), still() ? 1500 : 900);
}

// This moment by the link for watching, so that whoever gets it may look; who may not hand that on sends the address.
function momentLink(watching) {
  if (!watching) return location.href;
  const link = new URL(watching, location.href);
  link.search = new URLSearchParams({ to: `replay/${shown}`, perspective });
  return link.href;
}

slider.addEventListener("input", () => go(Number(slider.value)));
document.querySelector(".perspective select").addEventListener("change", (event) => event.target.form.requestSubmit());
document.addEventListener("click", (event) => {
  const step = event.target.closest("#scrubber [data-step]");
  const moment = event.target.closest("[data-moment]");
  const mistake = event.target.closest("[data-mistake]");
  if (step) go(wanted + Number(step.dataset.step));
  if (mistake) goToMistake(Number(mistake.dataset.mistake));
  if (event.target.closest("[data-run]")) run();
  const button = event.target.closest("[data-copy-here]");
  if (button) copyText(momentLink(button.dataset.copyHere));
  if (moment) {
    event.preventDefault();
    go(Number(moment.dataset.moment));
  }
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input,select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") go(wanted - 1);
  else if (event.key === "ArrowRight") go(wanted + 1);
  else if (event.key === "n") goToMistake(1);
  else if (event.key === "p") goToMistake(-1);
  else if (event.key === "f") map.fit();
});
go(Number(slider.value)); // it may have been moved before this script came
live(true);
