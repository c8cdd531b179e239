// What the server suggests when it is asked to: tickets dealt to the decks, colours, lengths and so on, each as a step.

import { post } from "./editor_requests.js";

export function editorSuggestions(editor) {
  const { say } = editor;
  const deal = document.getElementById("deal");
  let shown = ""; // the decks in the form

  deal?.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(deal));
    const count = Object.entries(fields).reduce((sum, [name, text]) => (name.startsWith("deck ") ? sum + (Number(text) || 0) : sum), 0);
    suggest({ what: "deal", ...fields }, say("dealt", { count }));
  });
  document.addEventListener("click", ({ target }) => {
    const suggestion = target.closest?.("[data-suggest]")?.dataset.suggest;
    if (suggestion) suggest({ what: suggestion }, say(suggestion));
  });

  async function suggest(fields, name) {
    try {
      await editor.settled();
      const answer = await post(editor, "suggest", fields);
      const suggested = await answer.json();
      if (!answer.ok) editor.notice(suggested.why ?? say("failed"), true);
      else if (editor.perform(name, suggested.step.edits)) editor.hint(say("done", { name }));
      else editor.notice(say("nothing"));
    } catch {
      editor.notice(say("failed"));
    }
  }

  // How many tickets each deck is dealt.
  function draw() {
    const box = document.getElementById("deal-decks");
    const { tickets } = editor.draft.settings;
    const decks = Array.isArray(tickets?.decks) ? tickets.decks.filter((deck) => typeof deck === "string") : [];
    const names = decks.length ? decks : ["tickets"];
    if (!box || shown === names.join()) return;
    shown = names.join();
    box.replaceChildren(...names.map((deck) => deckField(box.dataset.label, deck, names.length > 1)));
  }

  return { draw };
}

function deckField(text, deck, several) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { name: `deck ${deck}`, inputMode: "numeric", maxLength: 3, required: true, value: several && deck === "long" ? "6" : "30" });
  label.append(several ? `${text} (${deck})` : text, " ", input);
  return label;
}
