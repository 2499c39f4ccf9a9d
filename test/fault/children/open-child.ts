// Opens stores under the shim while the n-th operation fails: n = first, first + step, … until none failed.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { Control, type Kind } from '../shim/control.ts'
import { copyPrivately } from '../support/folder.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface OpenArguments {
  /** The beginning of the stores' names; `-n.db` follows. */
  readonly prefix: string
  readonly control: string
  /** The store to open, copied each time; without one, a new store is made. */
  readonly from?: string
  readonly kind: Kind
  readonly sticky: boolean
  readonly first: number
  readonly step: number
}

export interface OpenLine {
  readonly n: number
  readonly fired: boolean
  readonly operation: string
  readonly outcome: string
  /** The result of opening the same store without the fault. */
  readonly again: string
}

const { prefix, from, kind, sticky, first, step, ...given } = childArguments<OpenArguments>()
using control = new Control(given.control)
for (let n = first; ; n += step) {
  const store = `${prefix}-${n}.db`
  if (from !== undefined) copyPrivately(from, store)
  control.arm({ failAt: n, kind, sticky })
  const outcome = await open(store)
  const { fired, operation } = control.disarm()
  // The state of the file is asked for, not the threads: they cost thirty times as much.
  say({ n, fired, operation, outcome, again: await open(store, 'inline') } satisfies OpenLine)
  if (!fired) break
}

/** Opens, writes and closes. */
async function open(store: string, engine: 'threads' | 'inline' = 'threads'): Promise<string> {
  try {
    await using memory = await openMemory({ store, engine, upkeep: 'manual', logger: { warn: () => {} } })
    await memory.for('ada').append('session', { role: 'user', content: 'The kiosk opens on the 16th.' })
    return 'ok'
  } catch (error) {
    return codeOf(error)
  }
}
