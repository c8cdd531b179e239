// The map of the editor. All that is done on it can be done in the lists of the panel as well, by keyboard.

import { panzoom } from "../core/browser/panzoom.js";
import { pointsOf } from "./draft_sheet.js";
import { groundPaths, placesDrawn, routesDrawn } from "./editor_drawing.js";
import { editorHand } from "./editor_hand.js";

const SMALLEST = 0.6; // of its size is a sign still easy to see; on a narrow map signs are larger on the sheet
const LARGEST = 2.2; // times

// `on`: what a hand does there, see `editorHand`.
export function editorMap(stage, on) {
  const svg = stage.querySelector("svg");
  const layers = Object.fromEntries(["ground", "routes", "places", "pen"].map((name) => [name, svg.querySelector(`.${name}`)]));
  let state = {}; // draft, ground, tool, selected, troubled (ids of rows with faults), lit, mayEdit, points
  let zoomed;

  editorHand(stage, svg, layers.pen, { look: () => state, on });

  function draw(next) {
    const fresh = state.ground !== next.ground;
    state = { ...next, points: pointsOf(next.draft, next.ground) };
    if (fresh) drawGround(next.ground);
    const size = sizeOfSigns(stage, next.ground);
    svg.style.setProperty("--size", size.toFixed(2));
    layers.routes.replaceChildren(...routesDrawn(state, state.points, size));
    layers.places.replaceChildren(...placesDrawn(state, state.points, size));
    stage.dataset.tool = next.tool;
  }

  function drawGround(ground) {
    const before = svg.getAttribute("viewBox");
    svg.setAttribute("viewBox", `0 0 ${ground.width} ${ground.height}`);
    stage.classList.toggle("inland", !ground.paths.land);
    layers.ground.replaceChildren(...groundPaths(ground));
    if (!zoomed) zoomed = panzoom(stage, stage.querySelector(".ground"));
    else if (before !== svg.getAttribute("viewBox")) zoomed.fit();
  }

  return {
    draw,
    zoom: (by) => zoomed?.zoom(by),
    fit: () => zoomed?.fit(),
    show(row) {
      const drawing = svg.querySelector(`[data-row="${row}"]`);
      if (drawing) zoomed?.show([drawing]);
    },
  };
}

function sizeOfSigns(stage, { width, height }) {
  const room = stage.getBoundingClientRect();
  const shown = Math.min(room.width / width, room.height / height);
  return Math.min(Math.max(SMALLEST / shown, 1), LARGEST);
}
