import * as z from 'zod'
import type { Metadata } from '../../messages/message.ts'
import { EmptyConversations } from '../empty-conversations.ts'
import type { ImportItem, ImportSource } from '../importer.ts'
import { jsonValues } from '../json-values.ts'
import type { StatedOwner } from '../stated-owner.ts'
import { hash } from '../text.ts'
import { fromSeconds } from '../times.ts'
import { readContent } from './chatgpt-content.ts'
import { pathTo } from './chatgpt-tree.ts'
import { isRecord, roleOf } from './values.ts'

const text = z.string().min(1).optional().catch(undefined)

const conversation = z.object({
  id: text,
  conversation_id: text,
  title: text,
  create_time: z.unknown().optional(),
  current_node: text,
  user_id: text,
  mapping: z.custom<Readonly<Record<string, unknown>>>(isRecord),
})

const message = z.object({
  id: text,
  author: z.object({ role: z.string(), name: text }),
  create_time: z.unknown().optional(),
  content: z.unknown().optional(),
  recipient: text,
  metadata: z.object({ is_visually_hidden_from_conversation: z.unknown().optional(), model_slug: text }).optional().catch(undefined),
})

/** Reads ChatGPT's `conversations.json`: the shown branch of each conversation's tree, without hidden messages. */
export async function* readChatgpt(source: ImportSource): AsyncGenerator<ImportItem> {
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
  const { conversation_id, id, title, create_time, current_node, mapping, user_id } = parsed.data
  const owner = user_id === undefined ? undefined : { account: user_id }
  const nodes = new Map(Object.entries(mapping))
  const session = conversation_id ?? id ?? `chatgpt-${hash(title ?? '', String(create_time), [...nodes.keys()][0] ?? '')}`
  if (conversation_id === undefined && id === undefined) yield { kind: 'repaired', reason: 'session id replaced' }
  yield { kind: 'session', id: session, name: title, at: fromSeconds(create_time), owner }
  const path = pathTo(current_node, nodes)
  for (const reason of path.repairs) yield { kind: 'repaired', reason }
  if (path.elsewhere > 0) yield { kind: 'skipped', reason: 'other branch', count: path.elsewhere }
  for (const one of path.messages) yield* messageItems(session, owner, one)
}

function* messageItems(session: string, owner: StatedOwner | undefined, value: unknown): Generator<ImportItem> {
  const parsed = message.safeParse(value)
  if (!parsed.success) {
    yield { kind: 'skipped', reason: 'not a message' }
    return
  }
  const { id, author, create_time, content, recipient, metadata } = parsed.data
  const role = roleOf(author.role)
  const read = readContent(content)
  if (metadata?.is_visually_hidden_from_conversation === true) yield { kind: 'skipped', reason: 'hidden message' }
  else if (role === undefined) yield { kind: 'skipped', reason: 'unknown role' }
  else if (read.kind === 'skipped') yield { kind: 'skipped', reason: read.reason }
  else if (role.role === 'system' && read.text.trim() === '') yield { kind: 'skipped', reason: 'empty system message' }
  else {
    for (const reason of read.repairs) yield { kind: 'repaired', reason }
    if (role.renamed) yield { kind: 'repaired', reason: 'role renamed' }
    yield {
      kind: 'message',
      session,
      owner,
      message: {
        role: role.role,
        content: read.text,
        id,
        name: author.name,
        at: fromSeconds(create_time),
        metadata: detailsOf(metadata?.model_slug, recipient),
      },
    }
  }
}

/** Returns the model that wrote the message, and the tool that it was addressed to, if it was not the person. */
function detailsOf(model: string | undefined, recipient: string | undefined): Metadata | undefined {
  const tool = recipient === 'all' ? undefined : recipient
  if (model === undefined && tool === undefined) return undefined
  return { ...(model === undefined ? {} : { model }), ...(tool === undefined ? {} : { recipient: tool }) }
}
