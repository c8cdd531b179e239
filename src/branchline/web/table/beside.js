// Where a box stands that speaks of something on the page: beside it, within the window, and over neither the thing itself
// nor what must stay in sight.

const GAP = 14;

function overlap(one, other) {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

// Puts a box of the window beside a thing; `clear` are elements it should not cover.
export function standBeside(box, target, clear = []) {
  const { offsetWidth: wide, offsetHeight: high } = box;
  const about = target.getBoundingClientRect();
  const [x, y] = [(about.left + about.right) / 2, (about.top + about.bottom) / 2];
  const bounds = document.getElementById("bar")?.getBoundingClientRect().bottom ?? 0;
  const inside = (value, low, high) => Math.min(Math.max(value, low), Math.max(high, low));
  const kept = clear.filter(Boolean).map((element) => element.getBoundingClientRect()).filter((rect) => rect.width);
  const spots = [
    [about.right + GAP, y - high / 2], [about.left - GAP - wide, y - high / 2],
    [x - wide / 2, about.top - GAP - high], [x - wide / 2, about.bottom + GAP],
    [about.right + GAP, about.top - high], [about.left - GAP - wide, about.top - high],
    [4, bounds + 4], [innerWidth - wide - 4, bounds + 4],
  ].map(([left, top], rank) => {
    const at = { left: inside(left, 4, innerWidth - wide - 4), top: inside(top, bounds + 4, innerHeight - high - 4) };
    const taken = { ...at, right: at.left + wide, bottom: at.top + high };
    const covers = 3 * overlap(taken, about) + kept.reduce((sum, rect) => sum + overlap(taken, rect), 0);
    return { at, cost: covers + rank };
  });
  const { at } = spots.reduce((best, spot) => (spot.cost < best.cost ? spot : best));
  Object.assign(box.style, { left: `${at.left}px`, top: `${at.top}px`, right: "auto", bottom: "auto", margin: "0", transform: "none" });
}
