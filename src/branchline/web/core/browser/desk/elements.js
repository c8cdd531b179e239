// Elements made by program.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

// `properties` are attributes; of these, functions are listeners, and false or null ones are left out.
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

export function drawn(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function filled(parent, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") parent.addEventListener(key, value);
    else if (value !== false && value !== null && value !== undefined) parent.setAttribute(key, value === true ? "" : value);
  }
  parent.append(...children.filter((child) => child !== null && child !== false));
  return parent;
}

// The sign of a seat: its colour, and its number.
export function badge(seat) {
  const sign = drawn("svg", { class: `badge p-${seat}`, viewBox: "0 0 22 22", "aria-hidden": "true", focusable: "false" });
  sign.append(drawn("use", { href: `#s-badge${seat}` }), drawn("text", { x: 11, y: 15.2, "text-anchor": "middle", "font-size": 12, "font-weight": 700, fill: "#33302a" }, String(seat + 1)));
  return sign;
}
