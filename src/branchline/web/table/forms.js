// Answers that are put together: ticks that mean one action, a slider along a list of actions. All actions come with the
// page; here they are only looked up.

import { light } from "../core/browser/highlights.js";

export function followForms() {
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("[data-combine]");
    if (form) combine(form);
  });
  document.addEventListener("input", (event) => {
    const slider = event.target.closest?.("[data-actions]");
    if (slider) slide(slider, event.target);
  });
  // They may have been filled in before this script came.
  for (const form of document.querySelectorAll("[data-combine]")) combine(form);
  for (const slider of document.querySelectorAll("[data-actions]")) slide(slider, slider.querySelector("input"));
}

function combine(form) {
  const ticked = [...form.querySelectorAll("input:checked")].map((box) => box.value).join(",");
  const action = JSON.parse(form.dataset.combine)[ticked];
  const button = form.querySelector("[data-combined]");
  button.disabled = !action;
  if (action) button.dataset.act = action;
  else delete button.dataset.act;
  for (const label of form.querySelectorAll("label")) {
    label.classList.toggle("chosen", label.querySelector("input").checked);
  }
  const chosen = [...form.querySelectorAll(".chosen")];
  const pieces = Object.assign({}, ...chosen.map((label) => JSON.parse(label.dataset.way))); // shared routes count once
  form.querySelector("[data-together]").textContent = Object.values(pieces).reduce((sum, count) => sum + count, 0);
  light(chosen.map((label) => label.dataset.highlights).join(" "), "pinned");
}

function slide(slider, input) {
  const meaning = JSON.parse(slider.dataset.meanings)[input.value];
  slider.querySelector("output").textContent = meaning;
  input.setAttribute("aria-valuetext", meaning);
  slider.querySelector("button").dataset.act = JSON.parse(slider.dataset.actions)[input.value];
}
