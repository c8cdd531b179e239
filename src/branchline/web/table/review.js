// The largest mistakes on the end screen: asked for as long as the game is being analysed.

import { address } from "../core/browser/address.js";
import { put } from "../core/browser/fragments.js";
import { showKept } from "../core/browser/thinking.js";

let waiting = null;

export function followReview() {
  const review = document.getElementById("review");
  if (!review?.dataset.again || waiting) return;
  waiting = setTimeout(ask, 1000 * Number(review.dataset.again));
}

async function ask() {
  waiting = null;
  try {
    const answer = await fetch(address(`/t/${document.body.dataset.room}/review`));
    if (!answer.ok) return;
    put({ review: await answer.text() });
    showKept();
  } catch {
    return; // without a network there is nothing new; the link to the analysis stays
  }
  followReview();
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-review-form]");
  if (!form) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (answer.ok) ask();
  else form.submit(); // the page says why
});
