import * as z from 'zod'
import { ImportFailed } from '../../errors/import-failed.ts'
import { origins } from '../../messages/message.ts'
import { formatOfValue } from '../detect.ts'
import type { ImportItem, ImportSource } from '../importer.ts'
import { jsonLines } from '../json-lines.ts'
import { jsonValues } from '../json-values.ts'
import { firstByte, peek } from '../peek.ts'
import { atLine } from '../loose-values.ts'
import type { RepairReason } from '../reasons.ts'
import { ownerOfLine } from '../stated-owner.ts'
import { flatMetadata } from './flat-metadata.ts'
import { isRecord, roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)
const key = z
  .union([z.string().min(1), z.int().transform(String)])
  .optional()
  .catch(undefined)

/** A time is no object. One that is nested deep could not be handed on to another thread. */
const time = z
  .unknown()
  .transform((at) => (typeof at === 'object' && at !== null ? 'no time' : at))
  .optional()

const message = z.object({
  session: key,
  sessionName: text,
  id: key,
  role: z.string(),
  name: text,
  at: time,
  content: z.union([z.string(), z.array(z.unknown())]),
  thread: text,
  metadata: z.unknown().optional(),
  origin: z.unknown().optional(),
})

const listStart = 0x5b

/**
 * Reads messages, one a line: `{ session, id?, role, name?, at?, content, thread?, metadata?, origin?, sessionName?,
 * user?, project? }`, or a JSON list of them. A message without a session goes into one named after the file.
 */
export async function* readJsonl(source: ImportSource): AsyncGenerator<ImportItem> {
  const { head, bytes } = await peek(source.bytes, 1024)
  if (firstByte(head) === listStart) yield* listItems({ ...source, bytes })
  else yield* lineItems({ ...source, bytes })
}

async function* listItems(source: ImportSource): AsyncGenerator<ImportItem> {
  for await (const item of jsonValues(source)) {
    if (item.kind === 'too large') yield { kind: 'skipped', reason: 'conversation too large' }
    else yield* messageItems(source, item.value)
  }
}

async function* lineItems(source: ImportSource): AsyncGenerator<ImportItem> {
  for await (const line of jsonLines(source.bytes)) {
    if (line.kind === 'skipped') yield line
    else yield* atLine(messageItems(source, line.value), line.line)
  }
}

/** A message as Varve exports it. Without the first line of its file, nothing tells whose it was, nor what of it was forgotten. */
const exported = z.looseObject({ kind: z.literal('message'), seq: z.number(), recordedAt: z.number() })

function* messageItems({ file, name: defaultSession, isTold = false }: ImportSource, value: unknown): Generator<ImportItem> {
  if (exported.safeParse(value).success) {
    yield { kind: 'skipped', reason: 'line of a Varve export' }
    return
  }
  const owner = ownerOfLine(value)
  const parsed = message.safeParse(isInexact(value) ? undefined : value)
  const role = parsed.success ? roleOf(parsed.data.role) : undefined
  const other = parsed.success || !isTold ? undefined : formatOfValue(value)
  if (other !== undefined && other !== 'jsonl')
    throw new ImportFailed({
      file,
      reason:
        `it begins as JSONL, and holds ${other} further on: import it again with the format ${other}, or with jsonl to leave ` +
        'these out.',
    })
  if (!parsed.success || role === undefined) {
    yield { kind: 'skipped', reason: parsed.success ? 'unknown role' : 'not a message' }
    return
  }
  if (owner === 'unreadable') {
    yield { kind: 'skipped', reason: 'unreadable owner' }
    return
  }
  const { session = defaultSession, sessionName, id, name, at, thread } = parsed.data
  const { content, repairs } = contentOf(parsed.data.content)
  const metadata = flatMetadata(parsed.data.metadata)
  const origin = origins.find((one) => one === parsed.data.origin)
  for (const reason of repairs) yield { kind: 'repaired', reason }
  if (role.renamed) yield { kind: 'repaired', reason: 'role renamed' }
  if (metadata.left > 0) yield { kind: 'repaired', reason: 'metadata left out', count: metadata.left }
  if (origin === undefined && (parsed.data.origin ?? undefined) !== undefined) yield { kind: 'repaired', reason: 'unknown origin' }
  if (sessionName !== undefined) yield { kind: 'session', id: session, name: sessionName, owner }
  yield { kind: 'message', session, owner, message: { role: role.role, content, id, name, at, thread, origin, metadata: metadata.kept } }
}

/** Tells whether the session is a number that is not exact: two conversations would be one. */
function isInexact(value: unknown): boolean {
  return isRecord(value) && typeof value['session'] === 'number' && !Number.isSafeInteger(value['session'])
}

const textPart = z.object({ text: z.string() })

/** Returns a text as it is, or the texts of a list of content parts. */
function contentOf(given: string | readonly unknown[]): { readonly content: string; readonly repairs: readonly RepairReason[] } {
  if (typeof given === 'string') return { content: given, repairs: [] }
  const parsed = given.map((part) => textPart.safeParse(part))
  const texts = parsed.flatMap(({ data }) => (data === undefined ? [] : [data.text]))
  const left = parsed.length - texts.length
  return { content: texts.join('\n'), repairs: Array.from({ length: left }, () => 'part left out' as const) }
}
