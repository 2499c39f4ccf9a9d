import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DiskFull } from '../../errors/disk-full.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { SchemaTooNew } from '../../errors/schema-too-new.ts'
import { StoreDamaged } from '../../errors/store-damaged.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { classify } from '../../storage/sqlite/classify.ts'
import { type HeldStore, holdStore } from '../../storage/sqlite/hold-store.ts'
import { hasLog, refuseForeign } from '../../storage/sqlite/open-connection.ts'
import { endLog, verifyAndMigrate, type WholeFile } from '../../storage/sqlite/whole-file.ts'
import { isPostgres } from '../places.ts'
import { replayOn, type ReplayedFrom } from './replay-on.ts'
import { clearBeside, endOld, type Making, makingOf, refuseRemains, takeFreePlace, taken, takePlaceOf } from './swap.ts'

/** A restore that was asked for. */
export interface RestoreRequest {
  /** The backup. */
  readonly file: string
  /** Absolute path of the store that it becomes. */
  readonly store: string
  /** True to put it in the place of a store that is there. */
  readonly overwrite: boolean
  /** Receipts from elsewhere, a line each; undefined for a line without one. */
  readonly receipts?: AsyncIterable<{ readonly line: number; readonly receipt: Receipt | undefined }> | undefined
  /** True to go on where the receipts of the old store cannot be read, and none are given. */
  readonly withoutReceipts: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Is told before the old store gets its name aside. */
  readonly onAside?: (aside: string) => void
}

/** A store that stands again. */
export interface Restored extends WholeFile {
  readonly store: string
  /** True when it took the place of another. */
  readonly replaced: boolean
  readonly replayed: readonly ReplayedFrom[]
  /** The reason why the receipts of the old store could not be read. */
  readonly unread?: string
}

/**
 * Makes a store of a backup. The backup is copied beside the store, verified there, migrated, and told to forget what was
 * forgotten since. Only then does it take the store's place. The old store is held alone from before its receipts are
 * read until the new one stands, so that no erasure falls between.
 */
export async function restoreStore(request: RestoreRequest): Promise<Restored> {
  if (isPostgres(request.store)) throw notAFile()
  const file = resolve(request.file)
  const store = placeOf(request.store)
  refuseBackup(file, store)
  refuseRemains(store)
  const isThere = existsSync(store) && statSync(store).size > 0
  if (isThere && !request.overwrite) throw taken(store)
  const now = Date.now()
  const id = uuidv7(now)
  const making = makingOf(store, id)
  const options = { now, identity: { id, key: randomBytes(32).toString('hex') } }
  let isDone = false
  try {
    mkdirSync(dirname(store), { recursive: true, mode: 0o700 })
    await pipeline(createReadStream(file), createWriteStream(making.made, { flags: 'wx', mode: 0o600 }))
    const identity = verifyAndMigrate(making.made, options)
    using old = isThere ? heldOld(making, options, identity) : undefined
    if (old?.unread !== undefined) refuseUnread(old.unread, request)
    const restored = await forgetAgain(making, old, request)
    if (old === undefined) takeFreePlace(making)
    else replace(making, old, request)
    isDone = true
    return { store, ...restored, replaced: isThere, ...(old?.unread === undefined ? {} : { unread: old.unread }) }
  } catch (error) {
    throw asOf(error, file, making)
  } finally {
    clearBeside(making, isDone)
  }
}

/** The old store, with the receipts that the backup does not have; or the reason why it cannot be read. */
interface OldStore extends Disposable {
  readonly held: HeldStore | undefined
  readonly missing: readonly Receipt[]
  readonly unread?: string
}

