// The lines of routes as points, in units of the drawing.

// The drawn line of a route: stretches of points. Over the edge of the map there are several.
export function curveOf(path) {
  return path.split("M").filter(Boolean).map((part) => part.split("L").map((pair) => pair.trim().split(/[ ,]+/).map(Number)));
}

// How far a point is from a line, in units of the drawing.
export function farFrom(curve, { x, y }) {
  let least = Infinity;
  for (const part of curve) {
    for (let n = 1; n < part.length; n += 1) {
      const [[ax, ay], [bx, by]] = [part[n - 1], part[n]];
      const [dx, dy] = [bx - ax, by - ay];
      const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
    }
  }
  return least;
}

// A point in the middle of the longest stretch of a line.
export function middleOf(curve) {
  const part = curve.reduce((longest, part) => (part.length > longest.length ? part : longest));
  return part[Math.floor(part.length / 2)];
}
