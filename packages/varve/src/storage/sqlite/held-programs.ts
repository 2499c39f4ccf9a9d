import { InvalidOption } from '../../errors/invalid-option.ts'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import type { StoreEngine } from '../store-engine.ts'
import { classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { executeRead } from './execute.ts'
import { storeKey } from './store-key.ts'

/** Runs programs that only read on a connection that holds its store alone: no second one could be opened. */
export function heldPrograms(connection: Connection, file: string): StoreEngine {
  return {
    name: 'sqlite',
    erasure: 'bytes',
    longestRestMs: 1_000,
    shown: (place) => place,
    classify,
    open: async () => ({
      key: storeKey(connection),
      readOnly: true,
      bytes: 0,
      now: (given) => given,
      read: async (program) => executeRead(connection, program()),
      write: () => Promise.reject(new StoreReadOnly({ store: file })),
      eraseBytes: async () => 'the store is being moved',
      makeRoom: async () => false,
      copyTo: () => Promise.reject(new InvalidOption({ option: 'store', received: file, expected: 'a store that is not being moved' })),
      diagnose: async () => [],
      // The connection belongs to the move.
      close: async () => undefined,
    }),
  }
}
