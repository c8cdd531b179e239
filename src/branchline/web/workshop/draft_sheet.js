// Where the places of a draft lie on the sheet of its map.

const RADIANS = Math.PI / 180;

// As `draw.projection.Mercator`: degrees on a sheet of these bounds, and back.
export function onSheet({ width, height, bounds: [west, south, east, north] }, lat, lon) {
  const counted = lon + 360 * Math.round(((west + east) / 2 - lon) / 360);
  const [top, bottom] = [mercator(north), mercator(south)];
  return [((counted - west) / (east - west)) * width, ((top - mercator(lat)) / (top - bottom)) * height];
}

export function offSheet({ width, height, bounds: [west, south, east, north] }, [x, y]) {
  const [top, bottom] = [mercator(north), mercator(south)];
  const lat = Math.atan(Math.sinh(top - (y / height) * (top - bottom))) / RADIANS;
  const lon = west + (x / width) * (east - west);
  return [lat, ((((lon + 180) % 360) + 360) % 360) - 180];
}

function mercator(lat) {
  return Math.asinh(Math.tan(Math.min(Math.max(lat, -84), 84) * RADIANS));
}

// Of a draft the places that lie somewhere; a table `layout` goes before degrees.
export function pointsOf(draft, ground) {
  const sheet = new Map([...draft.tables.layout.values()].map((cells) => [cells.name, cells]));
  const points = new Map();
  for (const [row, cells] of draft.tables.cities) {
    const nudge = [number(cells.nudge_x) ?? 0, number(cells.nudge_y) ?? 0];
    let point = null;
    if (!ground.bounds) {
      const at = sheet.get(cells.name);
      const [x, y] = [number(at?.x), number(at?.y)];
      if (x !== null && y !== null) point = [x * ground.width, y * ground.height];
    } else {
      const [lat, lon] = [number(cells.lat), number(cells.lon)];
      if (lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) point = onSheet(ground, lat, lon);
    }
    if (point) points.set(row, [point[0] + nudge[0], point[1] + nudge[1]]);
  }
  return points;
}

function number(text) {
  const number = text === undefined || text === "" ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}
