import * as z from 'zod'
import { EmptyConversations } from '../empty-conversations.ts'
import type { ImportItem, ImportSource } from '../importer.ts'
import { jsonValues } from '../json-values.ts'
import type { RepairReason, SkipReason } from '../reasons.ts'
import type { StatedOwner } from '../stated-owner.ts'
import { hash } from '../text.ts'
import { roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)
const list = z.array(z.unknown()).catch([])

const conversation = z.object({
  uuid: text,
  name: text,
  created_at: z.unknown().optional(),
  chat_messages: z.array(z.unknown()),
  account: z.object({ uuid: text }).optional().catch(undefined),
})

const message = z.object({
  uuid: text,
  sender: z.string(),
  text: z.string().catch(''),
  content: list,
  created_at: z.unknown().optional(),
  attachments: list,
  files: list,
})
type ClaudeMessage = z.infer<typeof message>

const block = z.object({ type: z.string(), text })
const attachment = z.object({ file_name: text, extracted_content: text })

/** Reads Claude's `conversations.json`: the text of each message, and the text of its attachments. */
export async function* readClaude(source: ImportSource): AsyncGenerator<ImportItem> {
  const empty = new EmptyConversations(source.file)
  for await (const item of jsonValues(source)) {
    if (item.kind === 'too large') yield { kind: 'skipped', reason: 'conversation too large' }
    else yield* empty.counting(conversationItems(item.value))
  }
}

function* conversationItems(value: unknown): Generator<ImportItem> {
  const parsed = conversation.safeParse(value)
  if (!parsed.success) {
    yield { kind: 'skipped', reason: 'not a conversation' }
    return
  }
  const { uuid, name, created_at, chat_messages, account } = parsed.data
  const owner = account?.uuid === undefined ? undefined : { account: account.uuid }
  const session = uuid ?? `claude-${hash(name ?? '', String(created_at))}`
  if (uuid === undefined) yield { kind: 'repaired', reason: 'session id replaced' }
  yield { kind: 'session', id: session, name, at: created_at, owner }
  for (const one of chat_messages) yield* messageItems(session, owner, one)
}

function* messageItems(session: string, owner: StatedOwner | undefined, value: unknown): Generator<ImportItem> {
  const parsed = message.safeParse(value)
  const role = parsed.success ? roleOf(parsed.data.sender) : undefined
  if (!parsed.success || role === undefined) {
    yield { kind: 'skipped', reason: parsed.success ? 'unknown role' : 'not a message' }
    return
  }
  const { uuid, created_at, files } = parsed.data
  const { content, left, skipped } = textOf(parsed.data)
  for (const reason of left) yield { kind: 'repaired', reason }
  for (const reason of skipped) yield { kind: 'skipped', reason }
  if (files.length > 0) yield { kind: 'repaired', reason: 'file left out', count: files.length }
  const attachments = attached(parsed.data)
  // A message that only carries attachments is no loss: they follow it.
  if (content.trim() !== '' || attachments.every(({ words }) => words === undefined)) {
    yield { kind: 'message', session, owner, message: { role: role.role, content, id: uuid, at: created_at } }
  }
  for (const [index, { file, words }] of attachments.entries()) {
    if (words === undefined) yield { kind: 'repaired', reason: 'file left out' }
    else {
      const id = uuid === undefined ? undefined : `${uuid}/attachment-${index + 1}`
      const metadata = file === undefined ? undefined : { attachment: file }
      // The words are not the person's own, so their origin is tool.
      yield { kind: 'message', session, owner, message: { role: role.role, origin: 'tool', content: words, id, at: created_at, metadata } }
    }
  }
}

const leftOut: ReadonlyMap<string, RepairReason> = new Map([['image', 'image left out']])
const skippedBlocks: ReadonlyMap<string, SkipReason> = new Map([
  ['redacted_thinking', 'reasoning'],
  ['thinking', 'reasoning'],
  ['tool_result', 'tool block'],
  ['tool_use', 'tool block'],
])

/** Returns the text of the content blocks; `text` only when no block has any, since newer exports fill it with placeholders. */
function textOf({ content, text: plain }: ClaudeMessage): {
  readonly content: string
  readonly left: readonly RepairReason[]
  readonly skipped: readonly SkipReason[]
} {
  const texts: string[] = []
  const left: RepairReason[] = []
  const skipped: SkipReason[] = []
  for (const one of content) {
    const parsed = block.safeParse(one)
    const type = parsed.success ? parsed.data.type : ''
    const skip = skippedBlocks.get(type)
    if (skip !== undefined) skipped.push(skip)
    else if (parsed.success && parsed.data.text !== undefined) texts.push(parsed.data.text)
    else if (type !== 'text' && type !== 'token_budget') left.push(leftOut.get(type) ?? 'part left out')
  }
  return { content: texts.length > 0 ? texts.join('\n\n') : plain, left, skipped }
}

function attached({ attachments }: ClaudeMessage): readonly { readonly file: string | undefined; readonly words: string | undefined }[] {
  return attachments.map((one) => {
    const parsed = attachment.safeParse(one)
    return parsed.success ? { file: parsed.data.file_name, words: parsed.data.extracted_content } : { file: undefined, words: undefined }
  })
}
