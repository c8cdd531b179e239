// The engine inside Python's memory, for `branchline.runtime.lodged_engine`.

const SLOT = 2; // numbers of eight bytes that one argument takes in Python's list of values

// What Python calls as `js.branchlineEngine`; `memory` is Python's own.
export function landlord(memory) {
  return {
    lodge(file, plan, values) {
      const module = new WebAssembly.Module(file.slice());
      const { exports } = new WebAssembly.Instance(module, { engine: { memory } });
      const shapes = JSON.parse(plan);
      const stack = exports.__stack_pointer;
      const top = stack.value;
      return {
        entry(name) {
          return call(exports[name], shapes[name], memory, values, () => (stack.value = top));
        },
      };
    },
  };
}

function call(entry, [shape, result], memory, values, recover) {
  const handed = new Array(shape.length);
  return () => {
    const whole = new BigInt64Array(memory.buffer, values, shape.length * SLOT || 1);
    const real = new Float64Array(memory.buffer, values, shape.length * SLOT || 1);
    for (let n = 0; n < shape.length; n += 1) {
      const at = n * SLOT;
      handed[n] = shape[n] === "n" ? whole[at] : shape[n] === "r" ? real[at] : Number(whole[at]);
    }
    let found;
    try {
      found = entry(...handed);
    } catch (error) {
      recover();
      throw error;
    }
    if (result === "number") new BigInt64Array(memory.buffer, values, 1)[0] = found;
    else if (result === "bool") new BigInt64Array(memory.buffer, values, 1)[0] = BigInt(found);
    else if (result === "real") new Float64Array(memory.buffer, values, 1)[0] = found;
  };
}
