// onnxruntime-node 1.30 aborts the whole process (SIGABRT) when its thread is stopped inside a native call.
// terminate(), process.exit() and an uncaught exception all do that. So a thread marks when it is inside, and a stop
// waits until it is outside.

const inside = 0
const halted = 1

/**
 * The most time that a stop waits, in milliseconds. Loading takes 0.3 s, a group of texts 0.1 s; a machine ten times
 * slower still has enough.
 */
const maxWaitMs = 5000

/** Memory that a thread and its host share. */
export type GateMemory = SharedArrayBuffer

export const newGate = (): GateMemory => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)

/** Does native work in the thread. Once the gate is closed it never returns, since the thread is about to end. */
export async function throughGate<Result>(gate: GateMemory, work: () => Promise<Result>): Promise<Result> {
  const state = new Int32Array(gate)
  Atomics.store(state, inside, 1)
  try {
    if (Atomics.load(state, halted) === 1) {
      leave(state)
      await new Promise<never>(() => undefined)
    }
    return await work()
  } finally {
    leave(state)
  }
}

function leave(state: Int32Array<SharedArrayBuffer>): void {
  Atomics.store(state, inside, 0)
  Atomics.notify(state, inside)
}

/** Closes the gate from the host, and resolves when the thread is outside. */
export async function closeGate(gate: GateMemory): Promise<void> {
  const state = new Int32Array(gate)
  Atomics.store(state, halted, 1)
  await Atomics.waitAsync(state, inside, 1, maxWaitMs).value
}

/** The gates of the threads that run in this process, closed when it exits. */
const open = new Set<GateMemory>()

/** Delays the process's exit until the thread is outside. Returns the function that ends this. */
export function guardExit(gate: GateMemory): () => void {
  if (open.size === 0) process.on('exit', closeAll)
  open.add(gate)
  return () => {
    if (open.delete(gate) && open.size === 0) process.off('exit', closeAll)
  }
}

function closeAll(): void {
  const until = performance.now() + maxWaitMs
  const states = [...open].map((gate) => new Int32Array(gate))
  for (const state of states) Atomics.store(state, halted, 1)
  for (const state of states) Atomics.wait(state, inside, 1, Math.max(0, until - performance.now()))
}
