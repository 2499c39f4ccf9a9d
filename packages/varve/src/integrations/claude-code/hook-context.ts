import { sessionId } from '../../importers/text.ts'
import { asksBack } from '../../operations/steering.ts'
import { type TurnAsking, type TurnContext, turnContext } from '../../turns/turn-context.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import { compactedAt } from './compact-boundary.ts'
import type { HookInput } from './hook-input.ts'

/** Claude Code shows a model at most 10,000 characters of a hook. */
const mostCharacters = 9_800

/** A longer prompt is asked about by its beginning and its end. */
const mostAsked = 2_000

/** A question that names no matter: it is answered by the newest conversations. */
const opening = 'Where were we?'

const none = { limit: 0 } as const

/** What a session is told at its start: what is stable, and the newest conversations. */
const startTiers = { details: none, recent: none, notes: none } as const
/** After a compaction: also the session's own notes and its newest turns. */
const compactTiers = { details: none, recent: { limit: 6 } } as const
/** The most messages that are shown with a prompt. */
const mostMessages = 12

/** With a prompt: what it asks for. What is stable was told at the start, and would be told with every prompt. */
const promptTiers = { instructions: none, blocks: none, profile: none, bank: none, recent: none, details: { limit: mostMessages } } as const

/**
 * A prompt gets nothing below this confidence that something was said of it: most prompts are no questions to memory. The bound was
 * chosen on working sets, by words alone. It keeps out 96 of 100 unrelated prompts in talk of people, and 28 in chats with an assistant.
 * It also keeps out 76 and 8 of 1,000 questions whose answer is found. docs/guides/hooks.md has the figures of other sets.
 */
const leastConfidence = 0.15

export interface HookAsking {
  readonly maxTokens: number
  readonly deadlineMs: number
}

/** Gives the text for a model to read; undefined when there is none. Rejects with the error of a memory that gave no answer. */
export async function hookContext(
  memory: Pick<TurnMemory, 'context'>,
  of: 'start' | 'compact' | 'prompt',
  input: HookInput,
  { maxTokens, deadlineMs }: HookAsking,
): Promise<string | undefined> {
  const since = of === 'prompt' ? compactedAt(input.transcript_path) : undefined
  const left = since === undefined ? {} : { excludeSessionSince: since }
  const asked = { ...askingOf(of, sessionId(input.session_id).id, input), ...left, maxTokens, deadlineMs }
  const { context, error } = await turnContext(memory, asked)
  if (error !== undefined) throw error
  const isAsked = of !== 'prompt' || asksBack(input.prompt ?? '')
  if (context !== undefined && !isAsked && (isToldAtStart(context) || isDoubtful(context))) return undefined
  if (context === undefined || context.text.length <= mostCharacters) return context?.text
  // Blanks cost no tokens by the estimate: a text of many is cut to half.
  const { context: shorter } = await turnContext(memory, { ...asked, maxTokens: Math.ceil(maxTokens / 2) })
  return shorter === undefined || shorter.text.length > mostCharacters ? undefined : shorter.text
}

/** Tells whether a context has the newest conversations alone. */
function isToldAtStart({ sections }: NonNullable<TurnContext['context']>): boolean {
  return sections.every(({ items }) => items.every(({ reason }) => reason.includes('the newest other conversation')))
}

/** Tells whether a context has little to do with its prompt. The confidence is about messages, so a document that fits is kept. */
function isDoubtful({ confidence = 1, degraded, sections }: NonNullable<TurnContext['context']>): boolean {
  const hasDocuments = sections.some(({ tier, items }) => tier === 'documents' && items.length > 0)
  return confidence < leastConfidence && degraded.length === 0 && !hasDocuments
}

function askingOf(of: 'start' | 'compact' | 'prompt', session: string, { prompt = '' }: HookInput): Omit<TurnAsking, 'deadlineMs'> {
  if (of === 'start') return { query: opening, excludeSession: session, tiers: startTiers }
  if (of === 'compact') return { query: opening, session, tiers: compactTiers }
  return { query: askedOf(prompt), excludeSession: session, tiers: promptTiers }
}

function askedOf(prompt: string): string {
  const whole = prompt.toWellFormed().replaceAll('\0', '')
  return whole.length <= mostAsked ? whole : `${whole.slice(0, mostAsked / 2)} ${whole.slice(-mostAsked / 2)}`.toWellFormed()
}
