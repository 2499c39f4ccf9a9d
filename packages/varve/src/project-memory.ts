import { Bank } from './bank-handle.ts'
import { bankTokens } from './bank/settings.ts'
import { layerBitsOf, type LayerOptions } from './configuration.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import { longest } from './facts/request.ts'
import type { Ground } from './ground.ts'
import { listOf } from './list.ts'
import { callsOn } from './layer-calls.ts'
import type { CallOptions } from './call.ts'
import { type NotesSettings, notesSettings } from './notes/settings.ts'
import type { Recalled } from './recall/hit.ts'
import type { RecallOptions } from './recall/request.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import { partitionId, type ProjectName } from './scope/partition.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import { mostListedItems } from './storage/listed.ts'
import { recallOn } from './asking.ts'
import { Blocks } from './user-blocks.ts'
import { Documents } from './user-documents.ts'

/** A project's settings. */
export interface ProjectSettings {
  /** IANA zone for days and sittings. Default UTC. Entries that are there keep their days: `bank.rebuild()` makes them anew. */
  readonly timeZone?: string
  /** What is derived from messages. Default: what the memory was opened with. */
  readonly layers?: LayerOptions
  /**
   * The most of one local day: requests to language models, and their tokens. What would pass it is written by the
   * extractive writer, and again another day.
   */
  readonly ceiling?: { readonly calls?: number; readonly tokens?: number }
  /** Tokens of a rendered bank, 200 to 10,000. Default 2,000. */
  readonly bank?: { readonly maxTokens?: number }
  /**
   * Predicates that have one object at a time (`single`) or several (`multi`), beside those that are known, or
   * against what is known of them.
   */
  readonly predicates?: Readonly<Record<string, 'single' | 'multi'>>
  /** When notes of sessions are brought up to date, how long they may be, and what their sections are. What is left out is as usual. */
  readonly notes?: Partial<NotesSettings>
}

/** What members see once a bank is shared, to be told to them: with what a member does to keep out a session, or all of theirs. */
export function sharingNoticeNaming(keepOut: { readonly session: string; readonly all: string }): string {
  return (
    'Summaries of the conversations of every member of this project become part of what its other members’ agents read. A member ' +
    `can keep a session out (${keepOut.session}), or all of theirs (${keepOut.all}). Switching off withdraws what was shared.`
  )
}

const sharingNotice = sharingNoticeNaming({ session: 'sessions.share(id, false)', all: 'settings.set({ share: false })' })

/** Whether a project's bank is shared. */
export interface Sharing {
  readonly on: boolean
  /** Sessions begun since then feed it: UTC milliseconds; 0 for all. */
  readonly since?: number
  /** What members see. */
  readonly notice: string
  /** Of what was withdrawn. */
  readonly receipt?: Receipt
}

export interface SharingOptions {
  /** That members were told what the notice says. Needed for `backfill`. */
  readonly acknowledge?: boolean
  /** Whether sessions that were begun before feed it too. */
  readonly backfill?: boolean
}

const sharingOptions: ReadonlySet<string> = new Set(['acknowledge', 'backfill'])

/** What a project's members share. Whoever holds this handle may switch sharing, correct and clear. */
export class ProjectBank extends Bank {
  readonly #ground: Ground
  readonly #name: ProjectName
  readonly #recall: (query: string, options: RecallOptions & CallOptions) => Promise<Recalled>

  constructor(ground: Ground, name: ProjectName) {
    const partition = partitionId(name, { kind: 'shared' })
    const recall = (query: string, options: RecallOptions & CallOptions): Promise<Recalled> =>
      recallOn(ground, { partition, project: name }, query, options)
    super({ guarded: callsOn(ground, partition, () => undefined), recall })
    this.#recall = recall
    this.#ground = ground
    this.#name = name
  }

  /** Finds entries of the shared bank, and messages of the sessions that feed it; nothing that a member kept private. */
  override search(query: string, options: Omit<RecallOptions, 'kinds'> & CallOptions = {}): Promise<Recalled> {
    return this.#recall(query, { ...options, kinds: ['bank', 'message'] })
  }

