// The end is told component by component: bars race, each ticket lights on the map as it counts, the longest trail unrolls,
// then whoever has won is named. It is told once; whoever is in a hurry, or wants no motion, sees all of it at once.

import { storedAs } from "./address.js";
import { light } from "./highlights.js";
import { still } from "./motion.js";

const FIRST = 700; // ms
const PAUSE = 900; // for a component
const EACH = 550; // for a ticket within it
const KEPT = 40; // tables that are remembered as told
const KEY = storedAs("branchline told");

// Whether the end of this table was told in this browser before; from now on it was.
function toldBefore(room) {
  if (!room) return true;
  try {
    const rooms = JSON.parse(localStorage.getItem(KEY)) ?? [];
    if (rooms.includes(room)) return true;
    localStorage.setItem(KEY, JSON.stringify([...rooms, room].slice(-KEPT)));
  } catch {
    // this browser keeps nothing: then it is told again
  }
  return false;
}

// `once`: the table that is told in a browser one time only; without one, everything is there at once.
export function tellEnd(once = null) {
  const end = document.getElementById("end");
  if (end.hidden || end.dataset.telling) return;
  end.dataset.telling = "yes";
  const race = raceOf(end);
  const steps = [...end.querySelectorAll("[data-step]")];
  if (toldBefore(once) || still()) {
    race.all();
    return showAll(end);
  }
  race.start();
  tell(end, steps, race);
}

export function showAll(end) {
  for (const step of end.querySelectorAll("[data-step]")) step.classList.add("told");
  end.classList.add("all-told");
  end.querySelector(".told-all")?.scrollTo(0, 0); // the names, from which it was scrolled away while it was told
  light("", "telling");
}

async function tell(end, steps, race) {
  const pause = (ms) => new Promise((go) => setTimeout(go, ms));
  const skipped = () => end.classList.contains("all-told") || !end.isConnected;
  await pause(FIRST);
  for (const step of steps) {
    if (skipped()) break;
    step.classList.add("told");
    step.scrollIntoView({ block: "nearest", behavior: "smooth" });
    const details = [...step.querySelectorAll("[data-highlights]")];
    const apart = details.some((detail) => detail.dataset.highlights.includes("place-"));
    if (apart) {
      for (const detail of details) {
        if (skipped()) break;
        light(detail.classList.contains("bad") ? "" : detail.dataset.highlights, "telling");
        detail.classList.add("counts");
        race.add(detail.closest("[data-detail]").dataset.detail, numberIn(detail.querySelector("b").textContent));
        await pause(EACH);
        detail.classList.remove("counts");
      }
    } else light(details.map((detail) => detail.dataset.highlights).join(" "), "telling");
    race.settle(step);
    await pause(PAUSE);
  }
  race.all();
  showAll(end);
}

const numberIn = (text) => Number(text.replace("−", "-").replace("+", "")) || 0;

// The bars: how far each seat has come, of the most that any reaches.
function raceOf(end) {
  const lanes = [...end.querySelectorAll(".race li")];
  const now = lanes.map(() => 0); // as it is told
  const counted = lanes.map(() => 0); // by whole components
  const most = Math.max(1, ...lanes.map((lane) => Number(lane.dataset.total)));
  const show = () => {
    lanes.forEach((lane, seat) => {
      lane.querySelector("rect").setAttribute("width", Math.max(0, Math.min(100, (100 * now[seat]) / most)));
      lane.querySelector("b").textContent = String(now[seat]).replace("-", "−");
    });
  };
  return {
    start: show,
    add(seat, points) {
      now[seat] += points;
      show();
    },
    settle(step) {
      const points = step.dataset.points?.split(" ") ?? [];
      points.forEach((value, seat) => (now[seat] = counted[seat] += Number(value)));
      show();
    },
    all() {
      lanes.forEach((lane, seat) => (now[seat] = Number(lane.dataset.total)));
      show();
      for (const lane of [...lanes].sort((first, second) => second.dataset.total - first.dataset.total)) lane.parentElement.append(lane);
    },
  };
}
