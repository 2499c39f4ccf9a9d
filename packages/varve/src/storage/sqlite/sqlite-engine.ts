import { statSync } from 'node:fs'
import { StoreReadOnly } from '../../errors/store-read-only.ts'
import type { OpenOptions, OpenStore, StoreEngine } from '../store-engine.ts'
import { breaksConnection, classify } from './classify.ts'
import type { Connection } from './connection.ts'
import { copyStore } from './copy-store.ts'
import { diagnose } from './diagnose.ts'
import { eraseBytes } from './erase-bytes.ts'
import { executeRead } from './execute.ts'
import { migrate, refuseNewer } from './migrate.ts'
import { openConnection, prepareFile } from './open-connection.ts'
import { isUnwritable, openReadOnly } from './open-read-only.ts'
import { keepReserve, leastReserved } from './reserve.ts'
import { StandingFile } from './standing-file.ts'
import { refuseUnfinished, storeKey } from './store-key.ts'
import { Writer } from './writer.ts'

/** SQLite in a file, or in memory. Programs run to their end without an await. */
export const sqliteEngine: StoreEngine = {
  name: 'sqlite',
  erasure: 'bytes',
  longestRestMs: 1_000,
  shown: (place) => place,
  open: async (options) => {
    if (isUnwritable(options.place)) return openUnwritable(options.place)
    return options.writes ? openToWrite(options) : openToRead(options.place)
  },
  classify,
}

function openToRead(file: string): OpenStore {
  const standing = new StandingFile(file)
  let connection = openConnection(file)
  const open = (): Connection => {
    standing.mustStand()
    if (!connection.open) connection = openConnection(file)
    return connection
  }
  const giveUp = (error: unknown): void => void (breaksConnection(error) && connection.close())
  return {
    ...reading(file, open, giveUp),
    readOnly: false,
    write: () => Promise.reject(new TypeError('this store was opened read-only')),
    eraseBytes: async () => 'this store was opened read-only',
    makeRoom: async () => false,
    close: async () => void connection.close(),
  }
}

/** Opens a store that this process may only read. */
function openUnwritable(file: string): OpenStore {
  const standing = new StandingFile(file)
  const connection = openReadOnly(file)
  const open = (): Connection => {
    // Also of a copy in memory: what was forgotten in the file since is no longer told.
    standing.mustStand()
    return connection
  }
  return {
    ...reading(file, open, () => undefined),
    readOnly: true,
    write: () => Promise.reject(new StoreReadOnly({ store: file })),
    eraseBytes: async () => 'the store cannot be written here',
    makeRoom: async () => false,
    close: async () => void connection.close(),
  }
}

/** Opens a store for writing. It is checked, made or migrated, and no lock is held. */
function openToWrite({ place: file, now, identity }: OpenOptions): OpenStore {
  refuseNewer(file)
  prepareFile(file)
  const standing = new StandingFile(file)
  const connection = openConnection(file)
  try {
    standing.mustStand()
    migrate(connection, { file, now, identity })
    if (file !== ':memory:' && statSync(file).size >= leastReserved) keepReserve(file)
    const writer = new Writer(file, connection, () => openConnection(file), standing)
    return {
      ...reading(
        file,
        () => writer.connection,
        (error) => writer.giveUp(error),
      ),
      readOnly: false,
      write: (program, weight, patience) => writer.write(program, weight, patience),
      eraseBytes: (words) => tryErasing(file, writer, words),
      makeRoom: async () => writer.makeRoom(),
      close: async () => writer.close(),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

type Reading = Pick<OpenStore, 'key' | 'bytes' | 'now' | 'read' | 'copyTo' | 'diagnose'>

function reading(file: string, connection: () => Connection, giveUp: (error: unknown) => void): Reading {
  refuseUnfinished(connection(), file)
  return {
    key: storeKey(connection()),
    bytes: file === ':memory:' ? 0 : statSync(file).size,
    now: (given) => given,
    read: async (program) => {
      try {
        return executeRead(connection(), program())
      } catch (error) {
        giveUp(error)
        throw error
      }
    },
    copyTo: (to, signal) => copyStore(connection(), { store: file, to, signal }),
    diagnose: async (segmentBytes) => diagnose(connection(), file, segmentBytes),
  }
}

async function tryErasing(file: string, writer: Writer, words: readonly Uint8Array[] | undefined): Promise<string | undefined> {
  try {
    const wasSparing = writer.isSparing
    const outcome = await eraseBytes(writer.connection, wasSparing ? undefined : words)
    if (outcome.done && wasSparing) writer.endSparing()
    // What is left is kept for the next forget: another writer would take it.
    if (!outcome.done && wasSparing) keepReserve(file)
    return outcome.done ? undefined : outcome.reason
  } catch (error) {
    return classify(error, file, 'erasure').message
  }
}
