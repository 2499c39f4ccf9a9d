import * as z from 'zod'
import type { Role } from '../../messages/message.ts'
import { textOfParts } from '../../messages/parts.ts'
import { DistinctIds } from '../distinct-ids.ts'
import type { ImportItem, ImportSource, RawMessage } from '../importer.ts'
import { looseValues } from '../loose-values.ts'
import { ownerOfLine } from '../stated-owner.ts'
import { readBlocks } from './content-blocks.ts'
import { callPart, parsedArguments, resultPart, type ToolPart, writtenValue } from './tool-parts.ts'
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
  status: text,
})
type AgentItem = z.infer<typeof item>

const wrapper = z.object({ sessionId: text, session_id: text, session: text, items: z.array(z.unknown()) })

const calls = /_call$/u
const results = /_(?:call_result|call_output|search_output|output)$/u

/** Ids that the SDK gives to every message of some models. */
const madeUpIds: ReadonlySet<string> = new Set(['FAKE_ID', '__fake_id__'])

/**
 * Reads items of the OpenAI Agents SDK, as its sessions keep them: a list, one a line, or objects of a session with its
 * `items`. Calls of tools and their results stay, with their parts; a model's reasoning is left out and counted.
 */
export async function* readOpenaiAgents(source: ImportSource): AsyncGenerator<ImportItem> {
  const ids = new DistinctIds()
  for await (const found of looseValues(source)) {
    if (found.kind !== 'value') {
      yield found
      continue
    }
    const whole = wrapper.safeParse(found.value)
    if (!whole.success) yield* itemsOf(found.value, source.name, found.value, ids)
    else {
      const { sessionId, session_id, session, items } = whole.data
      for (const one of items) yield* itemsOf(one, sessionId ?? session_id ?? session ?? source.name, found.value, ids)
    }
  }
}

function* itemsOf(value: unknown, session: string, stated: unknown, ids: DistinctIds): Generator<ImportItem> {
  const parsed = item.safeParse(value)
  const owner = ownerOfLine(stated)
  if (!parsed.success || owner === 'unreadable') {
    yield { kind: 'skipped', reason: parsed.success ? 'unreadable owner' : 'not a message' }
    return
  }
  const { message, counts } = messageOf(parsed.data)
  yield* counts
  if (message === undefined) return
  const { id: given } = parsed.data
  const id = ids.of(session, given === undefined || madeUpIds.has(given) ? undefined : given, message.role, message.content)
  if (given !== undefined && id === undefined) yield { kind: 'repaired', reason: 'id replaced' }
  yield { kind: 'message', session, owner, message: { ...message, id } }
}

interface Made {
  readonly message?: RawMessage
  readonly counts: readonly ImportItem[]
}

function messageOf(read: AgentItem): Made {
  const { type } = read
  if (type === 'message') return spoken(read)
  if (type === 'reasoning') return { counts: [{ kind: 'skipped', reason: 'reasoning' }] }
  if (type === 'compaction') return { counts: [{ kind: 'skipped', reason: 'compaction boundary' }] }
  if (results.test(type)) return resulted(read)
  if (calls.test(type)) return called(read)
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

function called(read: AgentItem): Made {
  const input = parsedArguments(read.arguments) ?? read.action ?? read.operation
  const { part, shortened } = callPart(idOfCall(read), nameOf(read), input)
  const counts: ImportItem[] = shortened ? [{ kind: 'repaired', reason: 'parts shortened' }] : []
  return { message: withParts('assistant', [part]), counts }
}

function resulted(read: AgentItem): Made {
  const { words, counts } = outputOf(read.output)
  const failed = read.status === 'incomplete' || read.status === 'failed'
  return { message: withParts('tool', [resultPart(idOfCall(read), nameOf(read), words, failed)]), counts }
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
