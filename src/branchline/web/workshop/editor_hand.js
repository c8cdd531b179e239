// What the mouse or a finger does on the map of the editor: it drags places, joins two of them, and chooses.

import { element, R } from "./editor_drawing.js";

const SLACK = 5; // px that a press may wander

// `look()`: what is drawn now, with `points`. `on`: selected(table, row), moved(row, ground, point), placed(ground, point),
// joined(row, row). `pen`: where a drag is drawn.
export function editorHand(stage, svg, pen, { look, on }) {
  let drag = null;
  let swallow = false; // the click at the end of a drag

  function toSheet({ clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  function begin(event) {
    const { mayEdit, tool } = look();
    const place = event.target.closest?.(".place");
    if (event.button || !mayEdit || !place || (tool !== "select" && tool !== "route")) return;
    event.stopPropagation(); // the map stays where it is
    drag = { row: place.dataset.row, from: [event.clientX, event.clientY], tool, moved: false, id: event.pointerId };
  }

  function move(event) {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < SLACK) return;
    drag.moved = true;
    const [x, y] = toSheet(event);
    const [x0, y0] = look().points.get(drag.row) ?? [x, y];
    pen.replaceChildren(drag.tool === "route" ? element("path", { class: "thread", d: `M${x0} ${y0}L${x} ${y}` }) : element("circle", { class: "ghost", cx: x, cy: y, r: R }));
  }

  function end(event) {
    if (!drag || event.pointerId !== drag.id) return;
    const { row, tool, moved } = drag;
    leave();
    swallow = true; // the click that follows
    setTimeout(() => (swallow = false));
    if (!moved) return on.selected("cities", row);
    if (tool === "select") return on.moved(row, look().ground, toSheet(event));
    const other = under(svg, event);
    if (other?.classList.contains("place") && other.dataset.row !== row) on.joined(row, other.dataset.row);
  }

  function leave() {
    drag = null;
    pen.replaceChildren();
  }

  function press(event) {
    const { ground, mayEdit, tool } = look();
    if (swallow || !ground || event.target.closest("button")) return;
    const pressed = event.target.closest("[data-row]");
    if (tool === "place" && mayEdit && !pressed?.classList.contains("place")) return on.placed(ground, toSheet(event));
    if (!pressed) return on.selected(null, null);
    on.selected(pressed.classList.contains("place") ? "cities" : "routes", pressed.dataset.row);
  }

  stage.addEventListener("pointerdown", begin, true);
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", leave);
  stage.addEventListener("click", press);
}

function under(svg, { clientX, clientY }) {
  const marked = document.elementFromPoint(clientX, clientY)?.closest?.("[data-row]");
  return marked && svg.contains(marked) ? marked : null;
}
