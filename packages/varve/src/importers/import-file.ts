import { shown } from '../errors/shown.ts'
import { systemClock } from '../clock/clock.ts'
import { Cancelled } from '../errors/cancelled.ts'
import { ImportFailed } from '../errors/import-failed.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { DryTargets } from './dry-run.ts'
import { type ImportFormat, importFormats } from './formats/all.ts'
import { type ImportTargets, OneTarget, RoutedTargets } from './import-targets.ts'
import type { ImportHandle, ImportItem, ImportProgress, ImportReport, ImportRoutes, ItemPage } from './importer.ts'
import { filePages } from './pages.ts'
import { Tally } from './reasons.ts'
import { repaired } from './repair.ts'
import { TrackedSessions } from './sessions.ts'
import { ImportWriter } from './writer.ts'

/** The bytes that are read between two calls of `onProgress`. */
export const progressBytes = 64 * 1024

export interface ImportOptions {
  /** The format. Default: told from the file's content. */
  readonly format?: ImportFormat | undefined
  /** True reads and counts everything and stores nothing: its report is that of the import, as the store stands. Default false. */
  readonly dryRun?: boolean | undefined
  /**
   * True gives each line to the project and user that it names, and needs a memory in place of a handle. A line that
   * names none goes to the anonymous user of project `default`. Default false: lines of another are counted and left out.
   */
  readonly route?: boolean | undefined
  /** True stores messages again that were forgotten after an earlier import. Default false: they are counted and left out. */
  readonly restoreForgotten?: boolean | undefined
  /** Called after about every 64 KiB read, and at the end. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** The store's clock, in UTC milliseconds. Default: the system's. */
  readonly now?: (() => number) | undefined
}

/**
 * Reads a file of another format into a user's memory, as a stream: its own memory is bounded.
 *
 * Lines of another user or project, and the conversations of several accounts, are left out and counted. With
 * `route: true` and the memory itself, each goes to its own user.
 *
 * Messages keep their times and ids; one without an id gets one that depends on the file only. So a second run stores
 * nothing twice, and finishes a run that was cut off.
 *
 * Throws ImportFailed for a file that cannot be read to its end: the messages before the break are stored, and the
 * reason counts them. Also throws Cancelled and the store's errors.
 *
 * @example const { stored, skipped } = await importFile(memory.for('ada'), 'chatgpt-export.zip')
 */
export function importFile(
  handle: ImportHandle,
  path: string,
  options?: ImportOptions & { readonly route?: false | undefined },
): Promise<ImportReport>
export function importFile(memory: ImportRoutes, path: string, options: ImportOptions & { readonly route: true }): Promise<ImportReport>
export async function importFile(into: ImportHandle | ImportRoutes, path: string, options: ImportOptions = {}): Promise<ImportReport> {
  if (options.format !== undefined && !importFormats.includes(options.format)) {
    throw new InvalidOption({ option: 'format', received: shown(options.format), expected: `one of ${importFormats.join(', ')}` })
  }
  const targets = targetsOf(into, options.route)
  const dry = options.dryRun === true ? new DryTargets(targets, options.now ?? (() => systemClock.now())) : undefined
  const run = new Run(dry ?? targets, options)
  try {
    return await run.read(path)
  } catch (error) {
    await run.settle()
    const kept = run.keptUntilNow()
    if (!(error instanceof ImportFailed) || kept === '') throw error
    throw new ImportFailed({ file: error.file, reason: `${error.reason} ${kept}` }, { cause: error.cause })
  }
}

function targetsOf(into: ImportHandle | ImportRoutes, route: unknown): ImportTargets {
  if (route === true && 'for' in into) return new RoutedTargets(into)
  if ((route === undefined || route === false) && 'append' in into) return new OneTarget(into)
  throw new InvalidOption({
    option: 'route',
    received: shown(route),
    expected: 'true with a memory, as in importFile(memory, path, { route: true }); without it, a handle such as memory.for(user)',
  })
}

/** One import, with its counts. */
class Run {
  readonly #options: ImportOptions
  readonly #targets: ImportTargets
  readonly #now: () => number
  readonly #startedAt: number
  readonly #tally = new Tally()
  readonly #sessions = new TrackedSessions(this.#tally)
  readonly #writer: ImportWriter
  #format: ImportFormat | undefined
  #messages = 0
  #bytes = 0
  #totalBytes = 0
  #told = 0