function heldOld({ store, made }: Making, options: Parameters<typeof holdStore>[1], identity: HeldStore['identity']): OldStore {
  let held: HeldStore | undefined
  try {
    held = holdStore(store, options)
    const release = held.release
    if (held.identity.id !== identity.id || held.identity.key !== identity.key)
      throw new InvalidOption({
        option: 'to',
        received: store,
        expected: 'the store that was backed up, or a path without one: it is another store',
      })
    return { held, missing: held.receiptsMissingIn(made), [Symbol.dispose]: release }
  } catch (error) {
    held?.release()
    const known = classify(error, store, 'restore')
    if (!VarveError.is(known) || !['STORE_DAMAGED', 'SCHEMA_TOO_NEW'].includes(known.code)) throw error
    return { held: undefined, missing: [], unread: known.message, [Symbol.dispose]: () => undefined }
  }
}

/** Refuses to bring back what was forgotten, unless that was asked for. */
function refuseUnread(unread: string, { receipts, withoutReceipts }: RestoreRequest): void {
  if (receipts !== undefined || withoutReceipts) return
  const expected = `a file of receipts, or withoutReceipts: the store that is there cannot tell what was forgotten since (${unread})`
  throw new InvalidOption({ option: 'receipts', received: 'none', expected })
}

async function forgetAgain(
  { made }: Making,
  old: OldStore | undefined,
  { receipts, environment }: RestoreRequest,
): Promise<WholeFile & Pick<Restored, 'replayed'>> {
  const replayed = await replayOn(made, environment, { old: old?.missing ?? [], given: receipts })
  old?.held?.carryTo(made)
  return { ...endLog(made), replayed }
}

function replace(making: Making, { held }: OldStore, { onAside }: RestoreRequest): void {
  held?.endJournal()
  onAside?.(making.aside)
  takePlaceOf(making)
  endOld(making)
}

/** Gives the file of a store, through a link that leads to it: its log is beside the file. */
function placeOf(store: string): string {
  if (store === ':memory:') throw new InvalidOption({ option: 'to', received: store, expected: 'a store in a file' })
  const found = lstatSync(store, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() !== true) return store
  if (!existsSync(store)) throw new InvalidOption({ option: 'to', received: store, expected: 'a file, or a link to one: it leads nowhere' })
  return realpathSync(store)
}

/** Refuses a file that cannot be a whole backup. It is not opened as a database: that would make files beside it. */
function refuseBackup(file: string, store: string): void {
  const refused = (expected: string): InvalidOption => new InvalidOption({ option: 'file', received: file, expected })
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw refused('a backup, and nothing is there')
  if (!found.isFile() || found.size === 0) throw refused('a backup: a file that is not empty')
  refuseForeign(file, 'r')
  const own = statSync(store, { throwIfNoEntry: false })
  if (own !== undefined && own.dev === found.dev && own.ino === found.ino) throw refused('another file than the store')
  if (hasLog(file)) throw refused('a backup: it has a log beside it, as a store in use has. Make a backup of it first')
}

/** Names the backup or the store in place of the file that is being made. */
function asOf(error: unknown, file: string, { store, made }: Making): unknown {
  if (error instanceof DiskFull) return new DiskFull({ store }, { cause: error })
  if (error instanceof StoreDamaged && error.store === made)
    return new StoreDamaged({ store: file, reason: error.reason }, { cause: error })
  if (error instanceof StoreForeign && error.store === made)
    return new StoreForeign({ store: file, reason: error.reason }, { cause: error })
  if (error instanceof SchemaTooNew && error.store === made)
    return new SchemaTooNew({ store: file, found: error.found, supported: error.supported }, { cause: error })
  if (VarveError.is(error) || !(error instanceof Error && 'code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new DiskFull({ store }, { cause: error })
  const known = classify(error, made, 'restore')
  return VarveError.is(known)
    ? asOf(known, file, { store, made, aside: '' })
    : new StoreFailed({ operation: 'restore', reason: error.message }, { cause: error })
}

function notAFile(): InvalidOption {
  const expected =
    'a SQLite file: PostgreSQL is restored with its own tools, such as pg_restore; afterwards varve receipts replay forgets again'
  return new InvalidOption({ option: 'to', received: 'a PostgreSQL store', expected })
}
