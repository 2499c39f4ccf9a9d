import type { CompactPlan, CompactRequest } from '../context/compact/compact.ts'
import { wordless } from '../errors/wordless.ts'
import { estimatedTokens } from '../context/compact/conversation-size.ts'
import { planWithoutStore } from '../context/compact/fallback.ts'
import { readTurn } from '../context/compact/read-turn.ts'
import { type Shape, shapeOf, tellingShape } from '../context/compact/shape.ts'
import type { Turn } from '../context/compact/turn.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { itemsOf, type Page, pagesOf } from '../log/pages.ts'
import { inSlices, type Sliced } from '../messages/slices.ts'
import { shown } from '../errors/shown.ts'
import { checked, session, asGiven, whole } from './fields.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'
import { parseInput } from './parse.ts'

const mostTokens = 10_000_000
const mostWindow = 1_000_000_000
const conversation = () => asGiven({ type: 'array', items: { type: 'object' } }).describe('Messages of the AI SDK, or { role, content }.')

/** The messages at either end of a longer list whose shapes are checked, where the answer has to come at once. */
const mostShapes = 500

const shareOfWindow = () =>
  checked({ type: 'number' }, (at) => (typeof at === 'number' && at > 0 && at <= 1 ? at : undefined), 'a number above 0, at most 1')

/** The fields of `shouldCompact`, which asks no store. */
const size = {
  input: () => ({
    messages: conversation(),
    window: whole(1, mostWindow).describe('The tokens that the model can read.'),
    at: shareOfWindow().default(0.8).describe('The share of them that a conversation may take. Default .8.'),
  }),
}

/** Tells whether a conversation takes so much of a model's window. It is an estimate, for thousands of messages from a sample. */
export function isOver(given: object): boolean {
  const { messages, window, at } = parseInput(size, given).input
  const list = listOf(messages)
  shapeOf(list.length > 2 * mostShapes ? [...list.slice(0, mostShapes), ...list.slice(-mostShapes)] : list)
  return reading(() => estimatedTokens(list)) >= at * window
}

/** A conversation that was cut, in the host's own shape. A caller who is far away finds its own messages by their places. */
export type Compacted = readonly object[] & {
  /** The place that each message had in the given list; null for the notes. */
  readonly places: readonly (number | null)[]
  readonly tokens: number
}

export const compactOperation = operation({
  name: 'compact',
  kind: 'read',
  route: 'POST /compact',
  about:
    'Cuts a conversation to a budget, in the host’s own shape. Keeps its system messages, the session’s notes in place of ' +
    'the messages that they cover, and the newest messages. Calls no model and writes nothing.',
  input: () => ({
    messages: conversation(),
    session: session().describe('The session that the conversation is stored in: its notes are used. It may be unknown.'),
    maxTokens: whole(1, mostTokens).describe('The most exact tokens (o200k_base) of the answer.'),
  }),
  output: 'Item[]',
  errors: ['LIMIT_EXCEEDED'],
  method: {
    details:
      'LimitExceeded, with the tokens needed, when the part that must stay is over the budget. Fails open: without the store, ' +
      'it keeps the newest messages that fit.',
    placed: ['messages'],
    options: 'CompactOptions',
    byHand: true,
  },
  run: async (means, { messages: given, session, maxTokens }): Promise<Compacted> => {
    // A copy: the caller's list may become another one between two slices.
    const messages = [...listOf(given)]
    if (messages.length === 0) return Object.assign([], { places: [], tokens: 0 })
    const { shape, pages } = await inSlices(readConversation(messages))
    const plan = await planned(means, { session, maxTokens, now: means.clock.now() }, pages)
    return built(messages, plan, shape)
  },
  failsOpen: async (_error, { messages: given, maxTokens }): Promise<Compacted> => {
    const messages = [...listOf(given)]
    const { shape, pages } = await inSlices(readConversation(messages))
    const plan = withoutStore(itemsOf(pages), messages, maxTokens)
    return built(messages, plan, shape)
  },
  told: ({ observer, who }, { session, messages: given }, { places, tokens }, ms) => {
    const messages = listOf(given).length
    if (messages === 0) return
    const kept = places.filter((place) => place !== null).length
    observer.emit({ type: 'compacted', ...who, session, messages, kept, tokens, ms })
  },
})

/** Turns that cross to the engine as they are; more go in pages. */
const mostTurnsAtOnce = 256

function planned(
  { engine: { read }, partition }: PartitionMeans,
  request: Omit<CompactRequest, 'turns'>,
  pages: readonly Page<Turn>[],
): Promise<CompactPlan> {
  const turns = pages.filter((page) => typeof page !== 'string')
  if (turns.length === pages.length) return read('context.compact', partition, { ...request, turns })
  return read('context.compactPages', partition, request, pages)
}

function lengthOf({ pieces }: Turn): number {
  return pieces.reduce(
    (sum, piece) => sum + ('text' in piece ? piece.text.length : (piece.output?.length ?? 0) + ('input' in piece ? piece.input.length : 0)),
    0,
  )
}

/** Reads a conversation. Of many turns none stays in memory: each collection of garbage copies long-lived objects, in one go. */
function* readConversation(messages: readonly object[]): Sliced<{ readonly shape: Shape; readonly pages: readonly Page<Turn>[] }> {
  const shape = yield* tellingShape(messages)
  if (messages.length > mostTurnsAtOnce) return { shape, pages: yield* pagesOf(turnsOf(messages), lengthOf) }
  const pages: Turn[] = []
  for (const turn of turnsOf(messages)) {
    pages.push(turn)
    yield
  }
  return { shape, pages }
}

function* turnsOf(messages: readonly object[]): Generator<Turn, void> {
  for (const message of messages) yield reading(() => readTurn(message))
}

function withoutStore(turns: readonly Turn[], messages: readonly object[], maxTokens: number): CompactPlan {
  return planWithoutStore({ turns, maxTokens }, (_turn, place) => {
    const message = messages[place]
    return message === undefined ? 0 : estimatedTokens([message])
  })
}

/** Builds the answer: the same objects, and the notes in the host's own shape. */
function built(messages: readonly object[], { kept, head, notes, tokens }: CompactPlan, shape: Shape): Compacted {
  const places = notes === undefined ? kept : [...kept.slice(0, head), null, ...kept.slice(head)]
  const shown = notes === undefined ? [] : [notesMessage(notes, shape)]
  const answer = places.flatMap((place) => (place === null ? shown : (messages[place] ?? [])))
  return Object.assign(answer, { places, tokens })
}

/** The hex digits of a fence's mark, which is the same for the same notes. */
const mark = /^<memory mark="([0-9a-f]+)">/

function notesMessage(notes: string, shape: Shape): object {
  if (shape !== 'AI SDK UIMessage') return { role: 'user', content: notes }
  return { id: `notes-${mark.exec(notes)?.[1] ?? 'left-out'}`, role: 'user', parts: [{ type: 'text', text: notes }] }
}

function listOf(messages: unknown): readonly object[] {
  if (!Array.isArray(messages)) throw new InvalidOption({ option: 'messages', received: shown(messages), expected: 'a list of messages' })
  return messages
}

/** Runs a reading. A value that JSON cannot hold is the caller's mistake: InvalidOption. */
function reading<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    throw new InvalidOption(
      { option: 'messages', received: 'one that cannot', expected: 'messages whose tool inputs and outputs can be written as JSON' },
      { cause: wordless(error) },
    )
  }
}
