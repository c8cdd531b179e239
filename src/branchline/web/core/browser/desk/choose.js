// Several routes or places may be meant: they are named, routes lettered on the map, and one more press tells.

import { byId, element } from "./elements.js";
import { say } from "./words.js";

// `act` is told which one it was; with nothing found the question goes away.
export function ask(map, board, choices, act) {
  map.ask(choices);
  const box = byId("choose");
  box.hidden = !choices.length;
  if (!choices.length) return box.replaceChildren();
  const routes = choices[0].kind === "route";
  const named = ({ index }) => (routes ? board.routes[index].name : board.places[index].here);
  box.replaceChildren(
    element("p", { id: "choose-what" }, say("which")),
    ...choices.map((choice, n) => element("button", { type: "button", class: "first", click: () => act(choice.index) }, routes ? element("b", {}, String.fromCharCode(65 + n)) : "", ` ${named(choice)}`)),
    element("button", { type: "button", class: "back", click: () => ask(map, board, [], act) }, say("none")),
  );
  box.querySelector("button").focus({ preventScroll: true });
}
