// The rules are searched in the page itself: the articles that have most words of the search stay. `/` goes to the field,
// Enter or the arrow to the first article found, Escape shows all again. The address keeps what was searched for.

import { worded } from "../core/browser/wording.js";

const SMALL_WORD = 3; // letters of a word that says little: can, the, two
const STEM = 4; // letters that stay of a longer word: cards and card are one

const form = document.getElementById("search");
const field = document.getElementById("words");
const status = document.getElementById("found");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l").toLowerCase();

const chapters = [...document.querySelectorAll(".chapter:has(.article)")].map((section) => ({
  section,
  link: document.querySelector(`.contents a[href="#${section.querySelector("h2").id}"]`).parentElement,
  articles: [...section.querySelectorAll(".article")].map((article) => ({
    article,
    text: plain(`${section.querySelector("h2").textContent} ${article.querySelector(".said").textContent}`),
  })),
}));

// What a question is about: its longer words without their endings; short ones where there are no others.
function sought(question) {
  const words = plain(question).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const longer = words.filter((word) => word.length > SMALL_WORD);
  return (longer.length ? longer : words).map((word) => (word.length > STEM ? word.slice(0, -1) : word));
}

function search() {
  const wanted = sought(field.value);
  const fits = (text) => wanted.filter((word) => text.includes(word)).length;
  const most = Math.max(...chapters.flatMap(({ articles }) => articles.map(({ text }) => fits(text))));
  let count = 0;
  for (const { section, link, articles } of chapters) {
    let shown = 0;
    for (const { article, text } of articles) {
      article.hidden = wanted.length > 0 && (most === 0 || fits(text) < most);
      shown += !article.hidden;
    }
    section.hidden = link.hidden = !shown;
    count += shown;
  }
  const text = count ? worded(JSON.parse(status.dataset.some), { count }) : status.dataset.none;
  status.textContent = wanted.length ? text : "";
  const address = new URL(location.href);
  if (field.value) address.searchParams.set("q", field.value);
  else address.searchParams.delete("q");
  history.replaceState(null, "", address);
}

function first() {
  document.querySelector(".article:not([hidden])")?.focus();
}

field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") {
    event.preventDefault();
    first();
  } else if (event.key === "Escape") {
    field.value = "";
    search();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  first();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  field.focus();
});
// A link to an article that a search has hidden shows everything again.
addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target?.hidden) return;
  field.value = "";
  search();
  target.scrollIntoView();
});

form.hidden = false;
field.value = new URL(location.href).searchParams.get("q") ?? "";
if (field.value) search();
document.body.toggleAttribute("data-live", true);
