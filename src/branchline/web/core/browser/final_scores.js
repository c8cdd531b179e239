// The end is told component by component, each with its ways on the map. Whoever is in a hurry, or wants no motion, sees
// all of it at once.

import { light } from "./highlights.js";
import { still } from "./motion.js";

const PAUSE = 1500;

export function tellEnd() {
  const end = document.getElementById("end");
  if (end.hidden || end.dataset.telling) return;
  end.dataset.telling = "yes";
  const steps = [...end.querySelectorAll("[data-step]")];
  if (still()) {
    for (const step of steps) step.classList.add("told");
    end.classList.add("all-told");
    return;
  }
  const next = () => {
    const step = steps.find((one) => !one.classList.contains("told"));
    if (!step) {
      end.classList.add("all-told");
      light("", "telling");
      return;
    }
    step.classList.add("told");
    step.scrollIntoView({ block: "nearest", behavior: "smooth" });
    light([...step.querySelectorAll("[data-highlights]:not(.bad)")].map((one) => one.dataset.highlights).join(" "), "telling");
    setTimeout(next, PAUSE);
  };
  setTimeout(next, 700);
}
