// A loupe above the finger: while it rests on the map one sees, enlarged, what lies under it.

import { thing } from "../core/browser/highlights.js";
import { meantBy } from "./nearest.js";

const WAIT = 160; // ms until a press is a rest
const WIDE = 132; // pixels
const TIMES = 2.4;
const SLACK = 6; // pixels a resting finger may wander; more drags the map

export function loupe(stage) {
  let glass = null;
  let waiting = null;
  let start = null;

  function close() {
    clearTimeout(waiting);
    glass?.remove();
    glass = start = null;
  }

  function open(x, y) {
    const board = document.querySelector("#board svg");
    glass = document.createElement("div");
    glass.className = "loupe stage";
    glass.setAttribute("aria-hidden", "true");
    const picture = board.cloneNode(true);
    for (const named of picture.querySelectorAll("[id]")) named.removeAttribute("id"); // copies take their shapes from the map
    picture.removeAttribute("id");
    glass.append(picture);
    document.body.append(glass);
    look(picture, x, y);
  }

  function look(picture, x, y) {
    const screen = document.querySelector("#board svg").getScreenCTM();
    const at = new DOMPoint(x, y).matrixTransform(screen.inverse());
    const wide = WIDE / TIMES / screen.a;
    picture.setAttribute("viewBox", `${at.x - wide / 2} ${at.y - wide / 2} ${wide} ${wide}`);
    const [meant] = meantBy(x, y);
    if (meant) picture.querySelector(`[data-${meant.split("-")[0]}="${meant.split("-")[1]}"]`)?.classList.add("asked");
    const above = y > WIDE + 70;
    glass.style.left = `${Math.min(Math.max(x - WIDE / 2, 4), innerWidth - WIDE - 4)}px`;
    glass.style.top = `${above ? y - WIDE - 44 : y + 56}px`;
    glass.dataset.about = meant ? thing(meant).querySelector("title").textContent.split(",")[0] : "";
  }

  stage.addEventListener("pointerdown", (event) => {
    close();
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    start = [event.clientX, event.clientY];
    waiting = setTimeout(() => start && open(...start), WAIT);
  });
  stage.addEventListener("pointermove", (event) => {
    if (start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > SLACK) close();
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, close);
  stage.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger that rests asks for the loupe
}
