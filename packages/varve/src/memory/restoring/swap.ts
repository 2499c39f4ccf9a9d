import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { StoreForeign } from '../../errors/store-foreign.ts'

/** Stands in the name of a store that is being made, after the name of the store that it will be. */
const makingMark = '.restoring-'

/** Stands in the name under which the old store is kept until the new one stands. */
const asideMark = '.before-restore-'

/** A new store that may take the place of another. */
export interface Making {
  readonly store: string
  /** The file of the new store. */
  readonly made: string
  /** The name under which the old store is kept meanwhile. */
  readonly aside: string
}

export function makingOf(store: string, id: string): Making {
  return { store, made: `${store}${makingMark}${id}`, aside: `${store}${asideMark}${id}` }
}

/**
 * Refuses a place in which something would be lost: a log without its store, which SQLite would read into the new one,
 * or the store that a killed restore had put aside.
 */
export function refuseRemains(store: string): void {
  if (existsSync(store) && statSync(store).size > 0) return
  for (const log of [`${store}-wal`, `${store}-journal`])
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw new StoreForeign({ store, reason: `it is not there, but its log ${log} is. Put it elsewhere` })
  const aside = namesBeside(store, asideMark).at(-1)
  if (aside !== undefined)
    throw new StoreForeign({
      store,
      reason: `it is not there, and a stopped restore left it as ${aside}. Rename that file, or put it elsewhere`,
    })
}

/**
 * Gives the new store the name of the old one. At every moment the old store is there, under its own name or under the one
 * aside. The store has no log, or one that goes aside with it.
 */
export function takePlaceOf({ store, made, aside }: Making): void {
  keepAside(store, aside)
  // A log without the right to be read: SQLite would read it into the new store.
  if (existsSync(`${store}-wal`)) renameSync(`${store}-wal`, `${aside}-wal`)
  rmSync(`${store}-shm`, { force: true })
  renameSync(made, store)
  syncFolder(store)
}

/** Gives the new store a name that no file has. */
export function takeFreePlace({ store, made }: Making): void {
  // SQLite's own empty file, from an open that was killed.
  if (statSync(store, { throwIfNoEntry: false })?.size === 0) rmSync(store)
  try {
    linkSync(made, store)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw taken(store, error)
    renameSync(made, store)
  }
  syncFolder(store)
}

export function taken(store: string, cause?: unknown): InvalidOption {
  return new InvalidOption({ option: 'to', received: store, expected: 'a path where no store is yet, unless overwrite is true' }, { cause })
}

/** A second name for the same file, so that the first is never missing. Some file systems have none: there it is renamed. */
function keepAside(store: string, aside: string): void {
  try {
    linkSync(store, aside)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(error.code))))
      throw error
    renameSync(store, aside)
  }
  syncFolder(store)
}

/**
 * Makes the old store unreadable. Another process may still have its file open and wait for the lock; its writes would be
 * lost with the file. The first bytes of a database mark it as one: they are overwritten.
 */
export function endOld({ aside }: Making): void {
  const descriptor = openSync(aside, 'r+')
  try {
    writeSync(descriptor, new Uint8Array(16), 0, 16, 0)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes what a restore made beside a store, this one's or a killed one's. Old stores that were kept aside go when a new one stands. */
export function clearBeside({ store, made }: Making, isDone: boolean): void {
  const own = namesBeside(store, basename(made).slice(basename(store).length))
  const others = isDone ? [...namesBeside(store, makingMark), ...namesBeside(store, asideMark)] : []
  for (const path of [...own, ...others]) rmSync(path, { force: true })
  if (isDone) syncFolder(store)
}

function namesBeside(store: string, mark: string): string[] {
  if (!existsSync(dirname(store))) return []
  const names = readdirSync(dirname(store)).filter((name) => name.startsWith(`${basename(store)}${mark}`))
  return names.toSorted().map((name) => join(dirname(store), name))
}

function syncFolder(store: string): void {
  const descriptor = openSync(dirname(store), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
