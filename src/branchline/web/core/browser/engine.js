// The engine: the rules and the bots as WebAssembly, the same file that runs in Python. What lies where in its records,
// and what can be called, stands in the file itself; see docs/engine.md.

const FILE = new URL("engine.wasm", import.meta.url);
const SECTION = "branchline";
const GRAIN = 64; // bytes
const PAGE = 65_536;
const ARRAYS = { int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array, float32: Float32Array, float64: Float64Array };

let fetched = null;

// The engine of this page, fetched once. It is rejected where it cannot be fetched or run.
export function engine() {
  fetched ??= fetchEngine().catch((error) => {
    fetched = null; // so that it can be tried again
    throw error;
  });
  return fetched;
}

async function fetchEngine() {
  const module = await WebAssembly.compileStreaming(fetch(FILE));
  const [section] = WebAssembly.Module.customSections(module, SECTION);
  return new Engine(await WebAssembly.instantiate(module), JSON.parse(new TextDecoder().decode(section)));
}

class Engine {
  #exports;
  #top;

  constructor(instance, description) {
    this.#exports = instance.exports;
    this.#top = Math.ceil(instance.exports.__heap_base.value / GRAIN) * GRAIN;
    this.said = description;
    this.numbers = description.numbers;
  }

  get memory() {
    return this.#exports.memory.buffer; // another one after it has grown
  }

  // A record of a layout, all zero; or with these bytes.
  record(layout, bytes = null) {
    const { size, fields } = this.said.layouts[layout];
    if (bytes && bytes.length !== size) throw new RangeError(`${layout}: ${bytes.length} bytes, not ${size}`);
    const at = this.#top;
    this.#top += Math.ceil(size / GRAIN) * GRAIN;
    const { memory } = this.#exports;
    const pages = Math.ceil((this.#top - memory.buffer.byteLength) / PAGE);
    if (pages > 0) memory.grow(pages);
    const record = new Rec(this, at, size, fields);
    if (bytes) record.bytes.set(bytes);
    return record;
  }

  // Calls an entry point by its name with records and numbers.
  call(name, ...handed) {
    const stack = this.#exports.__stack_pointer;
    const before = stack.value;
    try {
      return Number(this.#exports[name](...handed.map((argument) => (argument instanceof Rec ? argument.at : BigInt(argument)))) ?? 0);
    } catch (error) {
      stack.value = before; // a call that was ended leaves its frames there
      throw error;
    }
  }
}

// A record in the engine's memory.
class Rec {
  constructor(engine, at, size, fields) {
    Object.assign(this, { engine, at, size, fields });
  }

  get bytes() {
    return new Uint8Array(this.engine.memory, this.at, this.size);
  }

  // A field as an array on the engine's memory, of one number where it is no array, its axes one behind the other.
  field(name) {
    const [kind, offset, ...axes] = this.fields[name];
    return new ARRAYS[kind](this.engine.memory, this.at + offset, axes.reduce((all, length) => all * length, 1));
  }

  // Of a field with two axes, one row.
  row(name, n) {
    const wide = this.fields[name][3];
    return this.field(name).subarray(n * wide, (n + 1) * wide);
  }
}
