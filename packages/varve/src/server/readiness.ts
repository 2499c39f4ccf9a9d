import type { Memory } from '../memory/memory.ts'

/** The time that a check may take: an orchestrator asks every few seconds. */
const deadlineMs = 2_000

/** Whether a server can answer: of its store, its threads and its model. It tells no reason, since anybody may ask. */
export interface Readiness {
  readonly ready: boolean
  readonly checks: { readonly store: boolean; readonly threads: boolean; readonly model: boolean }
}

/** Checks what every request needs. A model that is absent or still loads is no fault: recall finds by words meanwhile. */
export async function readinessOf(memory: Memory, isClosing: boolean): Promise<Readiness> {
  const store = await memory.projects.list({ limit: 1, deadlineMs }).then(
    () => true,
    () => false,
  )
  const { engine } = memory.callsForStore().means
  const threads = engine.health().running.length > 0
  const model = store && (await modelStands(memory))
  return { ready: store && threads && model && !isClosing, checks: { store, threads, model } }
}

async function modelStands(memory: Memory): Promise<boolean> {
  const { embedding } = await memory.upkeep.status({ deadlineMs })
  return embedding?.failure === undefined || embedding.runtime !== 'none'
}
