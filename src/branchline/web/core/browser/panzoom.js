// The map under the finger: drag, wheel, pinch, double tap, buttons. The ground is moved by one transform; while a
// gesture lasts the picture is only stretched, afterwards it is drawn sharp.

const MOST = 9;
const LEAST = 0.6;
const SLACK = 6; // px a press may wander and still be a tap
const PANEL = 60; // px at the left of the map from which on a panel stands there
const SETTLED = 180; // ms without a movement

// `doubled`: whether a double press zooms; not where single ones come in quick succession.
export function panzoom(stage, ground, { doubled = true } = {}) {
  const map = new MovedMap(stage, ground);
  followFingers(map, stage);
  stage.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      map.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...map.inside(event.clientX, event.clientY));
    },
    { passive: false },
  );
  if (doubled) stage.addEventListener("dblclick", (event) => map.zoom(1.8, ...map.inside(event.clientX, event.clientY)));
  new ResizeObserver(() => map.resized()).observe(stage);
  map.fit();
  return map;
}

// One finger drags, two pinch.
function followFingers(map, stage) {
  const fingers = new Map();
  let wandered = 0;

  stage.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) wandered = 0;
  });
  addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const now = [event.clientX, event.clientY];
    wandered += Math.hypot(now[0] - last[0], now[1] - last[1]);
    if (wandered < SLACK) return;
    stage.setPointerCapture?.(event.pointerId);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
      const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      if (before > 0) map.zoom(after / before, ...map.inside(...other));
    } else map.drag(now[0] - last[0], now[1] - last[1]);
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => fingers.delete(event.pointerId));
  // What was a drag is no press on a route.
  stage.addEventListener("click", (event) => wandered >= SLACK && event.stopPropagation(), true);
}

// Where a map is drawn in its room, and how large.
class MovedMap {
  #at = { x: 0, y: 0, scale: 1 };
  #drawn = new Set(); // who wants to know how large the map is drawn
  #base = { width: 1, height: 1 };
  #free = { left: 0, top: 0, width: 1, height: 1 };
  #fitted = true;
  #whole = false; // fitted into the part that is in sight
  #opened = null; // what the map was opened at, until somebody moves it
  #settle;

  constructor(stage, ground) {
    this.stage = stage;
    this.ground = ground;
  }

  #measure(sight = false) {
    const svg = this.ground.querySelector("svg.branchline");
    const box = svg.viewBox.baseVal;
    this.#free = sight ? inSight(this.stage) : freeRoom(this.stage);
    const scale = Math.min(this.#free.width / box.width, this.#free.height / box.height);
    this.#base = { width: box.width * scale, height: box.height * scale };
    this.ground.style.width = `${this.#base.width}px`;
    this.ground.style.height = `${this.#base.height}px`;
  }

