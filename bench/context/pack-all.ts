import type { UserMemory } from '../../packages/varve/src/index.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { type Conversation, isAnswerable, type TalkQuestion } from '../talk/conversation.ts'
import { filled, turnKey, userOf } from '../talk/fill.ts'

export const budgets = [500, 1_000, 2_000, 4_000] as const
export const ways = ['context', 'naive', 'recent'] as const

/** The result of one way of filling one budget for one question. */
export interface Packed {
  readonly way: (typeof ways)[number]
  readonly budget: number
  readonly conversation: number
  readonly category: string
  readonly evidence: number
  readonly inside: number
  readonly tokens: number
}

interface Line {
  readonly turn: string
  readonly tokens: number
}

/** The hits that are packed naively: more than fit the largest budget. */
const mostHits = 300

/** Fills each budget in each way for every question that has an answer. */
export async function packAll(conversations: readonly Conversation[], store: string): Promise<Packed[]> {
  const { memory, turns } = await filled(conversations, { embeddings: 'on', partitions: 'each', ...(store === '' ? {} : { store }) })
  await using _memory = memory
  const tokenizer = await loadTokenizer()
  const packed: Packed[] = []
  for (const conversation of conversations) {
    const handle = memory.for(userOf(conversation.place, 'each'))
    const recent = recentLines(conversation, tokenizer)
    const shows = await shownBy(handle, turns)
    for (const question of conversation.questions.filter(isAnswerable)) {
      packed.push(...(await packOne(handle, conversation.place, question, shows, recent, tokenizer)))
    }
  }
  return packed
}

async function packOne(
  handle: UserMemory,
  place: number,
  question: TalkQuestion,
  shows: (item: string) => readonly string[],
  recent: readonly Line[],
  tokenizer: Tokenizer,
): Promise<Packed[]> {
  const evidence = new Set(question.evidence.map((id) => turnKey(place, { id })))
  const { hits } = await handle.recall(question.text, { limit: mostHits })
  const naive = hits.map(({ at, role = '', name, text, externalId = '' }) => ({
    turn: externalId,
    tokens: tokenizer.count(`${lineOf(at, name ?? role, text)}\n`),
  }))
  const results: Packed[] = []
  for (const budget of budgets) {
    const base = { budget, conversation: place, category: question.category, evidence: evidence.size }
    const context = await handle.context({ query: question.text, maxTokens: budget })
    const shown = new Set(context.sections.flatMap(({ items }) => items.flatMap(({ id }) => shows(id))))
    results.push({ way: 'context', ...base, inside: [...shown].filter((turn) => evidence.has(turn)).length, tokens: context.tokens })
    for (const [way, lines] of [
      ['naive', naive],
      ['recent', recent],
    ] as const)
      results.push({ way, ...base, ...fill(lines, budget, evidence) })
  }
  return results
}

/** Tells which turns an item of the context shows: a message itself, an instruction the words of its messages. */
async function shownBy(handle: UserMemory, turns: ReadonlyMap<string, string>): Promise<(item: string) => readonly string[]> {
  const sources = new Map<string, readonly string[]>()
  for await (const { id, sources: said } of handle.instructions.list({ limit: 500 }))
    sources.set(
      id,
      said.map(({ message }) => turns.get(message) ?? ''),
    )
  return (item) => sources.get(item) ?? [turns.get(item) ?? '']
}

/** Takes lines in their order until one does not fit. */
function fill(lines: readonly Line[], budget: number, evidence: ReadonlySet<string>): { inside: number; tokens: number } {
  let tokens = 0
  let inside = 0
  for (const line of lines) {
    if (tokens + line.tokens > budget) break
    tokens += line.tokens
    if (evidence.has(line.turn)) inside += 1
  }
  return { inside, tokens }
}

function recentLines({ place, sessions }: Conversation, tokenizer: Tokenizer): Line[] {
  return sessions
    .flatMap(({ begin = 0, turns }) =>
      turns.map((turn) => ({
        turn: turnKey(place, turn),
        tokens: tokenizer.count(`${lineOf(begin, turn.speaker ?? turn.role, turn.text)}\n`),
      })),
    )
    .toReversed()
}

function lineOf(at: number, name: string, text: string): string {
  return `[${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}] ${name}: ${text}`
}
