// The coach beside the table: it speaks when it is asked, and before a move that gives much away.

import { cookieName, cookiePath } from "../../core/browser/address.js";
import { workedOut } from "../../core/browser/thinking.js";

const YEAR = 365 * 86400;

const panel = () => document.getElementById("coach");

export function followCoach(changed) {
  document.addEventListener("click", (event) => {
    event.target.closest?.("[data-on]")?.closest("details.menu")?.removeAttribute("open");
    if (!event.target.closest?.("[data-coach=close]")) return;
    panel().hidden = true; // until it has something new to say
    document.getElementById("hint")?.focus();
    changed();
  });
}

// A warning has come: whoever plays by keyboard or ear goes on there.
export function cautioned() {
  panel().focus();
}

let thought = { work: "", ended: new AbortController() };

// Where the server leaves it to this browser, the coach thinks here.
export async function thinkAlong(send) {
  const { work = "", step } = panel().dataset;
  if (work === thought.work) return;
  thought.ended.abort();
  const mine = (thought = { work, ended: new AbortController() });
  if (!work) return;
  const found = await workedOut(JSON.parse(work), undefined, mine.ended.signal);
  if (thought === mine) send({ do: "found", version: Number(step), found: found ?? "" });
}

// What a button switches on or off; that one wants to be warned is remembered by the browser.
export function wishes({ dataset }) {
  if (dataset.on === undefined) return {};
  const on = dataset.on === "1";
  if (dataset.do === "tutor") {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${cookieName("tutor")}=${on ? "on" : ""}; path=${cookiePath}; max-age=${on ? YEAR : 0}; samesite=lax${secure}`;
  }
  return { on };
}
