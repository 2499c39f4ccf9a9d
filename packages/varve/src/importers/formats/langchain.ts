import * as z from 'zod'
import type { Role } from '../../messages/message.ts'
import { textOfParts } from '../../messages/parts.ts'
import { DistinctIds } from '../distinct-ids.ts'
import type { ImportItem, ImportSource, RawMessage } from '../importer.ts'
import { atLine, looseValues } from '../loose-values.ts'
import { ownerOfLine, type StatedOwner } from '../stated-owner.ts'
import { type BlockWords, readBlocks } from './content-blocks.ts'
import { callPart, parsedArguments, resultPart, type ToolNames, toolNames, type ToolPart } from './tool-parts.ts'
import { isRecord, roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)
const key = z
  .union([z.string().min(1), z.int().transform(String)])
  .optional()
  .catch(undefined)

const call = z.object({ id: z.string().catch(''), name: z.string().catch('tool'), args: z.unknown().optional() })

/** A call as a model of OpenAI wrote it, which older versions keep beside the message alone. */
const rawCall = z.object({ name: z.string(), arguments: z.unknown().optional() })
const given = z.object({
  function_call: rawCall.optional().catch(undefined),
  tool_calls: z
    .array(
      z
        .object({ id: z.string().catch(''), function: rawCall })
        .optional()
        .catch(undefined),
    )
    .catch([]),
})

const data = z.object({
  content: z.union([z.string(), z.array(z.unknown())]),
  id: text,
  name: text,
  role: text,
  tool_call_id: z.string().catch(''),
  tool_calls: z.array(z.unknown()).catch([]),
  invalid_tool_calls: z.array(z.unknown()).catch([]),
  additional_kwargs: given.optional().catch(undefined),
  status: text,
  response_metadata: z.object({ model_name: text, model: text }).optional().catch(undefined),
})
type StoredData = z.infer<typeof data>

const stored = z.object({ type: z.string(), data })
/** A message as Python's `model_dump` writes it, and as a graph's state holds it. */
const flat = data.extend({ type: z.string() })
/** A message as `JSON.stringify` writes it. */
const serialised = z.object({ lc: z.number(), type: z.literal('constructor'), id: z.array(z.string()), kwargs: data })

const wrapper = z.object({
  sessionId: key,
  session_id: key,
  session: key,
  threadId: key,
  thread_id: key,
  created_at: z.unknown().optional(),
})

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
  /** The time of a row of a table. */
  readonly at?: unknown
}

/** What earlier messages of the file told. */
interface Known {
  readonly ids: DistinctIds
  readonly tools: ToolNames
}

/**
 * Reads LangChain's messages, stored, flat or serialised: a list, one message a line, or objects that hold the messages of
 * their sessions. A list without a session goes into one named after the file.
 */
export async function* readLangchain(source: ImportSource): AsyncGenerator<ImportItem> {
  const known: Known = { ids: new DistinctIds(), tools: toolNames() }
  const place: Place = { session: source.name, owner: undefined }
  for await (const item of looseValues(source)) {
    if (item.kind === 'value') yield* atLine(valueItems(item.value, place, known), item.line)
    else yield item
  }
}

/** `levels`: how deep messages may still lie in the value. Without a bound, a line of brackets would use up the stack. */
function* valueItems(value: unknown, place: Place, known: Known, levels = mostLevels): Generator<ImportItem> {
  const message = storedOf(value)
  if (message !== undefined) yield* messageItems(message, placeOf(value, place), known)
  else if (!holdsMessages(value, levels)) yield { kind: 'skipped', reason: 'not a message' }
  else if (Array.isArray(value)) for (const one of value) yield* valueItems(one, place, known, levels - 1)
  else if (isRecord(value)) yield* recordItems(value, place, known, levels - 1)
}

/** Reads a text that is JSON; returns any other value as it is. */
function parsedText(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? parsedArguments(value) : value
}

function* recordItems(value: Readonly<Record<string, unknown>>, place: Place, known: Known, levels: number): Generator<ImportItem> {
  // A row of a table that keeps histories has its message in a column, as an object or as its JSON.
  const inside = [value['messages'], parsedText(value['message'])].find((one) => holdsMessages(one, levels))
  if (inside !== undefined) yield* valueItems(inside, placeOf(value, place), known, levels)
  else {
    for (const [name, one] of Object.entries(value).filter(([, inner]) => holdsMessages(inner, levels))) {
      if (isOfUser(one, levels - 1))
        yield* recordItems(one, { ...place, owner: name === '' ? undefined : { user: name } }, known, levels - 1)
      else yield* valueItems(one, name === '' ? place : { ...place, session: name }, known, levels)
    }
  }
}

/** Tells whether a value is a message or holds one, in a session or in a user's sessions. */
function holdsMessages(value: unknown, levels: number): boolean {
  if (storedOf(value) !== undefined) return true
  if (isRecord(value) && typeof value['message'] === 'string') return storedOf(parsedText(value['message'])) !== undefined
  if (levels <= 0 || value === null || typeof value !== 'object') return false
  return Object.values(value).some((inner) => holdsMessages(inner, levels - 1))
}

