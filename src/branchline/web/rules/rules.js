// The rules are searched in the page itself: the articles that answer best stay, the best of them first. `/` goes to the
// field, Enter or the arrow to the first article found, Escape shows all again. The address keeps what was searched for.

import { worded } from "../core/browser/wording.js";
import { answering } from "./search.js";

const NEAR = 0.7; // of the best answer's score, from which another one stays

const form = document.getElementById("search");
const field = document.getElementById("words");
const status = document.getElementById("found");

const chapters = [...document.querySelectorAll(".chapter:has(.article)")].map((section) => ({
  section,
  link: document.querySelector(`.contents a[href="#${section.querySelector("h2").id}"]`).parentElement,
  articles: [...section.querySelectorAll(".article")],
}));
const articles = chapters.flatMap((chapter) => chapter.articles);
const texts = chapters.flatMap((chapter) => {
  const title = chapter.section.querySelector("h2").textContent;
  return chapter.articles.map((article) => `${title} ${article.querySelector(".said").textContent}`);
});

function search() {
  const scores = answering(field.value, texts, form.dataset.small);
  const score = new Map(articles.map((article, n) => [article, scores?.[n] ?? 1]));
  const most = Math.max(...score.values());
  for (const article of articles) article.hidden = !most || score.get(article) < NEAR * most;
  const byScore = (of) => (one, other) => of(other) - of(one); // in the order of the book where they are equal
  const best = (chapter) => Math.max(...chapter.articles.map((article) => score.get(article)));
  for (const { section, link, articles: own } of chapters) {
    section.hidden = link.hidden = own.every((article) => article.hidden);
    section.append(...[...own].sort(byScore((article) => score.get(article))));
  }
  document.querySelector(".chapters").prepend(...[...chapters].sort(byScore(best)).map(({ section }) => section));
  const count = articles.filter((article) => !article.hidden).length;
  const text = count ? worded(JSON.parse(status.dataset.some), { count }) : status.dataset.none;
  status.textContent = scores ? text : "";
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
