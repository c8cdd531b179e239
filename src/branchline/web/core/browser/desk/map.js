// The map that is painted, of one board after the other.

import { curveOf } from "../curves.js";
import { light } from "../highlights.js";
import { panzoom } from "../panzoom.js";
import { fitNames } from "../place_names.js";
import { group, paint } from "./painting.js";
import { ask, near } from "./pressed.js";

export function countMap(stage, ground, box) {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const map = { board: null, svg: null, curves: [], titles: new Map() };
  let zooming = null;

  function show(board) {
    if (map.board === board) return;
    sheet.replaceSync(board.style);
    box.innerHTML = board.svg;
    const svg = box.querySelector("svg");
    svg.style.setProperty("--plank", board.plank);
    svg.querySelector("[data-place]").setAttribute("tabindex", "0");
    Object.assign(map, { board, svg });
    map.curves = board.routes.map((route) => curveOf(group(map, "route", route.index).querySelector(".hit").getAttribute("d")));
    map.titles = new Map([...svg.querySelectorAll("[data-route] > title, [data-place] > title")].map((title) => [title, title.textContent]));
    if (zooming) zooming.fit();
    else {
      zooming = panzoom(stage, ground, { doubled: false });
      zooming.onDraw(() => fitNames(map.svg));
    }
  }

  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("[data-zoom]")?.dataset.zoom;
    if (by === "fit") zooming?.fit();
    else if (by) zooming?.zoom(by === "in" ? 1.6 : 1 / 1.6);
  });

  return {
    show,
    paint: (position) => paint(map, position),
    near: (event, kind, position, seat) => near(map, event, kind, position, seat),
    ask: (candidates) => ask(map, candidates),
    zoom: (by) => zooming?.zoom(by),
    fit: () => zooming?.fit(),
    // `dim`: all else steps back.
    light: (ids, dim = false) => {
      const elements = map.svg ? light(ids, "pinned") : [];
      map.svg?.classList.toggle("telling-one", dim && elements.length > 0);
      if (elements.length) zooming?.show(elements);
    },
    get svg() {
      return map.svg;
    },
  };
}
