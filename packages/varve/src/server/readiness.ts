import { statSync } from 'node:fs'
import type { Memory } from '../memory/memory.ts'

/** The time that a check may take: an orchestrator asks every few seconds. */
const deadlineMs = 2_000

/** Whether a server can answer: of its store, its threads and its model. It tells no reason, since anybody may ask. */
export interface Readiness {
  readonly ready: boolean
  readonly checks: { readonly store: boolean; readonly threads: boolean; readonly model: boolean }
}

/** Checks what every request needs. A model that is absent or still loads is no fault: recall finds by words meanwhile. */
export async function readinessOf(memory: Memory, isInPlace: () => boolean): Promise<Readiness> {
  const store = await memory.projects.list({ limit: 1, deadlineMs }).then(
    () => true,
    () => false,
  )
  const isStored = store && isInPlace()
  const { engine } = memory.callsForStore().means
  const threads = engine.health().running.length > 0
  const model = isStored && (await modelStands(memory))
  return { ready: isStored && threads && model, checks: { store: isStored, threads, model } }
}

/**
 * Makes a look at whether a file is the one that it was at first. One that was moved or replaced can still be read and
 * written by whoever has it open, and what is written then is lost.
 */
export function inPlace(file: string | undefined): () => boolean {
  const identity = (): string | undefined => {
    const found = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
    return found === undefined ? undefined : `${found.dev} ${found.ino}`
  }
  const first = identity()
  return () => identity() === first
}

async function modelStands(memory: Memory): Promise<boolean> {
  const { embedding } = await memory.upkeep.status({ deadlineMs })
  return embedding?.failure === undefined || embedding.runtime !== 'none'
}
