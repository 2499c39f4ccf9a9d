import type { KeyNow } from '../callers/reads.ts'
import type { Clock } from '../clock/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Observer } from '../observe/observer.ts'
import type { AuditNote } from '../observe/audit-entry.ts'
import type { ErasedSince, ErasureMark } from '../storage/journal/erased-since.ts'
import type { StoreMeans } from './means.ts'

/** What a server asks of a store about its callers and about erasures, beside the operations. */
export interface DoorStore {
  readonly clock: Clock
  readonly observer: Pick<Observer, 'warn' | 'count'>
  keyNow(id: string): Promise<KeyNow>
  /** Notes that a key was used, at most once a minute. */
  noteUse(id: string): Promise<void>
  noteAudit(notes: readonly AuditNote[]): Promise<void>
  /** Tells what was erased after a mark, by any process. Without a mark it gives that of now. */
  erasedSince(after: ErasureMark | undefined): Promise<ErasedSince>
  /** Calls back when a key may have ended in this process. Returns a function that ends this. */
  onKeyChange(told: () => void): () => void
}

export function doorStoreOf({
  engine,
  clock,
  observer,
  keyChanges,
}: Pick<StoreMeans, 'clock' | 'observer' | 'keyChanges'> & { readonly engine: Engine }): DoorStore {
  return {
    clock,
    observer,
    keyNow: (id) => engine.read('callers.key', id),
    noteUse: (id) => engine.write('callers.noteUse', id),
    noteAudit: (notes) => engine.write('callers.noteAudit', notes),
    erasedSince: (after) => engine.read('log.erasedSince', after),
    onKeyChange: (told) => keyChanges.listen(told),
  }
}
