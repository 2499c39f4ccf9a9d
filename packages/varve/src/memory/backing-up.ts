import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Cancelled } from '../errors/cancelled.ts'
import { DiskFull } from '../errors/disk-full.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { StoreFailed } from '../errors/store-failed.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { Engine } from '../engine/engine.ts'
import { calledOn } from '../engine/port.ts'
import type { Observer } from '../observe/observer.ts'
import type { Backup, BackupRequest } from '../operations/made-backup.ts'
import type { transferReads } from '../transfer/reads.ts'

interface BackingUp {
  readonly engine: Engine
  readonly observer: Observer
  /** Absolute path of the store, or ':memory:'. */
  readonly store: string
}

/** The pause between two events that tell how far a backup is. */
const toldEveryMs = 500

/** A part that nobody wrote to for so long was left by a process that died. */
const leftAfterMs = 3_600_000

/** Stands in the name of a copy that is not whole yet, after the target's name. */
const partMark = '.part-'

/** The ends of the names of files that belong to a store. */
const companions = ['', '-wal', '-shm', '-journal', '-reserve'] as const

/**
 * Copies the store into a part beside the target, which gets the target's name once it is verified and durable: a target
 * is a whole backup, or not there.
 */
export async function backUp(
  { engine, observer, store }: BackingUp,
  { path, overwrite }: BackupRequest,
  signal: AbortSignal | undefined,
): Promise<Backup> {
  const begun = performance.now()
  const file = targetOf(path)
  const part = `${file}${partMark}${randomUUID()}`
  try {
    await refuseTarget(file, store, overwrite)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await removeParts(file, async (name) => Date.now() - (await stat(name)).mtimeMs > leftAfterMs)
    using _telling = tellingProgress(observer, part, store)
    const copied = await calledOn<typeof transferReads>('transfer', (name, args) => engine.call('read', name, args, signal)).copy(part)
    if (signal?.aborted === true) throw new Cancelled({ operation: 'backup' }, { cause: signal.reason })
    await putInPlace(part, file, overwrite)
    const { bytes, messages, receipts, at, lastReceipt } = copied
    const last = lastReceipt === undefined ? {} : { lastReceipt }
    return { file, bytes, messages, receipts, at, ...last, ms: Math.round(performance.now() - begun) }
  } catch (error) {
    throw asTold(error, file, part)
  } finally {
    await removeParts(file, async (name) => name.startsWith(part))
  }
}

const notThere = 'a path where no file is yet, unless overwrite is true'

/** A path is told as it is: the caller named it. */
function refused(received: string, expected: string): InvalidOption {
  return new InvalidOption({ option: 'path', received, expected })
}

function targetOf(path: string): string {
  if (path.trim() === '' || path.includes('\0') || path === ':memory:') throw refused(JSON.stringify(path), 'the path of a file')
  return resolve(path)
}

/** Refuses a target that is not a file, that may not be overwritten, or that belongs to the store. */
async function refuseTarget(file: string, store: string, overwrite: boolean): Promise<void> {
  const found = await lstatOf(file)
  if (found?.isSymbolicLink() === true) throw refused(file, 'a file, not a link to one')
  if (found !== undefined && !found.isFile()) throw refused(file, 'the path of a file, and something else is there')
  if (store !== ':memory:') {
    for (const end of companions) {
      const own = await statOf(`${store}${end}`)
      const isSame = own !== undefined && found !== undefined && own.dev === found.dev && own.ino === found.ino
      if (isSame || file === `${store}${end}`) throw refused(file, 'a path outside of the store’s own files')
    }
  }
  if (found !== undefined && !overwrite) throw refused(file, notThere)
}

async function lstatOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(whereMissing)
}

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(whereMissing)
}

function whereMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
  throw error
}

/** Gives a part the target's name. The folder is made durable too: it holds the name. */
async function putInPlace(part: string, file: string, overwrite: boolean): Promise<void> {
  if (overwrite) await rename(part, file)
  // Unlike a rename, a link fails where somebody made the file meanwhile.
  else await link(part, file)
  const folder = await open(dirname(file), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function removeParts(file: string, isLeft: (path: string) => Promise<boolean>): Promise<void> {
  const names = (await readdir(dirname(file)).catch(whereMissing)) ?? []
  for (const name of names.filter((one) => one.startsWith(`${basename(file)}${partMark}`))) {
    const path = join(dirname(file), name)
    // Another backup may be done with its part at this moment.
    const goes = await isLeft(path).catch(whereMissing)
    if (goes === true) await rm(path, { force: true })
  }
}

/** Tells from time to time how many bytes are written, of about how many. Each byte is written twice. */
function tellingProgress(observer: Observer, part: string, store: string): Disposable {
  const tell = async (): Promise<void> => {
    const [made, pages, of] = await Promise.all([part, `${part}-pages`, store].map(async (path) => (await statOf(path))?.size))
    // The pages go when the rest is made.
    const bytes = (made ?? 0) + (made === undefined || made === 0 ? (pages ?? 0) : (of ?? 0))
    observer.emit({ type: 'backing-up', bytes, totalBytes: Math.max(bytes, 2 * (of ?? 0)) })
  }
  const timer = setInterval(() => void tell().catch(() => clearInterval(timer)), toldEveryMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Names the target in place of its part, and says what a failure of the file system means. */
function asTold(error: unknown, file: string, part: string): unknown {
  if (error instanceof DiskFull) return new DiskFull({ store: file }, { cause: error })
  if (VarveError.is(error) || !(error instanceof Error && 'code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new DiskFull({ store: file }, { cause: error })
  if (error.code === 'EEXIST' && 'syscall' in error && error.syscall === 'link') return refused(file, notThere)
  return new StoreFailed({ operation: 'backup', reason: error.message.replaceAll(part, file) }, { cause: error })
}
