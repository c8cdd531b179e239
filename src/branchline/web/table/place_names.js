// Names on the map are never too small to be read: where the map is drawn small they grow, and where they would then lie on
// each other some are left out. Places of the player's tickets keep theirs.

const LEAST = 11; // pixels
const FAR = 2.6; // times a name may grow: beyond that its place is no longer plain
const shapes = new Map(); // data-place → where its name lies around it, in units of the drawing

function shapeOf(place) {
  const key = place.dataset.place;
  if (!shapes.has(key)) {
    const dot = place.querySelector("circle[fill-opacity='0']");
    const [x, y] = [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))];
    const lines = [...place.querySelectorAll(".l")].map((line) => line.getBBox());
    const size = Number(place.querySelector(".l")?.getAttribute("font-size"));
    const edge = (side, by) => Math[by](...lines.map(side));
    shapes.set(key, lines.length && {
      x, y, size,
      left: edge((box) => box.x, "min") - x, right: edge((box) => box.x + box.width, "max") - x,
      top: edge((box) => box.y, "min") - y, bottom: edge((box) => box.y + box.height, "max") - y,
    });
  }
  return shapes.get(key);
}

const grown = ({ x, y, left, right, top, bottom }, by) => ({ left: x + left * by, right: x + right * by, top: y + top * by, bottom: y + bottom * by });
const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

// Whenever the map is drawn at another size, or parts of it anew.
export function fitNames(svg = document.querySelector("#board svg")) {
  const scale = svg.getScreenCTM().a;
  const places = [...svg.querySelectorAll("[data-place]")].map((place) => ({ place, shape: shapeOf(place) })).filter(({ shape }) => shape);
  const kept = [];
  const first = (name) => (name.place.classList.contains("goal") ? 0 : 1);
  for (const { place, shape } of places.sort((one, other) => first(one) - first(other))) {
    const by = Math.min(Math.max(LEAST / (shape.size * scale), 1), FAR);
    const box = grown(shape, by);
    const dots = by > 1 && places.some(({ shape: { x, y } }) => x !== shape.x && meet(box, { left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }));
    const fits = by === 1 || !(kept.some((other) => meet(box, other)) || (dots && !place.matches(".goal")));
    if (fits) kept.push(box);
    place.classList.toggle("unnamed", !fits);
    for (const part of place.querySelectorAll(".l, .figures")) {
      part.style.transformOrigin = by > 1 && fits ? `${shape.x}px ${shape.y}px` : "";
      part.style.transform = by > 1 && fits ? `scale(${by.toFixed(3)})` : "";
    }
  }
  svg.classList.toggle("tiny", 9 * scale < 6); // the legend would be a speck
  for (const sign of svg.querySelectorAll("text.sign")) fitSign(sign, scale);
}

const FRAME = 20; // units of the drawing: no name on the frame is higher

function fitSign(sign, scale) {
  const size = Math.max(Number(sign.getAttribute("font-size")), LEAST / scale);
  sign.style.fontSize = `${Math.min(size, FRAME)}px`;
  sign.style.display = FRAME * scale < LEAST ? "none" : "";
}
