// Puts fragments where they belong. HTML is grown into what stands there already, so that focus, scroll and open
// details survive; routes and places of the map are exchanged whole.

import { markBody } from "./body_marks.js";

const SVG = "http://www.w3.org/2000/svg";

export function put(fragments) {
  const held = document.activeElement;
  const home = held?.closest?.("[id]")?.id;
  for (const [id, html] of Object.entries(fragments)) {
    if (id.endsWith("+")) addTo(id.slice(0, -1), html);
    else if (/^(route|place)-\d+$/.test(id)) putPart(id, html);
    else putElement(id, html);
  }
  markBody();
  // Whoever had something focused that is gone now goes on with what is asked.
  if (held && held !== document.body && !held.isConnected) {
    const again = home && document.getElementById(home);
    (again?.matches("button:not([aria-disabled])") ? again : document.getElementById("question"))?.focus({
      preventScroll: true,
    });
  }
}

// More lines for a list that has grown.
function addTo(id, html) {
  document.querySelector(`#${id} ol`)?.insertAdjacentHTML("beforeend", html);
}

function putElement(id, html) {
  const current = document.getElementById(id);
  if (!current) return;
  const box = document.createElement("template");
  box.innerHTML = html;
  const next = box.content.firstElementChild;
  if (!next) return;
  if (id !== "board") return grow(current, next);
  const { route, place } = document.activeElement?.dataset ?? {};
  current.replaceWith(next);
  const again = route ? `[data-route="${route}"]` : place ? `[data-place="${place}"]` : null;
  if (again) next.querySelector(again)?.focus({ preventScroll: true });
}

function putPart(id, svg) {
  const [kind, number] = id.split("-");
  const current = document.querySelector(`#board [data-${kind}="${number}"]`);
  if (!current) return;
  const box = document.createElementNS(SVG, "svg");
  box.innerHTML = svg;
  const next = box.firstElementChild;
  for (const mark of ["can", "wanted", "goal", "held", "suit", "lit", "pinned"]) if (current.classList.contains(mark)) next.classList.add(mark);
  if (next.classList.contains("owned") && !current.classList.contains("owned")) next.classList.add("fresh");
  next.setAttribute("tabindex", current.getAttribute("tabindex"));
  const focused = current === document.activeElement;
  current.replaceWith(next);
  if (focused) next.focus({ preventScroll: true });
}

const OURS = ["told", "all-told", "folded", "shown"]; // classes that belong to the page, not to the server
const ANSWERS = ["data-combine", "data-actions", "name", "value"];

function grow(current, next) {
  if (current.isEqualNode(next)) return;
  if (current.nodeType !== next.nodeType || current.nodeName !== next.nodeName || current.id !== next.id) {
    current.replaceWith(next);
    return;
  }
  if (current.nodeType !== Node.ELEMENT_NODE) {
    current.nodeValue = next.nodeValue;
    return;
  }
  // A form somebody is filling in stays as it is while it asks the same; for another question it begins anew.
  if (current.matches("[data-combine],[data-actions],select,input")) {
    if (ANSWERS.some((name) => current.getAttribute(name) !== next.getAttribute(name))) current.replaceWith(next);
    return;
  }
  for (const mark of OURS) if (current.classList.contains(mark)) next.classList.add(mark);
  for (const { name } of [...current.attributes]) {
    const ours = name === "data-telling" || (name === "open" && current.nodeName === "DETAILS");
    if (!next.hasAttribute(name) && !ours) current.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  growChildren(current, [...next.childNodes]);
}

function growChildren(current, wanted) {
  let old = current.firstChild;
  for (const next of wanted) {
    const moved = next.id && current.querySelector(`:scope > #${CSS.escape(next.id)}`);
    if (moved && moved !== old) current.insertBefore(moved, old);
    const match = moved || old;
    if (!match) {
      current.append(next);
    } else {
      old = match.nextSibling;
      grow(match, next);
    }
  }
  while (old) {
    const after = old.nextSibling;
    old.remove();
    old = after;
  }
}