  constructor(targets: ImportTargets, options: ImportOptions) {
    this.#targets = targets
    this.#options = options
    this.#now = options.now ?? (() => systemClock.now())
    this.#startedAt = this.#now()
    this.#format = options.format
    this.#writer = new ImportWriter(this.#tally, options.restoreForgotten)
  }

  async read(path: string): Promise<ImportReport> {
    this.#checkSignal()
    try {
      for await (const page of filePages(path, this.#options.format)) await this.#takePage(page, path)
    } catch (error) {
      // The messages before the break are kept.
      if (error instanceof ImportFailed) await this.#writer.flush()
      throw error
    }
    await this.#writer.flush()
    this.#tell()
    return this.#report(path)
  }

  settle(): Promise<void> {
    return this.#writer.settled()
  }

  /** Returns the part of an error's text about the messages before it. */
  keptUntilNow(): string {
    const { stored, duplicates } = this.#writer
    if (stored + duplicates === 0 || this.#options.dryRun === true) return ''
    return (
      `${stored} message(s) before the break were stored and ${duplicates} were there already: import the whole file again, and ` +
      'only the rest is added.'
    )
  }

  async #takePage({ items, bytes, totalBytes, format }: ItemPage, path: string): Promise<void> {
    this.#bytes = bytes
    this.#totalBytes = totalBytes
    this.#format = format
    for (const item of items) {
      this.#checkSignal()
      await this.#lookAtAccounts(item, path)
      await this.#take(item)
    }
    if (bytes - this.#told >= progressBytes) this.#tell()
  }

  /** Before the first conversation of an account is taken, the accounts of the whole file are counted. */
  async #lookAtAccounts(item: ImportItem, path: string): Promise<void> {
    if (item.kind !== 'session' || this.#targets.severalAccounts !== undefined || !this.#targets.restsOnAccounts(item.owner)) return
    this.#targets.severalAccounts = await this.#hasSeveralAccounts(path)
  }

  /** Tells whether the conversations of a file are of several accounts. After a break nothing is taken from it. */
  async #hasSeveralAccounts(path: string): Promise<boolean> {
    let first: string | undefined
    try {
      for await (const { items } of filePages(path, this.#options.format)) {
        this.#checkSignal()
        for (const item of items) {
          const account = item.kind === 'session' ? item.owner?.account : undefined
          if (account !== undefined && account !== (first ??= account)) return true
        }
      }
    } catch (error) {
      if (!(error instanceof ImportFailed)) throw error
    }
    return false
  }

  async #take(item: ImportItem): Promise<void> {
    switch (item.kind) {
      case 'session': {
        const target = this.#targets.targetOf(item.owner)
        // The messages of another's session are counted, each by itself.
        if (typeof target !== 'string') this.#sessions.describe(item.id, target, item)
        break
      }
      case 'skipped':
        this.#tally.skip(item.reason, item.count, item.line)
        break
      case 'repaired':
        this.#tally.repair(item.reason, item.count)
        break
      case 'message': {
        const target = this.#targets.targetOf(item.owner)
        if (typeof target === 'string') {
          this.#tally.skip(target, 1, item.line)
          break
        }
        const session = this.#sessions.get(item.session, target)
        const context = { tally: this.#tally, sessions: this.#sessions, now: this.#startedAt, line: item.line }
        for (const message of repaired(session, item.message, context)) {
          this.#sessions.counted(session)
          this.#messages += 1
          await this.#writer.add(session, message)
        }
      }
    }
  }

  #checkSignal(): void {
    if (this.#options.signal?.aborted === true) throw new Cancelled({ operation: 'the import' }, { cause: this.#options.signal.reason })
  }

  #tell(): void {
    this.#told = this.#bytes
    const { stored, duplicates } = this.#writer
    this.#options.onProgress?.({ bytes: this.#bytes, totalBytes: this.#totalBytes, messages: this.#messages, stored, duplicates })
  }

  #report(path: string): ImportReport {
    if (this.#format === undefined) throw new ImportFailed({ file: path, reason: 'there is nothing in it to import.' })
    return {
      format: this.#format,
      sessions: this.#sessions.withMessages,
      messages: this.#messages - (this.#tally.skipped['refused by the store'] ?? 0),
      stored: this.#writer.stored,
      duplicates: this.#writer.duplicates,
      forgotten: this.#writer.forgotten,
      skipped: this.#tally.skipped,
      repaired: this.#tally.repaired,
      lines: this.#tally.lines,
      bytes: this.#bytes,
      ms: this.#now() - this.#startedAt,
    }
  }
}
