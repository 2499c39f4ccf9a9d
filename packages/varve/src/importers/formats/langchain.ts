import * as z from 'zod'
import type { Role } from '../../messages/message.ts'
import { textOfParts } from '../../messages/parts.ts'
import { DistinctIds } from '../distinct-ids.ts'
import type { ImportItem, ImportSource, RawMessage } from '../importer.ts'
import { looseValues } from '../loose-values.ts'
import { ownerOfLine, type StatedOwner } from '../stated-owner.ts'
import { type BlockWords, readBlocks } from './content-blocks.ts'
import { callPart, resultPart, type ToolPart } from './tool-parts.ts'
import { isRecord, roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)
const key = z
  .union([z.string().min(1), z.int().transform(String)])
  .optional()
  .catch(undefined)

const call = z.object({ id: z.string().catch(''), name: z.string().catch('tool'), args: z.unknown().optional() })

const data = z.object({
  content: z.union([z.string(), z.array(z.unknown())]),
  id: text,
  name: text,
  role: text,
  tool_call_id: z.string().catch(''),
  tool_calls: z.array(z.unknown()).catch([]),
  status: text,
  response_metadata: z.object({ model_name: text, model: text }).optional().catch(undefined),
})
type StoredData = z.infer<typeof data>

const stored = z.object({ type: z.string(), data })
/** A message as `JSON.stringify` writes it. */
const serialised = z.object({ lc: z.number(), type: z.literal('constructor'), id: z.array(z.string()), kwargs: data })

const wrapper = z.object({ sessionId: key, session_id: key, session: key, threadId: key, thread_id: key })

const rolesOfTypes: ReadonlyMap<string, Role> = new Map([
  ['ai', 'assistant'],
  ['developer', 'system'],
  ['function', 'tool'],
  ['human', 'user'],
  ['system', 'system'],
  ['tool', 'tool'],
])

/** How deep messages may lie in an object: user, session, `messages`, and the list. */
const mostLevels = 4

/** Where a message belongs. */
interface Place {
  readonly session: string
  readonly owner: StatedOwner | undefined | 'unreadable'
}

/**
 * Reads LangChain's stored messages: a list as `mapChatMessagesToStoredMessages` makes it, one message a line, or
 * objects that hold the messages of their sessions. A list without a session goes into one named after the file.
 */
export async function* readLangchain(source: ImportSource): AsyncGenerator<ImportItem> {
  const ids = new DistinctIds()
  const place: Place = { session: source.name, owner: undefined }
  for await (const item of looseValues(source)) {
    if (item.kind === 'value') yield* valueItems(item.value, place, ids)
    else yield item
  }
}

function* valueItems(value: unknown, place: Place, ids: DistinctIds): Generator<ImportItem> {
  const message = storedOf(value)
  if (message !== undefined) yield* messageItems(message, placeOf(value, place), ids)
  else if (!holdsMessages(value, mostLevels)) yield { kind: 'skipped', reason: 'not a message' }
  else if (Array.isArray(value)) for (const one of value) yield* valueItems(one, place, ids)
  else if (isRecord(value)) yield* recordItems(value, place, ids)
}

function* recordItems(value: Readonly<Record<string, unknown>>, place: Place, ids: DistinctIds): Generator<ImportItem> {
  // A row of a table that keeps histories has its message in a column.
  const inside = [value['messages'], value['message']].find((one) => holdsMessages(one, mostLevels))
  if (inside !== undefined) yield* valueItems(inside, placeOf(value, place), ids)
  else {
    for (const [name, one] of Object.entries(value).filter(([, inner]) => holdsMessages(inner, mostLevels))) {
      if (isOfUser(one)) yield* recordItems(one, { ...place, owner: name === '' ? undefined : { user: name } }, ids)
      else yield* valueItems(one, name === '' ? place : { ...place, session: name }, ids)
    }
  }
}