/**
 * Tells whether an object holds the sessions of a user, as a file of chat histories by user does. An object that has its messages
 * in `messages` or `message` is a session.
 */
function isOfUser(value: unknown, levels: number): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value) || storedOf(value) !== undefined || 'messages' in value || 'message' in value) return false
  return Object.values(value).some((inner) => holdsMessages(inner, levels))
}

function placeOf(value: unknown, outer: Place): Place {
  const { sessionId, session_id, session, threadId, thread_id, created_at: at } = wrapper.parse(isRecord(value) ? value : {})
  const owner = isRecord(value) ? ownerOfLine(value) : undefined
  return {
    session: sessionId ?? session_id ?? session ?? threadId ?? thread_id ?? outer.session,
    owner: owner ?? outer.owner,
    at: at ?? outer.at,
  }
}

/** Returns a message with the name of its type; undefined for what is none. */
function storedOf(value: unknown): { readonly type: string; readonly data: StoredData } | undefined {
  const plain = stored.safeParse(value)
  if (plain.success) return plain.data
  const written = serialised.safeParse(value)
  if (written.success) return { type: written.data.id.at(-1) ?? '', data: written.data.kwargs }
  const whole = flat.safeParse(value)
  return whole.success && isMessageType(whole.data.type) ? { type: whole.data.type, data: whole.data } : undefined
}

/** Reads `human`, `HumanMessage` and `HumanMessageChunk` as one word. */
function roleOfType(type: string, given: string | undefined): Role | undefined {
  const word = wordOf(type)
  return word === 'generic' || word === 'chat' ? roleOf(given ?? '')?.role : rolesOfTypes.get(word)
}

function isMessageType(type: string): boolean {
  return rolesOfTypes.has(wordOf(type)) || ['generic', 'chat', 'remove'].includes(wordOf(type))
}

function wordOf(type: string): string {
  return type.replace(/Message(?:Chunk)?$/u, '').toLowerCase()
}

function* messageItems(
  { type, data: read }: { readonly type: string; readonly data: StoredData },
  { session, owner, at }: Place,
  { ids, tools }: Known,
): Generator<ImportItem> {
  const role = roleOfType(type, read.role)
  const isRemoval = wordOf(type) === 'remove'
  if (role === undefined || owner === 'unreadable') {
    yield { kind: 'skipped', reason: owner === 'unreadable' ? 'unreadable owner' : isRemoval ? 'bookkeeping' : 'unknown role' }
    return
  }
  const blocks = readBlocks(read.content)
  for (const reason of blocks.repairs) yield { kind: 'repaired', reason }
  yield { kind: 'skipped', reason: 'reasoning', count: blocks.thoughts }
  const { parts, shortened } = partsOf(role, read, blocks, tools)
  yield { kind: 'repaired', reason: 'parts shortened', count: shortened }
  const content = parts === undefined ? blocks.text : textOfParts(parts)
  if (content.trim() === '' && blocks.thoughts > 0) return
  const id = ids.of(session, read.id, role, content)
  if (read.id !== undefined && id === undefined) yield { kind: 'repaired', reason: 'id replaced' }
  const model = read.response_metadata?.model_name ?? read.response_metadata?.model
  const metadata = model === undefined || role !== 'assistant' ? undefined : { model }
  const message: RawMessage = { role, content, id, name: read.name, at, parts, metadata }
  yield { kind: 'message', session, owner, message }
}

interface MadeParts {
  readonly parts?: readonly ToolPart[]
  readonly shortened: number
}

/** Makes the parts of a call of tools, or of a tool's result; none where there is only text. */
function partsOf(role: Role, read: StoredData, blocks: BlockWords, tools: ToolNames): MadeParts {
  if (role === 'tool') {
    const name = read.name ?? tools.get(read.tool_call_id) ?? 'tool'
    return { parts: [resultPart(read.tool_call_id, name, blocks.text, read.status === 'error')], shortened: 0 }
  }
  const calls = role === 'assistant' ? callsOf(read) : []
  if (calls.length === 0) return { shortened: 0 }
  for (const { id, name } of calls) if (id !== '') tools.set(id, name)
  const made = calls.map(({ id, name, args }) => callPart(id, name, args))
  const said = blocks.text.trim() === '' ? [] : [{ type: 'text', text: blocks.text }]
  return { parts: [...said, ...made.map(({ part }) => part)], shortened: made.filter(({ shortened }) => shortened).length }
}

/** Returns the calls of a message: those that were read, or else those as the model wrote them. */
function callsOf({ tool_calls, invalid_tool_calls, additional_kwargs: raw }: StoredData): readonly z.infer<typeof call>[] {
  const calls = [...tool_calls, ...invalid_tool_calls].flatMap((one) => call.safeParse(one).data ?? [])
  if (calls.length > 0 || raw === undefined) return calls.map((one) => ({ ...one, args: parsedArguments(one.args) }))
  const { function_call: only, tool_calls: several } = raw
  const written = [...several.filter((one) => one !== undefined), ...(only === undefined ? [] : [{ id: '', function: only }])]
  return written.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: parsedArguments(args) }))
}
