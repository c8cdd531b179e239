// Shows where a card went: a copy flies from where it lay to where it is now, in less than a third of a second.
// Flights are drawn over the page and never hold it up; view transitions would freeze the map while they last.

const LONG = 280;

export function still() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Call before an update; call what it returns afterwards, with the update's events.
export function watchCards(me) {
  if (still()) return () => {};
  const slots = new Map();
  for (const slot of document.querySelectorAll("[data-slot][data-card]")) {
    slots.set(slot.dataset.slot, { card: slot.dataset.card, box: slot.getBoundingClientRect(), look: slot.cloneNode(true) });
  }
  return (events) => {
    if (!document.getElementById("end").hidden) return; // the scores lie where cards would fly
    for (const event of events) {
      if (event.kind === "take") {
        const gone = [...slots.values()].find((old) => old.card !== cardIn(old, slots));
        if (gone) fly(gone.look, gone.box, goal(event.seat, me, gone.card));
      } else if (event.kind === "blind") {
        const deck = document.querySelector("#deck-train");
        if (deck) fly(deck.cloneNode(true), deck.getBoundingClientRect(), goal(event.seat, me));
      } else if (event.kind === "tickets") {
        const deck = document.querySelector("#deck-ticket");
        if (deck) fly(deck.cloneNode(true), deck.getBoundingClientRect(), goal(event.seat, me));
      }
    }
  };
}

function cardIn(old, slots) {
  const slot = [...slots].find(([, element]) => element === old)[0];
  return document.querySelector(`[data-slot="${slot}"]`)?.dataset.card;
}

function goal(seat, me, card) {
  if (seat !== me) return document.querySelector(`#seat-${seat}`);
  return document.querySelector(card ? `#hand [data-hand="${card}"]` : "#hand") || document.querySelector("#hand");
}

function fly(look, from, target) {
  const to = target?.getBoundingClientRect();
  if (!to?.width || !from.width) return;
  look.removeAttribute("id");
  look.classList.add("flying");
  look.setAttribute("aria-hidden", "true");
  look.inert = true;
  Object.assign(look.style, {
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
  });
  document.body.append(look);
  const x = to.left + Math.min(to.width / 2, 60) - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  look
    .animate([{ opacity: 1 }, { opacity: 0.9, offset: 0.8 }, { transform: `translate(${x}px,${y}px) scale(.5)`, opacity: 0 }], {
      duration: LONG,
      easing: "cubic-bezier(.3,.1,.3,1)",
    })
    .finished.finally(() => look.remove());
}
