"""Makes the engine: one WebAssembly file with the rules and the bots, from their sources and nothing else.

`make engine` writes `runtime/engine.wasm`. It needs Numba, which types the rules and hands them to LLVM, and `wasm-ld`.
Whoever plays needs neither: `runtime.engine` runs the file.
"""