  #draw(moving = false) {
    this.ground.style.transform = `translate(${this.#at.x}px,${this.#at.y}px) scale(${this.#at.scale})`;
    if (!moving) return this.#tell();
    this.ground.style.willChange = "transform";
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      this.ground.style.willChange = "";
      this.#tell();
    }, SETTLED);
  }

  #tell() {
    for (const redraw of this.#drawn) redraw();
  }

  #keepInside() {
    this.#at.scale = Math.min(Math.max(this.#at.scale, LEAST), MOST);
    const room = this.stage.getBoundingClientRect();
    const [wide, high] = [this.#base.width * this.#at.scale, this.#base.height * this.#at.scale];
    this.#at.x = Math.min(Math.max(this.#at.x, Math.min(this.#free.left - wide * 0.5, room.width * 0.5 - wide)), room.width * 0.5);
    this.#at.y = Math.min(Math.max(this.#at.y, Math.min(this.#free.top - high * 0.5, room.height * 0.5 - high)), room.height * 0.5);
  }

  // `sight`: in the part of the room on which no question lies now.
  fit(sight = false) {
    this.#measure(sight);
    this.#whole = sight;
    this.#at.scale = 1;
    this.#at.x = this.#free.left + (this.#free.width - this.#base.width) / 2;
    this.#at.y = this.#free.top + (this.#free.height - this.#base.height) / 2;
    this.#fitted = true;
    this.#opened = null;
    this.#draw();
  }

  // Where nothing stands at its left, as on phones, a map that is much broader than its room is opened as high as the
  // room, around these elements. Between panels it would go on beneath them and look cut: there it is seen whole.
  open(elements) {
    this.fit();
    const by = Math.min(this.#free.height / this.#base.height, 2.6);
    if (by < 1.15 || this.#free.left > PANEL) return;
    const middle = elements.length ? this.#centre(elements) : [this.#at.x + this.#base.width / 2, this.#at.y + this.#base.height / 2];
    const share = [(middle[0] - this.#at.x) / this.#base.width, (middle[1] - this.#at.y) / this.#base.height];
    this.#at.scale = by;
    const [wide, high] = [this.#base.width * by, this.#base.height * by];
    this.#at.x = this.#free.left + Math.min(0, Math.max(this.#free.width - wide, this.#free.width / 2 - share[0] * wide));
    this.#at.y = this.#free.top + (this.#free.height - high) / 2;
    this.#fitted = false;
    this.#opened = elements;
    this.#draw();
  }

  #centre(elements) {
    const { left, right, top, bottom } = boundsOf(elements);
    return this.inside((left + right) / 2, (top + bottom) / 2);
  }

  // So near that these can be read and pressed, but no nearer than that they and some land around them are seen.
  closeUp(elements, least = 2) {
    if (!elements.length || freeRoom(this.stage).left > PANEL) return;
    this.fit();
    const { left, right, top, bottom } = boundsOf(elements);
    const by = Math.min(this.#free.width / (1.6 * (right - left) + 20), this.#free.height / (1.6 * (bottom - top) + 20), least);
    if (by <= 1.1) return;
    const [x, y] = this.#centre(elements);
    this.#at.scale = by;
    this.#at.x = this.#free.left + this.#free.width / 2 - (x - this.#at.x) * by;
    this.#at.y = this.#free.top + this.#free.height / 2 - (y - this.#at.y) * by;
    this.#fitted = false;
    this.#opened = null;
    this.#keepInside();
    this.#draw();
  }

  // From the window to the stage.
  inside(x, y) {
    const corner = this.stage.getBoundingClientRect();
    return [x - corner.left, y - corner.top];
  }

  zoom(by, x = this.#free.left + this.#free.width / 2, y = this.#free.top + this.#free.height / 2) {
    const before = this.#at.scale;
    this.#at.scale = Math.min(Math.max(this.#at.scale * by, LEAST), MOST);
    by = this.#at.scale / before;
    this.#at.x = x - (x - this.#at.x) * by;
    this.#at.y = y - (y - this.#at.y) * by;
    this.#fitted = false;
    this.#opened = null;
    this.#keepInside();
    this.#draw(true);
  }

  // Move, and if need be step back, until these elements can be seen.
  show(elements) {
    const room = inSight(this.stage);
    if (!elements.length || (this.#fitted && room.height >= this.#free.height)) return;
    this.#free = room;
    const bounds = boundsOf(elements);
    const [left, top] = this.inside(bounds.left, bounds.top);
    const [right, bottom] = this.inside(bounds.right, bounds.bottom);
    if (left >= room.left && right <= room.left + room.width && top >= room.top && bottom <= room.top + room.height) return;
    const by = Math.min(1, (room.width * 0.9) / (right - left), (room.height * 0.9) / (bottom - top));
    if (this.#at.scale * by <= 1.02) return this.fit(true);
    this.zoom(by, (left + right) / 2, (top + bottom) / 2);
    this.#at.x += room.left + room.width / 2 - (left + right) / 2;
    this.#at.y += room.top + room.height / 2 - (top + bottom) / 2;
    this.#keepInside();
    this.#draw(true);
  }

  drag(x, y) {
    this.#at.x += x;
    this.#at.y += y;
    this.#fitted = false;
    this.#opened = null;
    this.#keepInside();
    this.#draw(true);
  }

  refit() {
    if (this.#fitted) this.fit();
  }

  // Its room has another size.
  resized() {
    if (this.#fitted) return this.fit(this.#whole);
    if (this.#opened) return this.open(this.#opened.filter((element) => element.isConnected));
    this.#measure();
    this.#keepInside();
    this.#draw();
  }

  onDraw(redraw) {
    this.#drawn.add(redraw);
    redraw();
  }
}

// Of several elements together, in the window.
function boundsOf(elements) {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const all = (side) => boxes.map((box) => box[side]);
  return { left: Math.min(...all("left")), right: Math.max(...all("right")), top: Math.min(...all("top")), bottom: Math.max(...all("bottom")) };
}

// The room of the map above the question, where that lies on the map.
function inSight(stage) {
  const room = freeRoom(stage);
  const sheet = document.querySelector("#question.asked")?.getBoundingClientRect();
  if (!sheet?.height) return room;
  const { left, top } = stage.getBoundingClientRect();
  const over = sheet.left - left < room.left + room.width && sheet.right - left > room.left;
  const height = sheet.top - top - room.top;
  return over && height < room.height ? { ...room, height: Math.max(height, 80) } : room;
}

// The room of the map: the padding of the stage where it has one, which follows from the window alone; elsewhere what the
// panels at the edges leave of the window.
function freeRoom(stage) {
  const room = stage.getBoundingClientRect();
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(stage);
  const [left, right, top, bottom] = [paddingLeft, paddingRight, paddingTop, paddingBottom].map(parseFloat);
  if (top > 0) {
    return { left, top, width: Math.max(room.width - left - right, 80), height: Math.max(room.height - top - bottom, 80) };
  }
  const edge = { left: 0, right: room.width, top: 0, bottom: room.height };
  for (const panel of document.querySelectorAll("[data-inset]")) {
    const box = panel.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const style = getComputedStyle(panel);
    if (style.visibility === "hidden") continue;
    const side = style.getPropertyValue("--inset").trim() || panel.dataset.inset;
    if (side === "left") edge.left = Math.max(edge.left, box.right - room.left);
    else if (side === "right") edge.right = Math.min(edge.right, box.left - room.left);
    else if (side === "top") edge.top = Math.max(edge.top, box.bottom - room.top);
    else if (side === "bottom") edge.bottom = Math.min(edge.bottom, box.top - room.top);
  }
  const air = 6;
  return {
    left: edge.left + air,
    top: edge.top + air,
    width: Math.max(edge.right - edge.left - 2 * air, 80),
    height: Math.max(edge.bottom - edge.top - 2 * air, 80),
  };
}
