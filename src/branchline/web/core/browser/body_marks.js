// What a table shows now, as classes of its body, by which style sheets arrange the rest. They could look for it with
// `body:has(…)` themselves; browsers would then style the whole page anew whenever anything in it changes.

const MARKS = {
  choosing: '.question.asked:not([data-kind="turn"], [data-kind="second_card"])', // it takes more than a line
  covered: ".cover:not([hidden])",
  gathering: "#waiting:not([hidden])",
  "guide-over": ".guide.over",
  "nothing-said": '.talk[data-mine=""]:not(:has(#talk-lines li))', // and who looks on cannot begin
  "scores-shown": ".end:not([hidden], .folded)",
  "talk-open": ".talk:not(.folded)",
};

export function markBody() {
  for (const [mark, shown] of Object.entries(MARKS)) {
    document.body.classList.toggle(mark, document.querySelector(shown) !== null);
  }
}
