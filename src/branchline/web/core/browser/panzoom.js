// The map under the finger: drag, wheel, pinch, double tap, buttons. The ground is moved by one transform; while a
// gesture lasts the picture is only stretched, afterwards it is drawn sharp.

const MOST = 9;
const SLACK = 6; // px a press may wander and still be a tap
const PANEL = 60; // px at the left of the map from which on a panel stands there

// `doubled`: whether a double press zooms; not where single ones come in quick succession.
export function panzoom(stage, ground, { doubled = true } = {}) {
  const at = { x: 0, y: 0, scale: 1 };
  const drawn = new Set(); // who wants to know how large the map is drawn
  const fingers = new Map();
  let base = { width: 1, height: 1 };
  let free = { left: 0, top: 0, width: 1, height: 1 };
  let wandered = 0;
  let fitted = true;
  let whole = false; // fitted into the part that is in sight
  let opened = null; // what the map was opened at, until somebody moves it
  let settle;

  function measure(sight = false) {
    const svg = ground.querySelector("svg.branchline");
    const box = svg.viewBox.baseVal;
    free = sight ? inSight(stage) : freeRoom(stage);
    const scale = Math.min(free.width / box.width, free.height / box.height);
    base = { width: box.width * scale, height: box.height * scale };
    ground.style.width = `${base.width}px`;
    ground.style.height = `${base.height}px`;
  }

  function draw(moving = false) {
    ground.style.transform = `translate(${at.x}px,${at.y}px) scale(${at.scale})`;
    if (!moving) return tell();
    ground.style.willChange = "transform";
    clearTimeout(settle);
    settle = setTimeout(() => {
      ground.style.willChange = "";
      tell();
    }, 180);
  }

  function tell() {
    for (const redraw of drawn) redraw();
  }

  function keepInside() {
    at.scale = Math.min(Math.max(at.scale, 0.6), MOST);
    const room = stage.getBoundingClientRect();
    const [wide, high] = [base.width * at.scale, base.height * at.scale];
    at.x = Math.min(Math.max(at.x, Math.min(free.left - wide * 0.5, room.width * 0.5 - wide)), room.width * 0.5);
    at.y = Math.min(Math.max(at.y, Math.min(free.top - high * 0.5, room.height * 0.5 - high)), room.height * 0.5);
  }

  // `sight`: in the part of the room on which no question lies now.
  function fit(sight = false) {
    measure(sight);
    whole = sight;
    at.scale = 1;
    at.x = free.left + (free.width - base.width) / 2;
    at.y = free.top + (free.height - base.height) / 2;
    fitted = true;
    opened = null;
    draw();
  }

  // Where nothing stands at its left, as on phones, a map that is much broader than its room is opened as high as the
  // room, around these elements. Between panels it would go on beneath them and look cut: there it is seen whole.
  function open(elements) {
    fit();
    const by = Math.min(free.height / base.height, 2.6);
    if (by < 1.15 || free.left > PANEL) return;
    const middle = elements.length ? centre(elements) : [at.x + base.width / 2, at.y + base.height / 2];
    const share = [(middle[0] - at.x) / base.width, (middle[1] - at.y) / base.height];
    at.scale = by;
    const [wide, high] = [base.width * by, base.height * by];
    at.x = free.left + Math.min(0, Math.max(free.width - wide, free.width / 2 - share[0] * wide));
    at.y = free.top + (free.height - high) / 2;
    fitted = false;
    opened = elements;
    draw();
  }

  function centre(elements) {
    const boxes = elements.map((element) => element.getBoundingClientRect());
    const between = (low, high) => (Math.min(...boxes.map((box) => box[low])) + Math.max(...boxes.map((box) => box[high]))) / 2;
    return inside(between("left", "right"), between("top", "bottom"));
  }

  // So near that these can be read and pressed, but no nearer than that they and some land around them are seen.
  function closeUp(elements, least = 2) {
    if (!elements.length || freeRoom(stage).left > PANEL) return;
    fit();
    const boxes = elements.map((element) => element.getBoundingClientRect());
    const wide = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left));
    const high = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
    const by = Math.min(free.width / (1.6 * wide + 20), free.height / (1.6 * high + 20), least);
    if (by <= 1.1) return;
    const [x, y] = centre(elements);
    at.scale = by;
    at.x = free.left + free.width / 2 - (x - at.x) * by;
    at.y = free.top + free.height / 2 - (y - at.y) * by;
    fitted = false;
    opened = null;
    keepInside();
    draw();
  }

  // From the window to the stage.
  function inside(x, y) {
    const corner = stage.getBoundingClientRect();
    return [x - corner.left, y - corner.top];
  }

  function zoom(by, x = free.left + free.width / 2, y = free.top + free.height / 2) {
    const before = at.scale;
    at.scale = Math.min(Math.max(at.scale * by, 0.6), MOST);
    by = at.scale / before;
    at.x = x - (x - at.x) * by;
    at.y = y - (y - at.y) * by;
    fitted = false;
    opened = null;
    keepInside();
    draw(true);
  }

  // Move, and if need be step back, until these elements can be seen.
  function show(elements) {
    const room = inSight(stage);
    if (!elements.length || (fitted && room.height >= free.height)) return;
    free = room;
    const boxes = elements.map((element) => element.getBoundingClientRect());
    const [left, top] = inside(Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top)));
    const [right, bottom] = inside(
      Math.max(...boxes.map((box) => box.right)),
      Math.max(...boxes.map((box) => box.bottom)),
    );
    const seen =
      left >= free.left && right <= free.left + free.width && top >= free.top && bottom <= free.top + free.height;
    if (seen) return;
    const by = Math.min(1, (free.width * 0.9) / (right - left), (free.height * 0.9) / (bottom - top));
    if (at.scale * by <= 1.02) return fit(true);
    zoom(by, (left + right) / 2, (top + bottom) / 2);
    at.x += free.left + free.width / 2 - (left + right) / 2;
    at.y += free.top + free.height / 2 - (top + bottom) / 2;
    keepInside();
    draw(true);
  }

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
      if (before > 0) zoom(after / before, ...inside(...other));
    } else {
      at.x += now[0] - last[0];
      at.y += now[1] - last[1];
      fitted = false;
      opened = null;
      keepInside();
      draw(true);
    }
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => fingers.delete(event.pointerId));
  // What was a drag is no press on a route.
  stage.addEventListener("click", (event) => wandered >= SLACK && event.stopPropagation(), true);
  stage.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...inside(event.clientX, event.clientY));
    },
    { passive: false },
  );
  if (doubled) stage.addEventListener("dblclick", (event) => zoom(1.8, ...inside(event.clientX, event.clientY)));
  const resized = () => {
    if (fitted) return fit(whole);
    if (opened) return open(opened.filter((element) => element.isConnected));
    measure();
    keepInside();
    draw();
  };
  new ResizeObserver(resized).observe(stage);
  fit();
  return { fit, open, closeUp, zoom, show, refit: () => fitted && fit(), onDraw: (redraw) => (drawn.add(redraw), redraw()) };
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
