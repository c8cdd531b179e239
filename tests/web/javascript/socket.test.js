// The line to a table: what was said on a line that broke is said again on the next one, and a silent line is left.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { hidden: false, querySelector: () => ({ nonce: "n" }) };

// A WebSocket whose other end is the test.
class Wire {
  static OPEN = 1;
  static CLOSED = 3;
  static all = [];
  readyState = 0;
  said = [];

  constructor() {
    Wire.all.push(this);
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close() {
    this.readyState = Wire.CLOSED;
  }

  opens() {
    this.readyState = Wire.OPEN;
    this.onopen();
  }

  hears(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  breaks(code) {
    this.readyState = Wire.CLOSED;
    this.onclose({ code });
  }
}
globalThis.WebSocket = Wire;

const { Line } = await import("./static/core/browser/socket.js");

function begun(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(Math, "random", () => 0.5);
  Wire.all = [];
  const heard = { states: [], messages: [] };
  const line = new Line("ws://here/ws/a", 3, (message) => heard.messages.push(message), (state) => heard.states.push(state));
  return { line, heard, wire: (n) => Wire.all[n], after: (time) => t.mock.timers.tick(time) };
}

const PONG = { do: "pong" };
const play = { do: "play", version: 3, action: "blind" };

test("a line begins with hello, and names the page once", (t) => {
  const { line, heard, wire } = begun(t);
  wire(0).opens();
  assert.deepEqual(wire(0).said, [{ do: "hello", version: 3, page: "n" }, { do: "ping" }]);
  assert.equal(line.open, false, "until something is heard");
  wire(0).hears({ version: 4 });
  assert.deepEqual([line.open, line.version, heard.states], [true, 4, ["open"]]);
});

test("a press on a broken line is said again on the next one, and marked where it may have arrived", (t) => {
  const { line, heard, wire, after } = begun(t);
  wire(0).opens();
  wire(0).hears(PONG);
  line.send(play);
  wire(0).breaks(1006);
  line.send({ do: "undo" });
  assert.ok(line.owes());
  after(1_000);
  wire(1).opens();
  wire(1).hears(PONG);
  assert.deepEqual(wire(1).said.filter((one) => !["hello", "ping"].includes(one.do)), [{ ...play, again: true }, { do: "undo" }]);
  assert.deepEqual(heard.states, ["open", "lost", "found"]);
  for (const _ of [1, 2]) wire(1).hears(PONG);
  assert.equal(line.owes(), false, "a ping sent after them is answered");
});

test("a line that is silent after a press is left, and nobody hears of it if the next one answers soon", (t) => {
  const { line, heard, wire, after } = begun(t);
  wire(0).opens();
  wire(0).hears(PONG);
  line.send(play);
  after(6_000);
  assert.equal(Wire.all.length, 2);
  wire(1).opens();
  wire(1).hears(PONG);
  after(1_500);
  assert.deepEqual([heard.states, line.open], [["open", "open"], true]);
});

test("where trying again helps nobody, the line ends", (t) => {
  const { line, heard, wire, after } = begun(t);
  wire(0).breaks(4404);
  after(60_000);
  line.wake();
  assert.deepEqual([heard.states, Wire.all.length], [["ended"], 1]);
});

test("a page that is looked at again asks whether its line lives", (t) => {
  const { line, wire, after } = begun(t);
  wire(0).opens();
  wire(0).hears(PONG);
  line.wake();
  assert.deepEqual(wire(0).said.at(-1), { do: "ping" });
  after(500);
  wire(0).hears(PONG);
  after(500);
  assert.equal(Wire.all.length, 1);
  line.wake();
  after(1_000);
  assert.equal(Wire.all.length, 2);
});
