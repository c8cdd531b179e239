// Whatever carries data-highlights lights those routes and places of the map: under the mouse, with focus, or pressed.

const LIGHTS = "[data-highlights], #choices [data-glow]";
const lit = (source) => source?.dataset.highlights ?? source?.dataset.glow;

export function thing(id) {
  const [kind, number] = id.split("-");
  return document.querySelector(`#board [data-${kind}="${number}"]`);
}

export function things(ids) {
  return (ids || "").split(" ").filter(Boolean).map(thing).filter(Boolean);
}

// These things of the map, and no others, have a class.
export function mark(name, elements) {
  const wanted = new Set(elements);
  for (const old of document.querySelectorAll(`#board .${name}`)) if (!wanted.has(old)) old.classList.remove(name);
  for (const element of wanted) element.classList.add(name);
}

export function light(ids, name = "lit") {
  const elements = things(ids);
  mark(name, elements);
  return elements;
}

// After an update: what lit something and is gone lights it no longer.
export function tidyLights() {
  if (!document.querySelector("[data-highlights]:is(.shown, .chosen)")) light("", "pinned");
  if (!document.querySelector(`:is(${LIGHTS}):is(:hover, :focus, :focus-within)`)) light("");
}

export function followLights(show) {
  const over = (event) => {
    const source = event.target.closest?.(LIGHTS);
    light(lit(source));
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, over);
  document.addEventListener("click", (event) => {
    const source = event.target.closest?.(LIGHTS);
    if (!source || source.matches("[data-ask]")) return;
    // A press pins the light until something else is pressed: a finger cannot hover.
    const again = source.classList.toggle("shown");
    for (const other of document.querySelectorAll(".shown")) if (other !== source) other.classList.remove("shown");
    source.closest("dialog")?.close();
    const elements = light(again ? lit(source) : "", "pinned");
    // A tick is an answer, no wish to look somewhere; but a finger cannot hover to see where a ticket leads.
    if (!source.matches("label") || event.pointerType === "touch") show(elements);
  });
}
