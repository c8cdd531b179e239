// Plays a whole game with `planner` in every seat, from the engine file alone: docs/engine.md says how it works.
//
//     python -c "import branchline as bl; bl.load_board('europe').tables.tofile('europe.tables')"
//     node play_from_javascript.mjs src/branchline/runtime/engine.wasm europe.tables 3 42
//
// The last two are the number of seats and the seed. Prints the scores and a digest of the state at the end.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const [engineFile, boardFile, seats, seed] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(engineFile));
const said = JSON.parse(new TextDecoder().decode(WebAssembly.Module.customSections(module, "branchline")[0]));
const engine = (await WebAssembly.instantiate(module)).exports;

// Records lie one behind the other in the engine's memory, from `__heap_base` on. An address is all that calls take.
let top = Math.ceil(engine.__heap_base.value / 64) * 64;
function record(layout) {
  const at = top;
  top += Math.ceil(said.layouts[layout].size / 64) * 64;
  const missing = Math.ceil((top - engine.memory.buffer.byteLength) / 65_536);
  if (missing > 0) engine.memory.grow(missing);
  return at;
}

// The numbers of a field, read and written in place. int64 are BigInt.
const ARRAYS = { int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array };
function field(layout, at, name) {
  const [kind, offset, ...axes] = said.layouts[layout].fields[name];
  return new ARRAYS[kind](engine.memory.buffer, at + offset, axes.reduce((all, one) => all * one, 1));
}
const bytes = (layout, at) => new Uint8Array(engine.memory.buffer, at, said.layouts[layout].size);

const [board, state, seen, scratch] = ["board", "state", "state", "scratch"].map(record);
const memories = Array.from({ length: Number(seats) }, () => record("memory"));
bytes("board", board).set(await readFile(boardFile));
memories.forEach((memory, seat) => engine["bots.memory.forget"](memory, BigInt(seed) + BigInt(seat)));

engine["rules.setup.prepare"](board, state, BigInt(seats), BigInt(seed));
engine["rules.setup.deal"](board, state, scratch);
let decisions = 0;
while (field("state", state, "question")[0] !== said.numbers.state.OVER) {
  const seat = field("state", state, "seat")[0];
  bytes("state", seen).fill(0);
  engine["rules.knowledge.redact"](board, state, seen, BigInt(seat)); // what this seat may know
  engine["rules.turn.legal"](board, state, scratch);
  const action = engine["bots.planner.choose"](board, seen, scratch, memories[seat], BigInt(seat));
  engine["rules.turn.apply"](board, state, scratch, action);
  decisions += 1;
}
engine["rules.scoring.score"](board, state, scratch);
const scores = [...field("scratch", scratch, "total")].slice(0, Number(seats));
console.log(JSON.stringify({ decisions, scores, state: createHash("sha256").update(bytes("state", state)).digest("hex") }));