  /** Whether it is on. */
  async sharing(): Promise<Sharing> {
    return { ...(await this.#ground.engine.read('projects.sharing', this.#name)), notice: sharingNotice }
  }

  /**
   * Off by default. On: sessions begun from now on feed it. Off: all that was shared is withdrawn. The notice is what
   * members must know.
   */
  async setSharing(on: boolean, options: SharingOptions = {}): Promise<Sharing> {
    refuseUnknown(options, sharingOptions)
    const { acknowledge = false, backfill = false } = options
    if (typeof on !== 'boolean') throw new InvalidOption({ option: 'on', received: shown(on), expected: 'true or false' })
    if (backfill && !acknowledge)
      throw new InvalidOption({
        option: 'backfill',
        received: 'true',
        expected: `used with acknowledge: true, once members were told: ${sharingNotice}`,
      })
    const { engine, finishErasure } = this.#ground
    const { sharing, receipt } = await engine.write('projects.setSharing', this.#name, on, backfill)
    return { ...sharing, notice: sharingNotice, ...(receipt === undefined ? {} : { receipt: await finishErasure(receipt) }) }
  }
}

/** What belongs to a project as a whole. */
export class ProjectMemory {
  readonly settings: {
    get(): Promise<ProjectSettings>
    /** Merges; `null` takes a setting back to its default. */
    set(changes: { readonly [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null }): Promise<ProjectSettings>
  }
  /** Working memory that all members read, and only this handle writes. */
  readonly blocks: Blocks
  /** Markdown pages that all members read, and only this handle writes. */
  readonly documents: Documents
  /** The shared bank. */
  readonly bank: ProjectBank
  readonly #ground: Ground
  readonly #name: ProjectName

  constructor(ground: Ground, name: ProjectName) {
    this.#ground = ground
    this.#name = name
    const partition = partitionId(name, { kind: 'shared' })
    const guarded = callsOn(ground, partition, () => undefined)
    this.blocks = new Blocks({ guarded }, { isProject: true })
    this.documents = new Documents({ guarded, recall: (query, options) => recallOn(ground, { partition, project: name }, query, options) })
    this.bank = new ProjectBank(ground, name)
    const { engine } = ground
    this.settings = {
      get: () => engine.read('projects.settings', name),
      set: async (changes) => engine.write('projects.set', name, checkedSettings(changes)),
    }
  }

  /** Names of the users who have a partition here, in order. */
  async users(): Promise<readonly string[]> {
    return listOf(await this.#ground.engine.read('projects.users', this.#name, { limit: mostListedItems }))
  }
}

/** Each setting by its name: throws InvalidOption for a value that it cannot have. */
const checks: Readonly<Record<string, (value: unknown) => void>> = {
  timeZone: (value) => {
    if (!isTimeZone(value))
      throw new InvalidOption({ option: 'settings.timeZone', received: shown(value), expected: 'an IANA time zone such as Europe/Berlin' })
  },
  layers: (value) => void layerBitsOf(value),
  ceiling: (value) => {
    for (const [name, most] of entriesOf('ceiling', value, ['calls', 'tokens']))
      inRange(`settings.ceiling.${name}`, most, 0, Number.MAX_SAFE_INTEGER, true)
  },
  bank: (value) => {
    for (const [name, tokens] of entriesOf('bank', value, ['maxTokens']))
      inRange(`settings.bank.${name}`, tokens, bankTokens.least, bankTokens.most, true)
  },
  predicates: checkValuing,
  notes: (value) => void notesSettings(value),
}

function checkedSettings(changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const [name, value] of Object.entries(givenObject('settings', changes))) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined)
      throw new InvalidOption({
        option: `settings.${name}`,
        received: shown(value),
        expected: `absent: known settings are ${Object.keys(checks).join(', ')}`,
      })
    if (value !== null) check(value)
  }
  return changes
}

/** Predicates that a project may say something of, at most. */
const mostPredicates = 1_000

function checkValuing(value: unknown): void {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length <= mostPredicates
  const wrong = isMap
    ? Object.entries(value).find(
        ([name, valued]) => name.trim() === '' || name.length > longest.predicate || (valued !== 'single' && valued !== 'multi'),
      )
    : []
  if (wrong !== undefined)
    throw new InvalidOption({
      option: 'settings.predicates',
      received: shown(value),
      expected: `an object of at most ${mostPredicates} predicates, each single or multi`,
    })
}

function entriesOf(setting: string, value: unknown, known: readonly string[]): [string, unknown][] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap || Object.keys(value).some((key) => !known.includes(key))) {
    throw new InvalidOption({
      option: `settings.${setting}`,
      received: shown(value),
      expected: `an object with any of: ${known.join(', ')}`,
    })
  }
  return Object.entries(value)
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
