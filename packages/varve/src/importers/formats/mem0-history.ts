import * as z from 'zod'
import { ImportFailed } from '../../errors/import-failed.ts'
import { type ForeignTables, withForeignTables } from '../../memory/stores/open-foreign.ts'
import type { ImportItem, ImportSource } from '../importer.ts'
import { ownerOfLine, type StatedOwner } from '../stated-owner.ts'
import { mem0Session, timeOfWords } from './mem0.ts'
import { roleOf } from './values.ts'

/** A table of mem0's history, with its columns by our words. */
interface HistoryTable {
  readonly table: string
  readonly text: string
  readonly event: string
}

/** The library for Python writes the first, that for TypeScript the second. */
const tables: readonly HistoryTable[] = [
  { table: 'history', text: 'new_memory', event: 'event' },
  { table: 'memory_history', text: 'new_value', event: 'action' },
]

const messageColumns = ['id', 'session_scope', 'role', 'content', 'created_at']

const row = z.object({
  id: z.string(),
  text: z.string().nullable(),
  event: z.string().nullable(),
  deleted: z.number().nullable(),
  began: z.unknown(),
  created: z.unknown(),
  updated: z.unknown(),
})

/**
 * Reads mem0's history database: each memory as its last event left it. One whose last event is DELETE stays deleted,
 * and what a memory said before an UPDATE is left out.
 *
 * The history names no user. The messages beside it name theirs: where these are several, no memory is told to be
 * anybody's.
 */
export async function* readMem0History(source: ImportSource): AsyncGenerator<ImportItem> {
  // SQLite reads the file itself.
  const unread = source.bytes[Symbol.asyncIterator]()
  await unread.return?.()
  yield* withForeignTables(source.file, (foreign) => historyItems(source.file, foreign))
}

function* historyItems(file: string, foreign: ForeignTables): Generator<ImportItem> {
  const found = tables.filter(({ table, text, event }) => {
    const columns = foreign.columns(table)
    return ['memory_id', text, event].every((column) => columns.has(column))
  })
  if (found.length === 0)
    throw new ImportFailed({
      file,
      reason: "it is an SQLite database without mem0's history. Of other programs' databases none is read: export JSON there.",
    })
  const hasMessages = messageColumns.every((column) => foreign.columns('messages').has(column))
  const owners = hasMessages ? ownersOf(foreign) : []
  for (const table of found) yield* memoryItems(foreign, table, owners)
  if (hasMessages) yield* messageItems(foreign)
}

/** Returns the owners that the scopes of messages name. */
function ownersOf(foreign: ForeignTables): readonly (StatedOwner | undefined | 'unreadable')[] {
  const owners = new Map<string, StatedOwner | undefined | 'unreadable'>()
  for (const { scope } of foreign.rows('SELECT DISTINCT session_scope AS scope FROM messages')) {
    const owner = ownerOfScope(scope)
    owners.set(JSON.stringify(owner ?? null), owner)
    if (owners.size > 1) break
  }
  return [...owners.values()]
}

function* memoryItems(
  foreign: ForeignTables,
  { table, text, event }: HistoryTable,
  owners: ReturnType<typeof ownersOf>,
): Generator<ImportItem> {
  const [owner] = owners
  for (const found of foreign.rows(lastEvents(foreign.columns(table), table, text, event))) {
    const parsed = row.safeParse(found)
    if (!parsed.success) yield { kind: 'skipped', reason: 'not a memory' }
    else if (parsed.data.event?.toUpperCase() === 'DELETE' || parsed.data.deleted === 1)
      yield { kind: 'skipped', reason: 'deleted in its source' }
    else if (owners.length > 1 || owner === 'unreadable') yield { kind: 'skipped', reason: 'of one of several accounts' }
    else {
      if (owner === undefined) yield { kind: 'repaired', reason: 'owner not stated' }
      yield memoryOf(parsed.data, owner)
    }
  }
}

/** Asks for the last event of each memory, and the time of its first, in the order in which the memories began. */
function lastEvents(columns: ReadonlySet<string>, table: string, text: string, event: string): string {
  const column = (of: string, name: string): string => (columns.has(name) ? `${of}.${name}` : 'NULL')
  return (
    `SELECT last.memory_id AS id, last.${text} AS text, last.${event} AS event, ${column('last', 'is_deleted')} AS deleted, ` +
    `${column('begin', 'created_at')} AS began, ${column('last', 'created_at')} AS created, ${column('last', 'updated_at')} AS updated ` +
    `FROM (SELECT min(rowid) AS first_row, max(rowid) AS last_row FROM ${table} GROUP BY memory_id) ` +
    `JOIN ${table} AS last ON last.rowid = last_row JOIN ${table} AS begin ON begin.rowid = first_row ORDER BY first_row`
  )
}

function memoryOf({ id, text, began, created, updated }: z.infer<typeof row>, owner: StatedOwner | undefined): ImportItem {
  const told = timeOfWords(began ?? created, updated ?? created)
  const metadata = { importedFrom: mem0Session, ...told.began }
  return {
    kind: 'message',
    session: mem0Session,
    owner,
    message: { role: 'tool', origin: 'tool', name: mem0Session, content: text ?? '', id, at: told.at, metadata },
  }
}

/** Reads the latest messages of each scope, which mem0 keeps beside the history: they are the people's own words. */
function* messageItems(foreign: ForeignTables): Generator<ImportItem> {
  for (const found of foreign.rows(
    'SELECT id, session_scope AS scope, role, content, created_at AS at FROM messages ORDER BY created_at, rowid',
  )) {
    const { id, scope, role: given, content, at } = found
    const role = roleOf(typeof given === 'string' ? given : '')
    const owner = ownerOfScope(scope)
    if (role === undefined || typeof content !== 'string')
      yield { kind: 'skipped', reason: role === undefined ? 'unknown role' : 'not a message' }
    else if (owner === 'unreadable') yield { kind: 'skipped', reason: 'unreadable owner' }
    else {
      yield {
        kind: 'message',
        session: typeof scope === 'string' && scope !== '' ? `${mem0Session}/${scope}` : `${mem0Session}/messages`,
        owner,
        message: { role: role.role, content, id: typeof id === 'string' ? id : undefined, at },
      }
    }
  }
}

/**
 * Reads the owner out of a scope such as `agent_id=kiosk&user_id=ada`: a user, or else the agent itself. One that names
 * two is nobody's: a name with an `&` in it may stand there unescaped.
 */
function ownerOfScope(scope: unknown): StatedOwner | undefined | 'unreadable' {
  if (typeof scope !== 'string') return undefined
  const named = (key: string): string[] =>
    scope.split('&').flatMap((part) => (part.startsWith(`${key}=`) ? [decoded(part.slice(key.length + 1))] : []))
  const [users, agents] = [named('user_id'), named('agent_id')]
  if (users.length > 1 || agents.length > 1) return 'unreadable'
  const user = users[0] ?? agents[0]
  return user === undefined ? undefined : ownerOfLine({ user })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
