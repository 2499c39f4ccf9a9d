import { failingOpenTo, whenReady } from './asking.ts'
import type { CallOptions } from './call.ts'
import type { CompactPlan, CompactRequest } from './context/compact/compact.ts'
import { estimatedTokens } from './context/compact/conversation-size.ts'
import { planWithoutStore } from './context/compact/fallback.ts'
import { readTurn } from './context/compact/read-turn.ts'
import { type Shape, shapeOf, tellingShape } from './context/compact/shape.ts'
import type { Turn } from './context/compact/turn.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import type { Ground } from './ground.ts'
import { itemsOf, type Page, pagesOf } from './messages/pages.ts'
import { inSlices, type Sliced } from './messages/slices.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange, refuseUnknown } from './scope/options.ts'
import { type PartitionId, sessionName } from './scope/partition.ts'
import type { Scope } from './scope/scope.ts'

export interface CompactOptions {
  /** The session that the conversation is stored in; one that is not there is no fault. */
  readonly session: string
  /**
   * Exact tokens (o200k_base) of what comes back: words, tools' names, inputs and outputs, 4 a message, 1,600 a
   * picture or file. 1 to 10,000,000.
   */
  readonly maxTokens: number
}

export interface ShouldCompactOptions {
  /** The tokens that the model can read. */
  readonly window: number
  /** The share of it that a conversation may take: above 0, at most 1. Default .8. */
  readonly at?: number
}

const compactOptions: ReadonlySet<string> = new Set(['session', 'maxTokens', 'signal', 'deadlineMs'])
const shouldCompactOptions: ReadonlySet<string> = new Set(['window', 'at'])
const mostTokens = 10_000_000

/** Of a longer list, the shapes of so many messages at either end are checked, where the answer has to come at once. */
const mostShapes = 500

/** Whether a conversation takes so much of a model's window: an estimate, for thousands of messages one from some of them. */
export function shouldCompact(messages: readonly object[], options: ShouldCompactOptions): boolean {
  refuseUnknown(givenObject('options', options), shouldCompactOptions)
  const window = inRange('window', options.window, 1, 1_000_000_000, true)
  const { at = 0.8 } = options
  if (typeof at !== 'number' || !(at > 0 && at <= 1))
    throw new InvalidOption({ option: 'at', received: shown(at), expected: 'a number above 0, at most 1' })
  listOf(messages)
  shapeOf(messages.length > 2 * mostShapes ? [...messages.slice(0, mostShapes), ...messages.slice(-mostShapes)] : messages)
  return reading(() => estimatedTokens(messages)) >= at * window
}

/** Compacts a list of messages of one partition's session. */
export async function compactOn(
  ground: Ground,
  scope: Scope,
  given: readonly object[],
  options: CompactOptions & CallOptions,
): Promise<object[]> {
  refuseUnknown(givenObject('options', options), compactOptions)
  const session = sessionName(options.session)
  const maxTokens = inRange('maxTokens', options.maxTokens, 1, mostTokens, true)
  // A copy: the caller's list may become another one between two slices.
  const messages = [...listOf(given)]
  if (messages.length === 0) return []
  const { clock, observer } = ground
  const start = performance.now()
  const begun = inSlices(readConversation(messages))
  const { shape, pages } = begun instanceof Promise ? await begun : begun
  const request = { session, maxTokens, now: clock.now() }
  const plan = await failingOpenTo(
    ground,
    () => withoutStore(itemsOf(pages), messages, maxTokens),
    () =>
      whenReady(
        'compact',
        options,
        () => ground.ready(scope),
        () => planned(ground, scope.partition, request, pages),
      ),
  )
  const { project, owner } = scope.partition
  observer.emit({
    type: 'compacted',
    project,
    ...(owner.kind === 'user' ? { user: owner.name } : {}),
    session,
    messages: messages.length,
    kept: plan.kept.length,
    tokens: plan.tokens,
    ms: performance.now() - start,
  })
  return built(messages, plan, shape)
}

/** Turns that cross to the engine as they are; more go in pages. */
const mostTurnsAtOnce = 256

function planned(
  { engine: { read } }: Ground,
  partition: PartitionId,
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

/** Of many, no turn stays in memory: what lives long is copied by each collection of garbage, in one go. */
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

/** The same objects, and the notes in the host's own shape. */
function built(messages: readonly object[], { kept, head, notes }: CompactPlan, shape: Shape): object[] {
  const of = (places: readonly number[]): object[] => places.flatMap((place) => messages[place] ?? [])
  const isHead = (place: number, index: number): boolean => index < head
  const shownNotes = notes === undefined ? [] : [notesMessage(notes, shape)]
  return [...of(kept.filter(isHead)), ...shownNotes, ...of(kept.filter((place, index) => !isHead(place, index)))]
}

/** Hex digits of a fence's mark, which is the same for the same notes. */
const mark = /^<memory mark="([0-9a-f]+)">/

function notesMessage(notes: string, shape: Shape): object {
  if (shape !== 'AI SDK UIMessage') return { role: 'user', content: notes }
  return { id: `notes-${mark.exec(notes)?.[1] ?? 'left-out'}`, role: 'user', parts: [{ type: 'text', text: notes }] }
}

function listOf(messages: readonly object[]): readonly object[] {
  if (!Array.isArray(messages)) throw new InvalidOption({ option: 'messages', received: shown(messages), expected: 'a list of messages' })
  return messages
}

/** What no JSON can hold is the caller's mistake. */
function reading<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    throw new InvalidOption(
      { option: 'messages', received: error.message, expected: 'messages whose tool inputs and outputs can be written as JSON' },
      { cause: error },
    )
  }
}
