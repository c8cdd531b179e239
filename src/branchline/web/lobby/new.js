// The form for a new game: shows as many seats as were chosen, and of each only what matters.

const form = document.querySelector(".new-game");
const board = form.elements.board;
const seats = form.elements.seats;

function follow() {
  const { from, to } = board.selectedOptions[0].dataset;
  for (const option of seats.options) option.hidden = option.disabled = option.value < +from || option.value > +to;
  if (seats.selectedOptions[0]?.disabled !== false) seats.value = to;
  for (const row of form.querySelectorAll("[data-seat]")) {
    const exists = Number(row.dataset.seat) < Number(seats.value);
    row.hidden = row.disabled = !exists;
    const kind = row.querySelector("select").value;
    row.querySelector("[data-for=bot]").hidden = kind !== "bot";
    const name = row.querySelector("[data-person]");
    name.placeholder = kind === "bot" ? name.dataset.bot : name.dataset.person;
  }
}

form.addEventListener("change", follow);
follow();
