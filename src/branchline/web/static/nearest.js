// What a tap on the map means. A finger is wider than a line, so the nearest line counts, those that may be claimed first;
// where two lie about as near, both are meant.

const REACH = 14; // pixels from the tap within which something is meant
const CLOSE = 8; // pixels by which another thing may lie farther off than the nearest, and still be offered
const MOST = 5; // things that are offered
const STEP = 20; // units of the drawing between two points of a line

const lines = new WeakMap(); // path: points along it, in units of the drawing

function pointsOf(path) {
  if (!lines.has(path)) {
    const length = path.getTotalLength();
    const count = Math.max(1, Math.ceil(length / STEP));
    lines.set(path, Array.from({ length: count + 1 }, (_, n) => path.getPointAtLength((length * n) / count)));
  }
  return lines.get(path);
}

function toSegment(x, y, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a.x - along * dx, y - a.y - along * dy);
}

function toLine(path, x, y) {
  const screen = path.getScreenCTM();
  const points = pointsOf(path).map((point) => point.matrixTransform(screen));
  return points.slice(1).reduce((least, point, n) => Math.min(least, toSegment(x, y, points[n], point)), Infinity);
}

function toPlace(place, x, y) {
  const box = place.querySelector(".p")?.getBoundingClientRect();
  return box ? Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2) : Infinity;
}

// The ids of what a tap may mean, the likeliest first: none, one, or several to choose from.
export function meantBy(x, y) {
  const things = [...document.querySelectorAll("#board [data-route], #board [data-place]")].map((one) => {
    const { route, place } = one.dataset;
    const far = route ? toLine(one.querySelector(".hit"), x, y) : toPlace(one, x, y);
    return { id: route ? `route-${route}` : `place-${place}`, can: one.classList.contains("can"), far };
  });
  const near = things.filter((one) => one.far <= REACH).sort((one, other) => one.far - other.far);
  const able = near.filter((one) => one.can);
  if (!able.length) return near.slice(0, 1).map((one) => one.id);
  return able.filter((one) => one.far < able[0].far + CLOSE).slice(0, MOST).map((one) => one.id);
}
