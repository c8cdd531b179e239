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
  const line = new Line(url, version, receive, state);
  let looked = Date.now();
  setInterval(() => {
    const slept = Date.now() - looked > 3 * AWAKE;
    looked = Date.now();
    if (slept) line.wake(); // a computer that wakes with the page in front says nothing else
  }, AWAKE);
  setInterval(() => line.ask(), BEAT);
  for (const event of ["online", "focus", "pageshow"]) addEventListener(event, () => line.wake());
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, () => line.wake());
  return line;
}

// Dials at once. `receive(message)`: what the server says; `state(name)`: open, lost, found, ended.
export class Line {
  open = false;
  #receive;
  #state;
  #url;
  #socket;
  #redial; // the timer of the next try
  #wait = 500;
  #broken = false;
  #lostTimer; // the timer that says that the line is lost
  #dialled = 0; // when the line was dialled, by a clock that nobody sets
  #heard = 0; // messages
  #sent = 0; // messages that the server has to hear
  #ended = false; // for good
  #asking = false; // a line on which we woke whether it lives
  #page = document.querySelector("style[nonce]")?.nonce; // what the server calls this page, as it was loaded
  #sat = null; // the last "sit": the server forgets it with the line
  // What the server may not have heard: a message goes when a ping that was sent after it is answered. On a new line
  // it is sent again, and says so: what was done already is not done twice.
  #unheard = [];
  #pings = []; // for each ping under way, how many messages had been said

  constructor(url, version, receive, state) {
    this.version = version; // the last one seen
    this.#url = url;
    this.#receive = receive;
    this.#state = state;
    this.#dial();
  }

  #dial() {
    clearTimeout(this.#redial);
    this.#dialled = performance.now();
    const attempt = (this.#socket = new WebSocket(this.#url));
    this.#pings = [];
    this.#socket.onopen = () => {
      this.#post({ do: "hello", version: this.version, page: this.#page });
      this.#page = undefined; // from now on it is not what it was
      this.#ping(); // the answer shows that we are let in: some are hung up on at once
    };
    this.#socket.onmessage = (event) => {
      this.#heard += 1;
      if (!this.open) this.#opened();
      const message = JSON.parse(event.data);
      if (message.do === "pong") this.#answered(this.#pings.shift());
      if (typeof message.version === "number") this.version = message.version;
      this.#receive(message);
    };
    this.#socket.onclose = (event) => this.#closed(event.code);
    const leadsNowhere = () => attempt === this.#socket && !this.open && attempt.readyState !== WebSocket.CLOSED;
    setTimeout(() => leadsNowhere() && this.#anew(), LONGEST_WAIT);
  }

  #opened() {
    this.#wait = 500;
    this.open = true;
    clearTimeout(this.#lostTimer);
    this.#lostTimer = undefined;
    if (this.#sat && this.#unheard.some(({ message }) => message !== this.#sat)) this.#post(this.#sat);
    for (const entry of this.#unheard) this.#say(entry);
    this.#state(this.#broken ? "found" : "open");
    this.#broken = false;
  }

  #closed(code) {
    this.open = false;
    if (code === RESTART && !this.#broken) {
      this.#redial = setTimeout(() => this.#dial(), 300 * Math.random()); // another process has taken over already: nobody need hear of it
      return;
    }
    this.#ended = NO_USE.includes(code);
    if (this.#ended) return this.#state("ended");
    this.#lost();
    if (code === TOO_MANY) this.#wait = LONGEST_WAIT;
    this.#redial = setTimeout(() => this.#dial(), this.#wait * (0.7 + 0.6 * Math.random()));
    this.#wait = Math.min(this.#wait * 1.8, LONGEST_WAIT);
  }

  #lost() {
    clearTimeout(this.#lostTimer);
    if (!this.#broken) this.#state("lost");
    this.#broken = true;
  }

  // Leave a line that is silent, without waiting until the other side agrees, and dial at once.
  #anew() {
    this.#socket.onopen = this.#socket.onclose = this.#socket.onmessage = null;
    this.#socket.close();
    this.open = false;
    if (!this.#broken) this.#lostTimer ??= setTimeout(() => this.#lost(), UNTOLD);
    this.#dial();
  }

  #post(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #ping() {
    this.#pings.push(this.#sent);
    this.#post({ do: "ping" });
  }

  #say(entry) {
    this.#post(entry.tried ? { ...entry.message, again: true } : entry.message);
    entry.tried = true;
    entry.number = this.#sent += 1;
    this.#expect(PATIENCE);
  }

  #answered(upTo) {
    this.#unheard = this.#unheard.filter((entry) => !entry.tried || entry.number > upTo);
  }

  // Whether the server may not have heard of something yet that was done here.
  owes() {
    return this.#unheard.some(({ message }) => !LATEST.includes(message.do));
  }

  send(message) {
    if (message.do === "sit") this.#sat = message;
    if (LATEST.includes(message.do)) this.#unheard = this.#unheard.filter((entry) => entry.message.do !== message.do);
    if (this.#unheard.length >= MOST) return this.#receive({ error: "away", why: "", text: message.text });
    const entry = { message, tried: false };
    this.#unheard.push(entry);
    if (this.open && this.#socket.readyState === WebSocket.OPEN) this.#say(entry);
  }

  // Ask whether anybody is there; a line that is silent for so long is dead, as when a phone has changed networks.
  #expect(soon) {
    const [asked, before] = [this.#socket, this.#heard];
    this.#ping();
    setTimeout(() => asked === this.#socket && this.open && this.#heard === before && this.#anew(), soon);
  }

  // Somebody looks at the page again, or the network is back: what is shown may be old, and the line dead.
  wake() {
    if (document.hidden || this.#ended || this.#asking) return;
    if (this.open) {
      this.#asking = true;
      setTimeout(() => (this.#asking = false), SOON);
      this.#expect(SOON);
    }
    if (!this.open && (this.#socket.readyState === WebSocket.CLOSED || performance.now() - this.#dialled > SOON)) this.#anew();
  }

  // Now and then, so that it is not cut.
  ask() {
    if (this.open) this.#expect(LONGEST_WAIT);
  }
}
