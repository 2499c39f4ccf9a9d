import { InvalidMessage } from '../errors/invalid-message.ts'
import { shown } from '../errors/shown.ts'
import { isLarger, writtenJson } from './json.ts'
import { partsText, saysNothing } from './parts.ts'
import { type MessageInput, type Origin, type Role, origins, roles } from './message.ts'
import { atOnce, type Sliced } from './slices.ts'
import { timeOf } from './time.ts'

/** The longest message, in bytes of UTF-8. */
export const maxContentBytes = 1024 * 1024

/** The most messages of one append. */
export const maxBatch = 10_000

/** The longest name, thread or external id, in bytes of UTF-8, and the largest metadata as JSON. */
const maxFieldBytes = 512
const maxMetadataBytes = 16 * 1024
/** The largest parts. They are kept as they are: tool results and file references beside the text. */
const maxPartsBytes = 4 * 1024 * 1024

/** A checked message, with its times resolved; serialisable. */
export interface ValidMessage {
  readonly role: Role
  readonly origin: Origin
  readonly content: string
  readonly parts: string | null
  readonly metadata: string | null
  readonly externalId: string | null
  readonly name: string | null
  readonly thread: string | null
  readonly saidAt: number
  /** True when the caller told it. */
  readonly isTimed?: boolean
}

/** A message of a batch that holds no words, so that nothing of it is stored. */
export interface SkippedMessage {
  /** Its place in the batch. */
  readonly index: number
  readonly reason: string
}

/** A batch that was checked. */
export interface ValidBatch {
  readonly messages: ValidMessage[]
  readonly skipped: readonly SkippedMessage[]
}

/** A stream that was stopped before its first word leaves such a message beside the user's. */
const nothingSaid = 'the assistant said nothing'

const originOfRole: Readonly<Record<Role, Origin>> = { user: 'person', assistant: 'assistant', tool: 'tool', system: 'system' }

/** Gives the origin that a message claims: its own, or that of its role. Undefined for one that no message can have. */
export function claimedOrigin({ role, origin }: { readonly role?: unknown; readonly origin?: unknown }): Origin | undefined {
  if (origin !== undefined) return origins.find((known) => known === origin)
  const known = roles.find((one) => one === role)
  return known === undefined ? undefined : originOfRole[known]
}

/** Checks a batch. InvalidMessage names the place of the first message that cannot be stored. */
export function validMessages(received: unknown, now: number): ValidMessage[] {
  return atOnce(validating(received, now)).messages
}

/** Checks a batch, in slices. An assistant's message without a word is skipped; anyone else's is refused. */
export function* validating(received: unknown, now: number): Sliced<ValidBatch> {
  const batch: readonly unknown[] = Array.isArray(received) ? received : [received]
  if (batch.length > maxBatch)
    throw new InvalidMessage({ index: maxBatch, field: 'the batch', reason: `holds ${batch.length} messages, more than ${maxBatch}` })
  const messages: ValidMessage[] = []
  const skipped: SkippedMessage[] = []
  // A copy: the caller's list may become another one between two slices.
  for (const [index, message] of [...batch].entries()) {
    if (index > 0) yield
    const valid = yield* validMessage(message, index, now)
    if (valid === undefined) skipped.push({ index, reason: nothingSaid })
    else messages.push(valid)
  }
  return { messages, skipped }
}

