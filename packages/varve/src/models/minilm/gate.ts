// onnxruntime-node 1.30 aborts the whole process (SIGABRT) when its thread is stopped inside a native call, as terminate(),
// process.exit() and an uncaught exception do. So a thread says when it is inside, and whoever stops it waits for it to be outside.

const inside = 0
const halted = 1

/** How long a stop waits: loading takes 0.3 s, a group of texts 0.1 s; on a machine that is ten times slower it still suffices. */
const maxWaitMs = 5000

/** Memory that a thread and its host share. */
export type GateMemory = SharedArrayBuffer

export const newGate = (): GateMemory => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)

/** In the thread: does native work, unless the gate was closed; then it never comes back, since the thread is about to end. */
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

/** In the host: closes the gate and resolves when the thread is outside. */
export async function closeGate(gate: GateMemory): Promise<void> {
  const state = new Int32Array(gate)
  Atomics.store(state, halted, 1)
  await Atomics.waitAsync(state, inside, 1, maxWaitMs).value
}

/** The gates of the threads that run in this process, closed when it exits. */
const open = new Set<GateMemory>()

/** Holds the process's exit up until the thread is outside; gives back what lets go of it. */
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