/** Tells whether a value is a message or holds one, in a session or in a user's sessions. */
function holdsMessages(value: unknown, levels: number): boolean {
  if (storedOf(value) !== undefined) return true
  if (levels === 0 || value === null || typeof value !== 'object') return false
  return Object.values(value).some((inner) => holdsMessages(inner, levels - 1))
}

/**
 * Tells whether an object holds the sessions of a user, as a file of chat histories by user does. An object that has its messages
 * in `messages` or `message` is a session.
 */
function isOfUser(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value) || storedOf(value) !== undefined || 'messages' in value || 'message' in value) return false
  return Object.values(value).some((inner) => holdsMessages(inner, mostLevels - 1))
}

function placeOf(value: unknown, outer: Place): Place {
  const { sessionId, session_id, session, threadId, thread_id } = wrapper.parse(isRecord(value) ? value : {})
  const owner = isRecord(value) ? ownerOfLine(value) : undefined
  return { session: sessionId ?? session_id ?? session ?? threadId ?? thread_id ?? outer.session, owner: owner ?? outer.owner }
}

/** Returns a message with the name of its type; undefined for what is none. */
function storedOf(value: unknown): { readonly type: string; readonly data: StoredData } | undefined {
  const plain = stored.safeParse(value)
  if (plain.success) return plain.data
  const written = serialised.safeParse(value)
  return written.success ? { type: written.data.id.at(-1) ?? '', data: written.data.kwargs } : undefined
}

/** Reads `human`, `HumanMessage` and `HumanMessageChunk` as one word. */
function roleOfType(type: string, given: string | undefined): Role | undefined {
  const word = type.replace(/Message(?:Chunk)?$/u, '').toLowerCase()
  return word === 'generic' || word === 'chat' ? roleOf(given ?? '')?.role : rolesOfTypes.get(word)
}

function* messageItems(
  { type, data: read }: { readonly type: string; readonly data: StoredData },
  { session, owner }: Place,
  ids: DistinctIds,
): Generator<ImportItem> {
  const role = roleOfType(type, read.role)
  const isRemoval = type === 'remove' || type === 'RemoveMessage'
  if (role === undefined || owner === 'unreadable') {
    yield { kind: 'skipped', reason: owner === 'unreadable' ? 'unreadable owner' : isRemoval ? 'bookkeeping' : 'unknown role' }
    return
  }
  const blocks = readBlocks(read.content)
  for (const reason of blocks.repairs) yield { kind: 'repaired', reason }
  yield { kind: 'skipped', reason: 'reasoning', count: blocks.thoughts }
  const { parts, shortened } = partsOf(role, read, blocks)
  yield { kind: 'repaired', reason: 'parts shortened', count: shortened }
  const content = parts === undefined ? blocks.text : textOfParts(parts)
  if (content.trim() === '' && blocks.thoughts > 0) return
  const id = ids.of(session, read.id, role, content)
  if (read.id !== undefined && id === undefined) yield { kind: 'repaired', reason: 'id replaced' }
  const model = read.response_metadata?.model_name ?? read.response_metadata?.model
  const metadata = model === undefined || role !== 'assistant' ? undefined : { model }
  const message: RawMessage = { role, content, id, name: read.name, parts, metadata }
  yield { kind: 'message', session, owner, message }
}

/** Makes the parts of a call of tools, or of a tool's result; none where there is only text. */
function partsOf(role: Role, read: StoredData, blocks: BlockWords): { readonly parts?: readonly ToolPart[]; readonly shortened: number } {
  if (role === 'tool') {
    return { parts: [resultPart(read.tool_call_id, read.name ?? 'tool', blocks.text, read.status === 'error')], shortened: 0 }
  }
  const calls = role === 'assistant' ? read.tool_calls.flatMap((one) => call.safeParse(one).data ?? []) : []
  if (calls.length === 0) return { shortened: 0 }
  const made = calls.map(({ id, name, args }) => callPart(id, name, args))
  const said = blocks.text.trim() === '' ? [] : [{ type: 'text', text: blocks.text }]
  return { parts: [...said, ...made.map(({ part }) => part)], shortened: made.filter(({ shortened }) => shortened).length }
}
