// Opens stores under the shim, the n-th operation of it failing: n = first, first + step, … until none failed.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { Control, type Kind } from '../shim/control.ts'
import { copyPrivately } from '../support/folder.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface OpenArguments {
  /** Stores are this with `-n.db` after it. */
  readonly prefix: string
  readonly control: string
  /** The store that is opened, a copy each time; none: a new one is made. */
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
  /** What opening the same store said when the fault was gone. */
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
  say({ n, fired, operation, outcome, again: await open(store) } satisfies OpenLine)
  if (!fired) break
}

/** Opens, writes and closes. */
async function open(store: string): Promise<string> {
  try {
    await using memory = await openMemory({ store, upkeep: 'manual', logger: { warn: () => {} } })
    await memory.for('ada').append('session', { role: 'user', content: 'The kiosk opens on the 16th.' })
    return 'ok'
  } catch (error) {
    return codeOf(error)
  }
}
