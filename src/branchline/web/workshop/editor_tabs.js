// The tabs of the panel: one list is shown at a time.

const TABS = { cities: "cities", layout: "cities", names: "cities", passengers: "cities", routes: "routes", exits: "routes", tickets: "tickets", tours: "tickets", settings: "rules" };

export function editorTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];

  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const now = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(tabs.at(to % tabs.length)).focus();
  });

  function choose(tab) {
    for (const button of tabs) {
      const chosen = button === tab;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      document.getElementById(button.getAttribute("aria-controls")).hidden = !chosen;
    }
    return tab;
  }

  // To the first thing that is typed or pressed in a list.
  function enter(n) {
    choose(tabs[n]);
    const panel = document.getElementById(tabs[n].getAttribute("aria-controls"));
    const first = panel.querySelector('input:not([disabled]), .rows button[tabindex="0"]');
    (first ?? tabs[n]).focus();
  }

  return { choose, enter, search };
}

// The tab under which a table or the rules stand; null for other files.
export function tabOf(table) {
  return document.getElementById(`tab-${TABS[table]}`);
}

// To the search of the list that is shown; false: it has none.
function search() {
  const field = document.querySelector("[role=tabpanel]:not([hidden]) [data-search]");
  field?.focus();
  return Boolean(field);
}
