import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { parse } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readClaudeCode } from '../../importers/formats/claude-code.ts'
import type { ImportHandle, ImportItem } from '../../importers/importer.ts'
import { storeItems, type StoredItems } from '../../importers/store-items.ts'
import { sessionId } from '../../importers/text.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { withBoundedTools } from './bounded-tools.ts'
import type { HookInput } from './hook-input.ts'
import { openNow } from './open-now.ts'
import { unreadPart } from './unread-part.ts'

/** The part of a memory that a capture needs. */
export type CaptureMemory = ImportHandle & Pick<UserMemory, 'messages'>

/** The newest stored messages that are looked for in a transcript. */
const mostLookedFor = 200

/** The wait until the transcript has the last words of a turn: Claude Code writes it in the background. */
const flushMs = 1_000
const lookEveryMs = 50

/**
 * Stores what a transcript has of a session beyond what is stored. Ids are those of an import of the same file, so both
 * together store nothing twice, and a forgotten message stays forgotten.
 */
export async function capture(memory: CaptureMemory, file: 'session' | 'agent', input: HookInput, now: number): Promise<StoredItems> {
  const path = file === 'agent' ? input.agent_transcript_path : input.transcript_path
  if (path === undefined || !isFile(path)) return file === 'agent' ? nothing : lastWords(memory, input, now)
  const { session_id: id, transcript_path: own } = input
  // What led to a subagent comes first.
  if (file === 'agent' && own !== undefined && isFile(own)) await unread(memory, own, id, now)
  const before = await unread(memory, path, id, now, file === 'agent' ? input.agent_id : undefined)
  const last = file === 'session' ? input.last_assistant_message : undefined
  if (last === undefined || before.said(last)) return before
  // Without the flush, the next capture of this session has the last words: stored by themselves they would come twice.
  if (!(await grows(path, before.size))) return before
  const after = await unread(memory, path, id, now)
  return { stored: before.stored + after.stored, duplicates: after.duplicates }
}

const nothing: StoredItems = { stored: 0, duplicates: 0 }

interface Captured extends StoredItems {
  readonly size: number
  /** Tells whether the assistant said this in the part that was read. */
  said(words: string): boolean
}

async function unread(memory: CaptureMemory, path: string, id: string, now: number, agent?: string): Promise<Captured> {
  await using file = await open(path, openNow)
  const { size } = await file.stat()
  const session = sessionId(id).id
  const known = await storedIds(memory, session)
  const from = known.size === 0 ? 0 : await unreadPart(file, (line) => known.has(line))
  const said = new Set<string>()
  async function* items(): AsyncGenerator<ImportItem> {
    const bytes = file.createReadStream({ start: from, autoClose: false })
    for await (const item of readClaudeCode({ file: path, name: session || parse(path).name, bytes })) {
      if (item.kind === 'message' && item.message.role === 'assistant') said.add(wordsOf(item.message.content))
      yield withBoundedTools(agent === undefined ? item : saidToAgent(item, agent))
    }
  }
  const counts = await storeItems(memory, items(), now)
  return { ...counts, size, said: (words) => said.has(wordsOf(words)) }
}

/** In a subagent's transcript nobody's own words stand, whatever its lines say: the assistant speaks to the subagent. */
function saidToAgent(item: ImportItem, agent: string): ImportItem {
  if (item.kind !== 'message' || item.message.thread !== undefined) return item
  const { origin, ...said } = item.message
  const by = origin ?? (said.role === 'user' ? 'assistant' : undefined)
  return { ...item, message: { ...said, thread: `agent-${agent}`, ...(by === undefined ? {} : { origin: by }) } }
}

/** Compares texts by a hash of their words: a session may say megabytes. */
function wordsOf(text: string): string {
  return createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('base64url')
}

/** Gives the ids of transcript lines whose messages are stored. A line may be several messages: `id#2`, `id/said`. */
async function storedIds(memory: CaptureMemory, session: string): Promise<ReadonlySet<string>> {
  const messages = await memory.messages(session, { limit: mostLookedFor })
  return new Set(messages.flatMap(({ externalId }) => (externalId === undefined ? [] : [externalId.replace(/(?:#\d+|\/said)$/, '')])))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

async function grows(path: string, size: number): Promise<boolean> {
  for (let waited = 0; waited < flushMs; waited += lookEveryMs) {
    await setTimeout(lookEveryMs)
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > size) return true
  }
  return false
}

/** Without a transcript, the assistant's last words are stored by themselves. */
async function lastWords(memory: CaptureMemory, input: HookInput, now: number): Promise<StoredItems> {
  const { last_assistant_message: words = '', prompt_id: prompt = '' } = input
  async function* items(): AsyncGenerator<ImportItem> {
    const id = `last-${wordsOf(`${prompt} ${words}`)}`
    if (words.trim() !== '')
      yield { kind: 'message', session: input.session_id, message: { role: 'assistant', content: words, id, at: now } }
  }
  return storeItems(memory, items(), now)
}
