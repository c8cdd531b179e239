// The longest trail of a seat: most spaces in one walk that uses no route twice.
//
// A longest trail is a heaviest connected set of routes with at most two odd places. The routes are swept one by one; the
// front is the places with routes done and routes to come. For every pattern of the front (which of its places are odd,
// which are joined by chosen routes) only the most spaces is kept, so the work grows with the width of the network.

// `routes`: those of one seat. Answers with the spaces, and with the routes of one such trail.
export function longestTrail(board, routes) {
  const lines = inOrder(linesOf(board, routes));
  let best = { spaces: 0, last: null };
  let toCome = lines.reduce((sum, line) => sum + line.spaces, 0);
  const left = new Map();
  for (const { ends } of lines) for (const end of ends) left.set(end, (left.get(end) ?? 0) + 1);
  let front = [];
  let patterns = new Map([["0", { slots: [], ends: 0, spaces: 0, last: null }]]);
  for (const line of lines) {
    toCome -= line.spaces;
    for (const end of line.ends) if (!front.includes(end)) front = enter(end, front, patterns);
    const [a, b] = line.ends.map((end) => front.indexOf(end));
    const next = new Map();
    for (const pattern of patterns.values()) {
      keep(next, pattern, toCome, best);
      keep(next, withLine(pattern, a, b, line), toCome, best);
    }
    patterns = next;
    for (const end of line.ends) {
      left.set(end, left.get(end) - 1);
      if (left.get(end)) continue;
      const slot = front.indexOf(end);
      front = front.filter((one) => one !== end);
      const after = new Map();
      for (const pattern of patterns.values()) {
        const found = leave(pattern, slot);
        if (!found) continue;
        if (!found.ended) keep(after, found, toCome, best);
        else if (found.spaces > best.spaces) best = found;
      }
      patterns = after;
    }
  }
  const found = [];
  for (let one = best.last; one; one = one.before) found.push(one.route);
  return { spaces: best.spaces, routes: found };
}

// Each entry into a country is a point of its own.
function linesOf(board, routes) {
  return routes.map((route) => ({
    route,
    spaces: route.length,
    ends: [route.a, route.b].map((end) => (board.isCountry(end) ? `${end}/${route.index}` : end)),
  }));
}

// So that the front stays narrow: always the point of the front with the fewest lines to come is finished next.
function inOrder(lines) {
  const found = [];
  const open = new Set(lines);
  const degree = (end) => [...open].filter((line) => line.ends.includes(end)).length;
  const front = new Set();
  while (open.size) {
    let nearest = null;
    for (const end of front) {
      const count = degree(end);
      if (!count) front.delete(end);
      else if (!nearest || count < nearest.count) nearest = { end, count };
    }
    if (!nearest) {
      const ends = [...open].flatMap((line) => line.ends);
      front.add(ends.reduce((least, end) => (degree(end) < degree(least) ? end : least)));
      continue;
    }
    for (const line of [...open].filter((one) => one.ends.includes(nearest.end))) {
      open.delete(line);
      found.push(line);
      for (const end of line.ends) front.add(end);
    }
  }
  return found;
}

// A slot of a pattern is {label, odd}; label 0: no chosen line yet.
function enter(end, front, patterns) {
  for (const pattern of patterns.values()) pattern.slots = [...pattern.slots, { label: 0, odd: false }];
  return [...front, end];
}

function withLine(pattern, a, b, line) {
  const slots = pattern.slots.map((slot) => ({ ...slot }));
  const [from, to] = [slots[a].label, slots[b].label];
  const label = from || to || slots.length + 1; // one that none has
  for (const slot of slots) if (slot.label && (slot.label === from || slot.label === to)) slot.label = label;
  for (const n of [a, b]) {
    slots[n].label = label;
    slots[n].odd = !slots[n].odd;
  }
  return { slots, ends: pattern.ends, spaces: pattern.spaces + line.spaces, last: { route: line.route, before: pattern.last } };
}

// When all lines of a point are done it leaves the front. Null: the pattern can be no trail.
function leave(pattern, slot) {
  const gone = pattern.slots[slot];
  const slots = pattern.slots.filter((_, n) => n !== slot);
  const ends = pattern.ends + (gone.odd ? 1 : 0);
  if (ends > 2) return null;
  const found = { slots, ends, spaces: pattern.spaces, last: pattern.last };
  if (!gone.label || slots.some((one) => one.label === gone.label)) return found;
  return slots.some((one) => one.label) ? null : { ...found, ended: true };
}

// Of equal patterns the one with most spaces is kept, and none that cannot beat the best.
function keep(patterns, pattern, toCome, best) {
  if (pattern.spaces + toCome <= best.spaces) return;
  const names = new Map();
  let key = String(pattern.ends);
  for (const slot of pattern.slots) {
    if (slot.label) {
      if (!names.has(slot.label)) names.set(slot.label, names.size + 1);
      slot.label = names.get(slot.label);
    }
    key += `,${slot.label}${slot.odd ? "o" : ""}`;
  }
  const known = patterns.get(key);
  if (!known || known.spaces < pattern.spaces) patterns.set(key, pattern);
}