/** Checks a message; undefined when an assistant said nothing. */
function* validMessage(received: unknown, index: number, now: number): Sliced<ValidMessage | undefined> {
  const refuse = (field: string, reason: string): never => {
    throw new InvalidMessage({ index, field, reason })
  }
  if (received === null || typeof received !== 'object' || Array.isArray(received))
    return refuse('it', `must be an object { role, content }, received ${shown(received)}`)
  // Every field is checked below before it is used.
  const given = received as Partial<MessageInput>
  const role =
    roles.find((known) => known === given.role) ?? refuse('role', `must be one of ${roles.join(', ')}, received ${shown(given.role)}`)
  if (role === 'assistant' && isEmpty(saidOf(given))) return undefined
  const origin = claimedOrigin(given) ?? refuse('origin', `must be one of ${origins.join(', ')}, received ${shown(given.origin)}`)
  const { content, parts } = yield* saidIn(given, refuse)
  return {
    role,
    origin,
    content,
    parts,
    metadata: given.metadata === undefined ? null : validMetadata(given.metadata, refuse),
    // The AI SDK gives an answer an empty id, unless its host makes ids.
    externalId: given.id === '' && given.parts !== undefined ? null : optionalText('id', given.id, refuse),
    name: optionalText('name', given.name, refuse),
    thread: optionalText('thread', given.thread, refuse),
    saidAt: timeOf(given.at, now, refuse),
    isTimed: given.at !== undefined,
  }
}

type Refuse = (field: string, reason: string) => never

/** Gives the content of a message. Older UIMessages have an empty text beside their parts. */
function saidOf({ content, parts }: Partial<MessageInput>): unknown {
  return content === '' && parts !== undefined ? parts : (content ?? parts)
}

function isEmpty(said: unknown): boolean {
  return said === '' || (Array.isArray(said) && saysNothing(said))
}

/** Gives the words of a message, and its parts as JSON. */
function* saidIn(given: Partial<MessageInput>, refuse: Refuse): Sliced<Pick<ValidMessage, 'content' | 'parts'>> {
  const said = saidOf(given)
  if (typeof said !== 'string' && !Array.isArray(said))
    return refuse('content', `must be a string or a list of parts, received ${shown(given.content)}`)
  if (typeof said === 'string') checkText('content', said, maxContentBytes, refuse)
  const list = typeof said === 'string' ? given.parts : said
  // First, so that parts that are too large are refused before their text is put together.
  const parts =
    list === undefined ? null : yield* writtenJson(list, { maxBytes: maxPartsBytes, refuse: (reason) => refuse('parts', reason) })
  if (typeof said === 'string') return { content: said, parts }
  const content = yield* partsText(said)
  checkText('content', content, maxContentBytes, refuse)
  return { content, parts }
}

/** Checks a text that is to be stored byte for byte. */
export function checkText(field: string, text: unknown, maxBytes: number, refuse: Refuse): asserts text is string {
  if (typeof text !== 'string') refuse(field, `must be a string, received ${shown(text)}`)
  if (text === '') refuse(field, 'is empty')
  // A text that is so much longer is not scanned: it has at least a byte a character.
  if (text.length > maxBytes) refuse(field, `has at least ${text.length} bytes of UTF-8, more than ${maxBytes}`)
  if (text.includes('\0')) refuse(field, `has a NUL character at ${text.indexOf('\0')}`)
  if (!text.isWellFormed()) refuse(field, 'has a lone surrogate: it is not valid Unicode')
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) refuse(field, `has ${bytes} bytes of UTF-8, more than ${maxBytes}`)
}

function optionalText(field: string, text: unknown, refuse: Refuse): string | null {
  if (text === undefined) return null
  checkText(field, text, maxFieldBytes, refuse)
  return text
}

/** Gives metadata as JSON: an object, 16 KiB at most. */
export function validMetadata(metadata: unknown, refuse: Refuse): string {
  if (metadata === null || typeof metadata !== 'object' || Array.isArray(metadata))
    return refuse('metadata', `must be an object, received ${shown(metadata)}`)
  const bounds = { maxBytes: maxMetadataBytes, refuse: (reason: string) => refuse('metadata', reason) }
  if (isLarger(metadata, maxMetadataBytes)) return bounds.refuse(`is larger than ${maxMetadataBytes} bytes as JSON`)
  const json = atOnce(writtenJson(metadata, bounds))
  // JSON has no number for these, and would keep a null.
  if (Object.values(metadata).some((value) => typeof value === 'number' && !Number.isFinite(value)))
    return refuse('metadata', `has a number that is not finite: ${shown(metadata)}`)
  return json
}
