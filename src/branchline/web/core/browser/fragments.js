// Puts fragments where they belong. HTML is grown into what stands there already, so that focus, scroll and open
// details survive; routes and places of the map are exchanged whole.

const SVG = "http://www.w3.org/2000/svg";

export function put(fragments) {
  const held = document.activeElement;
  const home = held?.closest?.("[id]")?.id;
  for (const [id, html] of Object.entries(fragments)) {
    if (id.endsWith("+")) addTo(id.slice(0, -1), html);
    else if (/^(route|place)-\d+$/.test(id)) putPart(id, html);
    else putElement(id, html);
  }
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
  const here = document.getElementById(id);
  if (!here) return;
  const box = document.createElement("template");
  box.innerHTML = html;
  const next = box.content.firstElementChild;
  if (!next) return;
  if (id !== "board") return grow(here, next);
  const { route, place } = document.activeElement?.dataset ?? {};
  here.replaceWith(next);
  const again = route ? `[data-route="${route}"]` : place ? `[data-place="${place}"]` : null;
  if (again) next.querySelector(again)?.focus({ preventScroll: true });
}

function putPart(id, svg) {
  const [kind, number] = id.split("-");
  const here = document.querySelector(`#board [data-${kind}="${number}"]`);
  if (!here) return;
  const box = document.createElementNS(SVG, "svg");
  box.innerHTML = svg;
  const next = box.firstElementChild;
  for (const mark of ["can", "wanted", "goal", "held", "suit", "lit", "pinned"]) if (here.classList.contains(mark)) next.classList.add(mark);
  if (next.classList.contains("owned") && !here.classList.contains("owned")) next.classList.add("fresh");
  next.setAttribute("tabindex", here.getAttribute("tabindex"));
  const focused = here === document.activeElement;
  here.replaceWith(next);
  if (focused) next.focus({ preventScroll: true });
}

const OURS = ["told", "all-told", "folded", "shown"]; // classes that belong to the page, not to the server
const ANSWERS = ["data-combine", "data-actions", "name", "value"];

function grow(here, next) {
  if (here.isEqualNode(next)) return;
  if (here.nodeType !== next.nodeType || here.nodeName !== next.nodeName || here.id !== next.id) {
    here.replaceWith(next);
    return;
  }
  if (here.nodeType !== Node.ELEMENT_NODE) {
    here.nodeValue = next.nodeValue;
    return;
  }
  // A form somebody is filling in stays as it is while it asks the same; for another question it begins anew.
  if (here.matches("[data-combine],[data-actions],select,input")) {
    if (ANSWERS.some((name) => here.getAttribute(name) !== next.getAttribute(name))) here.replaceWith(next);
    return;
  }
  for (const mark of OURS) if (here.classList.contains(mark)) next.classList.add(mark);
  for (const { name } of [...here.attributes]) {
    const ours = name === "data-telling" || (name === "open" && here.nodeName === "DETAILS");
    if (!next.hasAttribute(name) && !ours) here.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  growChildren(here, [...next.childNodes]);
}

function growChildren(here, wanted) {
  let old = here.firstChild;
  for (const next of wanted) {
    const moved = next.id && here.querySelector(`:scope > #${CSS.escape(next.id)}`);
    if (moved && moved !== old) here.insertBefore(moved, old);
    const match = moved || old;
    if (!match) {
      here.append(next);
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
