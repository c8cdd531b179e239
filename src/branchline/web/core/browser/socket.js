// One WebSocket for one table: says hello, says it again after every break, and remembers the last version seen.

import { address } from "./address.js";

const LONGEST_WAIT = 10_000;
const BEAT = 25_000; // quiet lines are cut by proxies
const SOON = 1_000; // within which a phone that wakes hears an answer, or dials anew
const PATIENCE = 6_000; // within which a press is answered: the coach may take half of it
const UNTOLD = 1_500; // a line that is back within this was never lost
const AWAKE = 2_000; // between two looks whether we slept
const MOST = 20; // presses that wait for a line
const RESTART = 1012; // the process we talked to stops
const TOO_MANY = 4429; // too many at once from where we are: it is of no use to come again at once
const NO_USE = [4403, 4404]; // not allowed, no such room: trying again helps nobody
const LATEST = ["show", "sit", "tutor", "agree", "found"]; // of these the last one counts

export function connect(room, version, { receive, state }) {
  const url = new URL(address(`/ws/${room}`), location.href);
  url.searchParams.set("language", document.documentElement.lang);
  url.protocol = url.protocol.replace("http", "ws");
  const line = { version, send, open: false, owes };
  let socket;
  let redial; // the timer of the next try
  let wait = 500;
  let broken = false;
  let lostTimer; // the timer that says that the line is lost
  let dialled = 0; // when the line was dialled, by a clock that nobody sets
  let heard = 0; // messages
  let sent = 0; // messages that the server has to hear
  let ended = false; // for good
  let asking = false; // a line on which we woke whether it lives
  let page = document.querySelector("style[nonce]")?.nonce; // what the server calls this page, as it was loaded
  let sat = null; // the last "sit": the server forgets it with the line
  // What the server may not have heard: a message goes when a ping that was sent after it is answered. On a new line
  // it is sent again, and says so: what was done already is not done twice.
  let unheard = [];
  let pings = []; // for each ping under way, how many messages had been said

  function dial() {
    clearTimeout(redial);
    dialled = performance.now();
    const attempt = (socket = new WebSocket(url));
    pings = [];
    socket.onopen = () => {
      post({ do: "hello", version: line.version, page });
      page = undefined; // from now on it is not what it was
      ping(); // the answer shows that we are let in: some are hung up on at once
    };
    socket.onmessage = (event) => {
      heard += 1;
      if (!line.open) opened();
      const message = JSON.parse(event.data);
      if (message.do === "pong") answered(pings.shift());
      if (typeof message.version === "number") line.version = message.version;
      receive(message);
    };
    socket.onclose = (event) => closed(event.code);
    setTimeout(() => attempt === socket && !line.open && attempt.onclose && anew(), LONGEST_WAIT); // it leads nowhere
  }

  function opened() {
    wait = 500;
    line.open = true;
    clearTimeout(lostTimer);
    lostTimer = undefined;
    if (sat && unheard.some(({ message }) => message !== sat)) post(sat);
    for (const entry of unheard) say(entry);
    state(broken ? "found" : "open");
    broken = false;
  }

  function closed(code) {
    line.open = false;
    if (code === RESTART && !broken) {
      redial = setTimeout(dial, 300 * Math.random()); // another process has taken over already: nobody need hear of it
      return;
    }
    ended = NO_USE.includes(code);
    if (ended) return state("ended");
    lost();
    if (code === TOO_MANY) wait = LONGEST_WAIT;
    redial = setTimeout(dial, wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 1.8, LONGEST_WAIT);
  }

  function lost() {
    clearTimeout(lostTimer);
    if (!broken) state("lost");
    broken = true;
  }

  // Leave a line that is silent, without waiting until the other side agrees, and dial at once.
  function anew() {
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
    line.open = false;
    if (!broken) lostTimer ??= setTimeout(lost, UNTOLD);
    dial();
  }

  function post(message) {
    socket.send(JSON.stringify(message));
  }

  function ping() {
    pings.push(sent);
    post({ do: "ping" });
  }

  function say(entry) {
    post(entry.tried ? { ...entry.message, again: true } : entry.message);
    entry.tried = true;
    entry.number = sent += 1;
    expect(PATIENCE);
  }

  function answered(upTo) {
    unheard = unheard.filter((entry) => !entry.tried || entry.number > upTo);
  }

  // Whether the server may not have heard of something yet that was done here.
  function owes() {
    return unheard.some(({ message }) => !LATEST.includes(message.do));
  }

  function send(message) {
    if (message.do === "sit") sat = message;
    if (LATEST.includes(message.do)) unheard = unheard.filter((entry) => entry.message.do !== message.do);
    if (unheard.length >= MOST) return receive({ error: "away", why: "", text: message.text });
    const entry = { message, tried: false };
    unheard.push(entry);
    if (line.open && socket.readyState === WebSocket.OPEN) say(entry);
  }

  // Ask whether anybody is there; a line that is silent for so long is dead, as when a phone has changed networks.
  function expect(soon) {
    const [asked, before] = [socket, heard];
    ping();
    setTimeout(() => asked === socket && line.open && heard === before && anew(), soon);
  }

  // Somebody looks at the page again, or the network is back: what is shown may be old, and the line dead.
  function wake() {
    if (document.hidden || ended || asking) return;
    if (line.open) {
      asking = true;
      setTimeout(() => (asking = false), SOON);
      expect(SOON);
    }
    if (!line.open && (socket.readyState === WebSocket.CLOSED || performance.now() - dialled > SOON)) anew();
  }

  let looked = Date.now();
  setInterval(() => {
    const slept = Date.now() - looked > 3 * AWAKE;
    looked = Date.now();
    if (slept) wake(); // a computer that wakes with the page in front says nothing else
  }, AWAKE);
  setInterval(() => line.open && expect(LONGEST_WAIT), BEAT);
  for (const event of ["online", "focus", "pageshow"]) addEventListener(event, wake);
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, wake);
  dial();
  return line;
}
