import { sql } from 'kysely'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { ownerKinds } from '../partitions.ts'
import { type Program, all, first } from '../program.ts'
import type { ContextRecordTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'

/** The newest contexts of a partition that can be shown again. Of older ones only the hashes stay, for the check of echoes. */
export const shownContextsKept = 200

/** The most bytes of one record. One over it drops its signals, then its omissions; one still over it is not kept. */
export const mostShownBytes = 64 * 1024

/** An item as a context showed it: ids and numbers, no words. One without an id was forgotten since. */
export interface ShownItem {
  readonly id?: string
  /** Its kind, when it is another than its tier's: a turn of a session that has no gist. */
  readonly kind?: 'message'
  readonly tokens: number
  /** Items of one group stand under one heading. */
  readonly group: number
  /** A keyed hash of its line and heading. Absent when its words were erased or replaced since. */
  readonly hash?: string
  readonly score?: number
  readonly signals?: readonly (readonly [name: string, value: number])[]
  /** The revision of a block, a document or notes. */
  readonly revision?: number
  /** The shown parts of a long text: from, to, from, to, … */
  readonly ranges?: readonly number[]
  /** Ids of the messages that ended a state which its line tells. */
  readonly by?: readonly string[]
}

/** The banks in a context: the tokens that they had together, and a keyed hash of each block. */
export interface ShownBankBlocks {
  readonly room: number
  readonly hashes: readonly string[]
  /** The last ordinals of the user's own and the shared entries at the time. */
  readonly upTo: readonly [own: number, shared: number]
  /** The number of the session whose entries were left out. */
  readonly excluded?: number
  /** The number of the session whose newest turns were shown. */
  readonly running?: number
}

export interface ShownSection {
  readonly tier: string
  readonly tokens: number
  readonly items: readonly ShownItem[]
}

/** Items that were left out for one reason. Their ids are kept as keyed hashes: a reader who has an id can look for it. */
export interface ShownOmission {
  readonly tier: string
  readonly count: number
  readonly reason: string
  readonly marks?: readonly string[]
}

/** A tier whose candidates were as many as it takes: the least score among them, where they have one. */
export interface ShownCut {
  readonly tier: string
  readonly count: number
  readonly score?: number
}

/** Everything that is kept of a context to show it again. */
export interface ShownContext {
  /** A keyed hash of the question. */
  readonly question: string
  readonly maxTokens: number
  readonly tokens: number
  /** A keyed hash of its text without the persona. Absent when something in it was erased or replaced since. */
  readonly text?: string
  /** The share and the limit of each tier. */
  readonly tiers: Readonly<Record<string, readonly [share: number, limit: number]>>
  readonly sections: readonly ShownSection[]
  readonly banks?: ShownBankBlocks
  readonly omitted: readonly ShownOmission[]
  readonly cuts: readonly ShownCut[]
}

/** A stored context, and whose it is. */
export interface StoredContext {
  readonly key: number
  readonly id: string
  readonly partition: number
  readonly project: string
  /** Absent for the anonymous user. */
  readonly user?: string
  readonly session?: string
  readonly at: number
  readonly shown: ShownContext
}

type Row = Pick<ContextRecordTable, 'id' | 'uuid' | 'partition_id' | 'session' | 'created_at' | 'shown'> & {
  readonly owner: string
  readonly owner_kind: number
  readonly project: string
}

const columns = [
  'context_record.id',
  'context_record.uuid',
  'context_record.partition_id',
  'context_record.session',
  'context_record.created_at',
  'context_record.shown',
  'partition.owner',
  'partition.owner_kind',
  'project.name as project',
] as const

const byUuid = statement<{ uuid: Uint8Array }>()((db, p) =>
  db
    .selectFrom('context_record')
    .innerJoin('partition', 'partition.id', 'context_record.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(columns)
    .where('uuid', '=', p('uuid'))
    .where('shown', 'is not', null),
)

const byUuidIn = statement<{ uuid: Uint8Array; partition: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .innerJoin('partition', 'partition.id', 'context_record.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(columns)
    .where('uuid', '=', p('uuid'))
    .where('context_record.partition_id', '=', p('partition'))
    .where('shown', 'is not', null),
)

const byKeys = statement<{ partition: number; keys: string }>()((db, p, d) =>
  db
    .selectFrom('context_record')
    .innerJoin('partition', 'partition.id', 'context_record.partition_id')
    .innerJoin('project', 'project.id', 'partition.project_id')
    .select(columns)
    .where('context_record.id', 'in', d.numbers(p('keys')))
    .$call(d.within(p('partition'), 'context_record'))
    .where('shown', 'is not', null),
)

const places = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id as key', sql<number>`octet_length(shown)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('shown', 'is not', null)
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const placesOfSession = statement<{ partition: number; session: string; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('context_record')
    .select(['id as key', sql<number>`octet_length(shown)`.as('bytes')])
    .where('partition_id', '=', p('partition'))
    .where('session', '=', p('session'))
    .where('shown', 'is not', null)
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/**
 * Reads a context that can be shown again, of one partition or of any; undefined for any other id. That of another
 * partition is not even found: to read it would take longer, and tell that it is there.
 */
export function* pastContext(id: string, partition: number | undefined): Program<StoredContext | undefined> {
  const uuid = uuidBytes(id)
  if (uuid === undefined) return undefined
  const row = partition === undefined ? yield* first(byUuid, { uuid }) : yield* first(byUuidIn, { uuid, partition })
  return row === undefined ? undefined : stored(row)
}

/** Lists contexts of a partition, or of one session in it, the newest first. */
export function* pastContexts(partition: number, session: string | undefined, request: ListRequest): Program<Listed<StoredContext>> {
  const [before] = placeOf('shown', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const asked = { partition, before: Number(before), limit: limit + 1 }
  return yield* pageOf(
    {
      places: session === undefined ? yield* all(places, asked) : yield* all(placesOfSession, { ...asked, session }),
      limit,
      cursorOf: ({ key }) => cursorTo('shown', key),
    },
    (keys) => all(byKeys, { partition, keys: JSON.stringify(keys) }),
    (row) => row.id,
    stored,
  )
}

function stored({ id, uuid, partition_id: partition, session, created_at: at, shown, ...of }: Row): StoredContext {
  const parsed: ShownContext = JSON.parse(shown ?? '{}')
  return {
    key: id,
    id: uuidText(uuid),
    partition,
    project: of.project,
    ...(of.owner_kind === ownerKinds.user ? { user: of.owner } : {}),
    ...(session === '' ? {} : { session }),
    at,
    shown: parsed,
  }
}

/** Writes a context for the store; null for one that is over the bound. */
export function shownText(shown: ShownContext): string | null {
  const withoutSignals = (): ShownContext => ({
    ...shown,
    sections: shown.sections.map((section) => ({ ...section, items: section.items.map(({ signals: _signals, ...item }) => item) })),
  })
  const forms = [
    () => shown,
    withoutSignals,
    () => ({ ...withoutSignals(), omitted: shown.omitted.map(({ marks: _marks, ...one }) => one) }),
  ]
  for (const form of forms) {
    const text = JSON.stringify(form())
    // Ids, hashes and the names of tiers are ASCII; a reason has a few signs more.
    if (Buffer.byteLength(text) <= mostShownBytes) return text
  }
  return null
}

/**
 * Takes forgotten items out of a context: of each stays its tier, its tokens and its group. Items in `rewritten` have
 * other words now: they keep their id, and lose the hash of the old words.
 */
export function shownWithout(text: string, gone: ReadonlySet<string>, rewritten: ReadonlySet<string>): string {
  const shown: ShownContext = JSON.parse(text)
  let isBankTouched = false
  const itemWithout = (item: ShownItem, tier: string): ShownItem => {
    const { id, by = [], kind, tokens, group } = item
    const isGone = id !== undefined && gone.has(id) && !rewritten.has(id)
    const isBehind = by.some((one) => gone.has(one) || rewritten.has(one))
    if (tier === 'bank' && (isGone || isBehind)) isBankTouched = true
    if (isGone) return kind === undefined ? { tokens, group } : { kind, tokens, group }
    const { hash: _hash, ranges: _ranges, by: _by, ...rest } = item
    const isRewritten = id !== undefined && rewritten.has(id)
    return isRewritten || isBehind ? rest : item
  }
  const sections = shown.sections.map((section) => ({ ...section, items: section.items.map((item) => itemWithout(item, section.tier)) }))
  const { banks, text: _text, ...rest } = shown
  return JSON.stringify({
    ...rest,
    sections,
    ...(banks === undefined ? {} : { banks: isBankTouched ? { ...banks, hashes: [] } : banks }),
  } satisfies ShownContext)
}
