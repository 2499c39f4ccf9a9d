// Makes a backup, or a restore of one, while the n-th operation on the files that it makes fails.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { restoreStore } from '../../../packages/varve/src/memory/restoring/restore-store.ts'
import { Control, type Fault } from '../shim/control.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface RestoreArguments {
  readonly does: 'backup' | 'restore'
  readonly store: string
  readonly backup: string
  /** A restore opens no memory. */
  readonly engine: 'threads' | 'inline'
  readonly control: string
  readonly fault: Fault
}

export interface RestoreLine {
  readonly type: 'ended'
  /** `ok`, or the code of the error. */
  readonly outcome: string
  readonly operations: number
  readonly fired: boolean
}

const { does, store, backup, engine, control: file, fault } = childArguments<RestoreArguments>()
using control = new Control(file)
let outcome = 'ok'
try {
  if (does === 'backup') {
    await using memory = await openMemory({ store, engine, upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
    control.arm(fault)
    await memory.backup(backup, { overwrite: true })
  } else {
    control.arm(fault)
    await restoreStore({ file: backup, store, overwrite: true, withoutReceipts: false, environment: {} })
  }
} catch (error) {
  outcome = codeOf(error)
}
const { operations, fired } = control.disarm()
say({ type: 'ended', outcome, operations, fired } satisfies RestoreLine)
