import * as z from 'zod'
import type { Role } from '../../messages/message.ts'
import { textOfParts } from '../../messages/parts.ts'
import { DistinctIds } from '../distinct-ids.ts'
import type { ImportItem, ImportSource, RawMessage } from '../importer.ts'
import { atLine, looseValues } from '../loose-values.ts'
import { ownerOfLine } from '../stated-owner.ts'
import { readBlocks } from './content-blocks.ts'
import { callPart, parsedArguments, resultPart, type ToolNames, toolNames, type ToolPart, writtenValue } from './tool-parts.ts'
import { isRecord, roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)

/** An item of the Agents SDK: of TypeScript with `callId`, of Python with `call_id`. */
const item = z.object({
  type: z.string().default('message'),
  role: text,
  content: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .catch(undefined),
  id: text,
  callId: text,
  call_id: text,
  name: text,
  arguments: z.unknown().optional(),
  action: z.unknown().optional(),
  operation: z.unknown().optional(),
  output: z.unknown().optional(),
  outputs: z.unknown().optional(),
  results: z.unknown().optional(),
  error: z.unknown().optional(),
  code: z.unknown().optional(),
  queries: z.unknown().optional(),
  status: text,
})
type AgentItem = z.infer<typeof item>

const wrapper = z.object({ sessionId: text, session_id: text, session: text, items: z.array(z.unknown()) })
/** A row of the table in which the SDK for Python keeps its sessions. */
const stored = z.object({ session_id: text, message_data: z.string().transform(parsedArguments), created_at: z.unknown().optional() })

/** What earlier items of the file told. */
interface Known {
  readonly ids: DistinctIds
  readonly tools: ToolNames
}

const calls = /_call$/u
const results = /_(?:call_result|call_output|search_output|output)$/u

/** Ids that the SDK gives to every message of some models. */
const madeUpIds: ReadonlySet<string> = new Set(['FAKE_ID', '__fake_id__'])

/**
 * Reads items of the OpenAI Agents SDK, as its sessions keep them: a list, one a line, or objects of a session with its
 * `items`. Calls of tools and their results stay, with their parts; a model's reasoning is left out and counted.
 */
export async function* readOpenaiAgents(source: ImportSource): AsyncGenerator<ImportItem> {
  const known: Known = { ids: new DistinctIds(), tools: toolNames() }
  for await (const found of looseValues(source)) {
    if (found.kind !== 'value') yield found
    else yield* atLine(valueItems(found.value, source.name, known), found.line)
  }
}

function* valueItems(value: unknown, name: string, known: Known): Generator<ImportItem> {
  const row = stored.safeParse(value)
  const whole = wrapper.safeParse(value)
  if (row.success) {
    const { session_id: session = name, message_data: one, created_at: at } = row.data
    yield* itemsOf(one, session, value, known, at)
  } else if (!whole.success) yield* itemsOf(value, name, value, known)
  else {
    const { sessionId, session_id, session, items } = whole.data
    for (const one of items) yield* itemsOf(one, sessionId ?? session_id ?? session ?? name, value, known)
  }
}

function* itemsOf(value: unknown, session: string, stated: unknown, { ids, tools }: Known, at?: unknown): Generator<ImportItem> {
  const parsed = item.safeParse(value)
  const owner = ownerOfLine(stated)
  if (!parsed.success || owner === 'unreadable') {
    yield { kind: 'skipped', reason: parsed.success ? 'unreadable owner' : 'not a message' }
    return
  }
  const { message, counts } = messageOf(parsed.data, tools)
  yield* counts
  if (message === undefined) return
  const { id: given } = parsed.data
  const id = ids.of(session, given === undefined || madeUpIds.has(given) ? undefined : given, message.role, message.content)
  if (given !== undefined && id === undefined) yield { kind: 'repaired', reason: 'id replaced' }
  yield { kind: 'message', session, owner, message: { ...message, id, at } }
}

