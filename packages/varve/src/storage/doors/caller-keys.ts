import { sql } from 'kysely'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { LimitExceeded } from '../../errors/limit-exceeded.ts'
import { shown } from '../../errors/shown.ts'
import { type Origin, origins } from '../../messages/message.ts'
import { type Access, accesses, type CallerKey, type KeyRights } from '../../keys/caller-key.ts'
import type { ApiKeyTable } from '../door-tables.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf } from '../listed.ts'
import { lost } from '../lost.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { all, first, type Program, run } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'

/** The most keys of a store that are not revoked. */
export const mostKeys = 10_000

/** The use of a key is noted at most once in this time: milliseconds. */
export const useNotedMs = 60_000

/** A key before it is stored. */
export interface KeyToMake extends KeyRights {
  readonly id: string
  /** SHA-256 of the key's text. */
  readonly digest: Uint8Array
  readonly name: string
  /** UTC milliseconds. */
  readonly expiresAt?: number | undefined
}

/** A key with the digest that its text is compared with. */
export interface StoredKey {
  readonly key: CallerKey
  readonly digest: Uint8Array
}

type KeyRow = Omit<ApiKeyTable, 'id'> & { readonly id: number }

const insert = statement<Omit<KeyRow, 'id' | 'revoked_at' | 'used_at'>>()((db, p) =>
  db
    .insertInto('api_key')
    .values({
      uuid: p('uuid'),
      digest: p('digest'),
      name: p('name'),
      project: p('project'),
      owner: p('owner'),
      access: p('access'),
      origins: p('origins'),
      impersonate: p('impersonate'),
      per_minute: p('per_minute'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
    }),
)

const byUuid = statement<{ uuid: Uint8Array }>()((db, p) => db.selectFrom('api_key').selectAll().where('uuid', '=', p('uuid')))

const countLive = statement<object>()((db) =>
  db
    .selectFrom('api_key')
    .select((e) => e.fn.countAll<number>().as('keys'))
    .where('revoked_at', 'is', null),
)

/** Gives the size of a row's text. A function, because the published package has no query builder. */
const bytes = () => sql<number>`octet_length(name) + coalesce(octet_length(project), 0) + coalesce(octet_length(owner), 0)`

const sizesOfAll = statement<{ before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('api_key')
    .select(['id as key', bytes().as('bytes')])
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const sizesOfProject = statement<{ project: string; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('api_key')
    .select(['id as key', bytes().as('bytes')])
    .where('project', '=', p('project'))
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

const byIds = statement<{ ids: string }>()((db, p, d) =>
  db
    .selectFrom('api_key')
    .selectAll()
    .where('id', 'in', d.numbers(p('ids'))),
)

// An empty owner is no user's name: should a check of `revoked_at` be missing, the key reaches nobody.
const revoke = statement<{ id: number; now: number }>()((db, p) =>
  db
    .updateTable('api_key')
    .set((e) => ({ revoked_at: p('now'), name: '', owner: e.case().when('owner', 'is', null).then(null).else('').end() }))
    .where('id', '=', p('id'))
    .where('revoked_at', 'is', null),
)

const noteUse = statement<{ uuid: Uint8Array; now: number; before: number }>()((db, p) =>
  db
    .updateTable('api_key')
    .set({ used_at: p('now') })
    .where('uuid', '=', p('uuid'))
    .where((e) => e.or([e('used_at', 'is', null), e('used_at', '<', p('before'))])),
)

const wordsOfProject = statement<{ project: string }>()((db, p) =>
  db.selectFrom('api_key').select(['name', 'owner']).where('project', '=', p('project')),
)

const dropOfProject = statement<{ project: string }>()((db, p) => db.deleteFrom('api_key').where('project', '=', p('project')))

/** Stores a new key. InvalidOption when it has expired already, LimitExceeded when the store has too many. */
export function* createKey(key: KeyToMake, now: number): Program<CallerKey> {
  const { id, digest, name, project, user, access, perMinute, expiresAt } = key
  const uuid = uuidBytes(id)
  if (uuid === undefined) throw new TypeError(`not a uuid: ${id}`)
  if (expiresAt !== undefined && expiresAt <= now)
    throw new InvalidOption({ option: 'expiresAt', received: shown(expiresAt), expected: 'a time in the future' })
  const live = (yield* first(countLive, {}))?.keys ?? 0
  if (live >= mostKeys) throw new LimitExceeded({ what: 'the store', unit: 'keys', count: live + 1, most: mostKeys })
  yield* run(insert, {
    ...{ uuid, digest, name, project: project ?? null, owner: user ?? null, access },
    origins: key.origins === undefined ? null : JSON.stringify(key.origins),
    impersonate: Number(key.impersonate),
    per_minute: perMinute ?? null,
    created_at: now,
    expires_at: expiresAt ?? null,
  })
  const made = yield* first(byUuid, { uuid })
  if (made === undefined) throw lost('key')
  return keyOfRow(made)
}

/** Returns a key by its id, revoked or not; undefined when there is none. */
export function* storedKey(id: string): Program<StoredKey | undefined> {
  const row = yield* rowOf(id)
  return row === undefined ? undefined : { key: keyOfRow(row), digest: row.digest }
}

function* rowOf(id: string): Program<KeyRow | undefined> {
  const uuid = uuidBytes(id)
  return uuid === undefined ? undefined : yield* first(byUuid, { uuid })
}

/** Returns keys, the newest first: of one project, or all. */
export function* callerKeys(project: string | undefined, request: ListRequest): Program<Listed<CallerKey>> {
  const [before] = placeOf('key', request, /(\d{1,15})/) ?? [Number.MAX_SAFE_INTEGER]
  const { limit } = request
  const range = { before: Number(before), limit: limit + 1 }
  const places = project === undefined ? yield* all(sizesOfAll, range) : yield* all(sizesOfProject, { project, ...range })
  return yield* pageOf(
    { places, limit, cursorOf: ({ key }) => cursorTo('key', key) },
    (ids) => all(byIds, { ids: JSON.stringify(ids) }),
    (row) => row.id,
    listedKey,
  )
}

/**
 * Revokes a key, and empties its name and its user. A key that was revoked stays as it is. Returns undefined when there
 * is none, or none of the given project.
 */
export function* revokeKey(id: string, project: string | undefined, now: number): Program<CallerKey | undefined> {
  const row = yield* rowOf(id)
  if (row === undefined || (project !== undefined && row.project !== project)) return undefined
  yield* run(revoke, { id: row.id, now })
  const revoked = yield* rowOf(id)
  return revoked === undefined ? undefined : listedKey(revoked)
}

/** Notes that a key was used, at most once a minute. */
export function* noteKeyUse(id: string, now: number): Program<void> {
  const uuid = uuidBytes(id)
  if (uuid !== undefined) yield* run(noteUse, { uuid, now, before: now - useNotedMs })
}

/** Deletes the keys of a project, whose words the files are then searched for. */
export function* dropKeysOf(project: string, needles: Needles): Program<void> {
  const rows = yield* all(wordsOfProject, { project })
  if (rows.length === 0) return
  const words = rows.flatMap(({ name, owner }) => [name, owner ?? '']).map((word) => new TextEncoder().encode(word))
  needles.add(words.filter(({ length }) => length >= leastTelling))
  yield* run(dropOfProject, { project })
}

/** A key as it is listed: the user of a revoked one is not known any more. */
function listedKey(row: KeyRow): CallerKey {
  const { user, ...key } = keyOfRow(row)
  return user === undefined || user === '' ? key : { ...key, user }
}

function keyOfRow(row: KeyRow): CallerKey {
  return {
    id: uuidText(row.uuid),
    ...(row.name === '' ? {} : { name: row.name }),
    ...(row.project === null ? {} : { project: row.project }),
    ...(row.owner === null ? {} : { user: row.owner }),
    access: accessOf(row.access),
    ...(row.origins === null ? {} : { origins: originsOf(row.origins) }),
    impersonate: row.impersonate === 1,
    ...(row.per_minute === null ? {} : { perMinute: row.per_minute }),
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.used_at === null ? {} : { usedAt: row.used_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  }
}

/** A word that no version of Varve wrote gives the least. */
function accessOf(stored: string): Access {
  return accesses.find((access) => access === stored) ?? 'read'
}

function originsOf(stored: string): readonly Origin[] {
  const given: readonly unknown[] = JSON.parse(stored)
  return origins.filter((origin) => given.includes(origin))
}
