// May I …? Every change asks the server again; the answer and what the form asks besides come back. Without this
// script the form is sent with its button.

import { panzoom } from "../core/browser/panzoom.js";
import { fitNames } from "../core/browser/place_names.js";

const form = document.getElementById("inquiry");
const names = JSON.parse(document.getElementById("route-names").textContent);
let latest = 0;
let wait;

for (const hidden of form.querySelectorAll("[data-step], #none")) hidden.hidden = false;
document.getElementById("ask").hidden = true;
const map = document.querySelector(".map");
map.hidden = false;
const stage = document.getElementById("stage");
const view = panzoom(stage, document.getElementById("ground"));
view.onDraw(() => fitNames(stage.querySelector("svg")));

async function ask() {
  const mine = ++latest;
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "" && !(name.startsWith("h") && value === "0")) query.append(name, value);
  }
  const address = `${location.pathname}?${query}`;
  let parts;
  try {
    const answer = await fetch(address, { headers: { accept: "application/json" }, cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    parts = await answer.json();
  } catch {
    form.submit(); // the browser says what is wrong
    return;
  }
  if (mine !== latest) return; // something has changed since
  const focused = document.activeElement?.name;
  const page = document.createElement("div");
  page.innerHTML = Object.values(parts).join("");
  for (const id of ["about", "ways"]) document.getElementById(id).replaceWith(page.querySelector(`#${id}`));
  if (focused && !document.activeElement?.name) form.elements[focused]?.focus?.(); // it was in what came anew
  const [verdict, answer] = [document.getElementById("verdict"), page.querySelector("#verdict")];
  verdict.className = answer.className; // the element stays: what changes inside it is read out
  if (verdict.innerHTML !== answer.innerHTML) verdict.replaceChildren(...answer.childNodes);
  history.replaceState(null, "", address);
  mark();
}

// The route or place that is asked about.
function mark() {
  for (const marked of stage.querySelectorAll(".asked")) marked.classList.remove("asked");
  for (const mark of document.getElementById("ways").dataset.marks.split(" ").filter(Boolean)) {
    const [kind, number] = mark.split("-");
    stage.querySelector(`[data-${kind}="${number}"]`)?.classList.add("asked");
  }
}

function askSoon() {
  clearTimeout(wait);
  wait = setTimeout(ask, 200);
}

form.addEventListener("input", askSoon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
form.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) {
    const number = step.parentElement.querySelector("input");
    const value = Number(number.value) + Number(step.dataset.step);
    number.value = Math.min(Math.max(value, Number(number.min)), Number(number.max));
    askSoon();
  }
  if (event.target.id === "none") {
    for (const number of form.querySelectorAll(".stepper input")) number.value = 0;
    askSoon();
  }
});
map.addEventListener("click", (event) => {
  const zoom = event.target.closest("[data-zoom]")?.dataset.zoom;
  if (zoom === "fit") view.fit();
  else if (zoom) view.zoom(zoom === "in" ? 1.5 : 1 / 1.5);
  const route = event.target.closest("[data-route]");
  const place = event.target.closest("[data-place]");
  const kind = form.elements.what;
  if (route) {
    kind.value = "route";
    if (kind instanceof HTMLInputElement) kind.checked = true;
    form.elements.name.value = names.route[Number(route.dataset.route)];
  } else if (place && kind.value && kind.value !== "route") {
    form.elements.name.value = names.place[Number(place.dataset.place)];
  } else return;
  ask();
});

mark();
document.body.toggleAttribute("data-live", true);
