// Where a dealt table begins: as many names as the edition takes, and the tables that were opened on this phone.

import { keptTables } from "./deal_kept.js";
import { rememberedNames, rememberNames } from "../core/browser/names.js";

const form = document.querySelector(".new-game");
const fields = [...form.querySelectorAll(".deal-names input")];

function follow() {
  const most = Number(form.elements.board.selectedOptions[0].dataset.most);
  fields.forEach((field, n) => {
    field.closest("label").hidden = n >= most;
    field.disabled = n >= most;
  });
}

const names = rememberedNames();
if (!fields.some((field) => field.value)) fields.forEach((field, n) => (field.value = (names[n] ?? "").slice(0, 24)));
form.elements.board.addEventListener("change", follow);
form.addEventListener("submit", () => rememberNames(fields.filter((field) => !field.disabled).map((field) => field.value)));
follow();

const kept = document.getElementById("kept");
for (const table of keptTables()) {
  const link = document.createElement("a");
  link.href = table.path;
  const title = document.createElement("b");
  title.textContent = String(table.title).slice(0, 60);
  const name = document.createElement("span");
  name.textContent = String(table.name).slice(0, 40);
  const when = document.createElement("em");
  when.textContent = new Date(table.at).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
  link.append(title, " ", name, " ", when);
  const line = document.createElement("li");
  line.append(link);
  kept.querySelector("ul").append(line);
  kept.hidden = false;
}