interface Made {
  readonly message?: RawMessage
  readonly counts: readonly ImportItem[]
}

function messageOf(read: AgentItem, tools: ToolNames): Made {
  const { type } = read
  if (type === 'message') return spoken(read)
  if (type === 'reasoning') return { counts: [{ kind: 'skipped', reason: 'reasoning' }] }
  if (type === 'compaction') return { counts: [{ kind: 'skipped', reason: 'compaction boundary' }] }
  if (results.test(type)) return resulted(read, tools)
  if (calls.test(type)) return called(read, tools)
  return { counts: [{ kind: 'skipped', reason: 'unknown content type' }] }
}

function spoken({ role: given, content }: AgentItem): Made {
  const role = roleOf(given ?? '')
  if (role === undefined || content === undefined) {
    return { counts: [{ kind: 'skipped', reason: role === undefined ? 'unknown role' : 'not a message' }] }
  }
  const { text: words, repairs, thoughts } = readBlocks(content)
  const counts: ImportItem[] = repairs.map((reason) => ({ kind: 'repaired', reason }))
  if (role.renamed) counts.push({ kind: 'repaired', reason: 'role renamed' })
  if (thoughts > 0) counts.push({ kind: 'skipped', reason: 'reasoning', count: thoughts })
  return { message: { role: role.role, content: words }, counts }
}

/** A tool of the provider answers within its call. */
function called(read: AgentItem, tools: ToolNames): Made {
  const { arguments: given, action, operation, code, queries } = read
  const input = parsedArguments(given) ?? action ?? operation ?? (code === undefined ? undefined : { code })
  const { part, shortened } = callPart(idOfCall(read), nameOf(read), input ?? (queries === undefined ? undefined : { queries }))
  if (idOfCall(read) !== '') tools.set(idOfCall(read), nameOf(read))
  const counts: ImportItem[] = shortened ? [{ kind: 'repaired', reason: 'parts shortened' }] : []
  const answer = read.output ?? read.outputs ?? read.results ?? read.error ?? undefined
  if (answer === undefined) return { message: withParts('assistant', [part]), counts }
  const { words, counts: left } = outputOf(answer)
  const result = resultPart(idOfCall(read), nameOf(read), words, hasFailed(read))
  return { message: withParts('assistant', [part, result]), counts: [...counts, ...left] }
}

function resulted(read: AgentItem, tools: ToolNames): Made {
  const { words, counts } = outputOf(read.output)
  const name = read.name ?? tools.get(idOfCall(read)) ?? nameOf(read)
  return { message: withParts('tool', [resultPart(idOfCall(read), name, words, hasFailed(read))]), counts }
}

function hasFailed({ status, error }: AgentItem): boolean {
  return status === 'incomplete' || status === 'failed' || (error !== undefined && error !== null)
}

function withParts(role: Role, parts: readonly ToolPart[]): RawMessage {
  return { role, content: textOfParts(parts), parts }
}

function idOfCall({ callId, call_id, id = '' }: AgentItem): string {
  return callId ?? call_id ?? id
}

/** Returns the tool's name: its own, or the kind of call, such as `shell` of `shell_call_output`. */
function nameOf({ name, type }: AgentItem): string {
  return name ?? type.replace(/_call(?:_result|_output)?$|_output$/u, '')
}

/** Reads an output: a text, a block, a list of blocks; of other values the JSON. */
function outputOf(output: unknown): { readonly words: string; readonly counts: readonly ImportItem[] } {
  if (typeof output === 'string') return { words: output, counts: [] }
  const blocks = Array.isArray(output) ? output : [output]
  if (!blocks.every((one) => isRecord(one) && typeof one['type'] === 'string')) return { words: writtenValue(output), counts: [] }
  const { text: words, repairs } = readBlocks(blocks)
  return { words, counts: repairs.map((reason) => ({ kind: 'repaired', reason })) }
}
