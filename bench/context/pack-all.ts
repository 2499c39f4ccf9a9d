import type { Context, UserMemory } from '../../packages/varve/src/index.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { type Conversation, isAnswerable, type TalkQuestion, type Turn } from '../talk/conversation.ts'
import { mean } from '../shared/statistics.ts'
import { filled, turnKey, userOf } from '../talk/fill.ts'
import { rarityAmong, shownPart, shownTexts } from './shown-part.ts'

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
  /** The share of the evidence's characters that is shown, and of the users' evidence; of the latter undefined without any. */
  readonly text: number
  readonly own: number | undefined
  /** The share of the words that evidence and question share, weighed by rarity; undefined when they share none. */
  readonly words: number | undefined
  /** CPU time of the whole process, with the question's embedding: ms. */
  readonly cpu: number
}

interface Line {
  readonly turn: string
  readonly tokens: number
}

/** A conversation's turns by their keys, and the rarity of its words. */
interface Talk {
  readonly place: number
  readonly turns: ReadonlyMap<string, Turn>
  readonly rarity: (term: string) => number
}

/** The turns that an item shows, and the turn of a message. */
interface Items {
  readonly shows: (item: string) => readonly string[]
  readonly turns: ReadonlyMap<string, string>
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
    const said = conversation.sessions.flatMap((session) => session.turns)
    const talk = {
      place: conversation.place,
      turns: new Map(said.map((turn) => [turnKey(conversation.place, turn), turn])),
      rarity: rarityAmong(said.map(({ text }) => text)),
    }
    const shows = await shownBy(handle, turns)
    for (const question of conversation.questions.filter(isAnswerable)) {
      packed.push(...(await packOne(handle, talk, question, { shows, turns }, recent, tokenizer)))
    }
  }
  return packed
}

async function packOne(
  handle: UserMemory,
  talk: Talk,
  question: TalkQuestion,
  items: Items,
  recent: readonly Line[],
  tokenizer: Tokenizer,
): Promise<Packed[]> {
  const { place } = talk
  const evidence = new Set(question.evidence.map((id) => turnKey(place, { id })))
  const { hits } = await handle.recall(question.text, { limit: mostHits })
  const naive = hits.map(({ at, role = '', name, text, externalId = '' }) => ({
    turn: externalId,
    tokens: tokenizer.count(`${lineOf(at, name ?? role, text)}\n`),
  }))
  const results: Packed[] = []
  for (const budget of budgets) {
    const base = { budget, conversation: place, category: question.category, evidence: evidence.size }
    const before = process.cpuUsage()
    const context = await handle.context({ query: question.text, maxTokens: budget })
    const { user, system } = process.cpuUsage(before)
    const texts = textsOf(context, items)
    results.push({
      way: 'context',
      ...base,
      ...partsOf(talk, question, evidence, texts),
      inside: [...texts.keys()].filter((turn) => evidence.has(turn)).length,
      tokens: context.tokens,
      cpu: (user + system) / 1_000,
    })
    for (const [way, lines] of [
      ['naive', naive],
      ['recent', recent],
    ] as const) {
      const { inside, tokens, shown } = fill(lines, budget, evidence)
      const whole = new Map(shown.map((turn) => [turn, talk.turns.get(turn)?.text ?? '']))
      results.push({ way, ...base, ...partsOf(talk, question, evidence, whole), inside, tokens, cpu: 0 })
    }
  }
  return results
}

/** The texts that a context shows of each turn. An instruction shows its messages in other words. */
function textsOf(context: Context, { shows, turns }: Items): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { id } of context.sections.flatMap(({ items }) => items)) for (const turn of shows(id)) texts.set(turn, '')
  for (const [id, text] of shownTexts(context)) texts.set(turns.get(id) ?? '', text)
  return texts
}

/** Measures how much of the evidence some texts show. */
function partsOf(
  { turns, rarity }: Talk,
  question: TalkQuestion,
  evidence: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
): Pick<Packed, 'text' | 'own' | 'words'> {
  const parts = [...evidence].map((id) => {
    const { text = '', role = 'user' } = turns.get(id) ?? {}
    return { role, ...shownPart(text, question.text, texts.get(id) ?? '', rarity) }
  })
  const own = parts.filter(({ role }) => role === 'user').map(({ text }) => text)
  const words = parts.flatMap((part) => part.words ?? [])
  return {
    text: mean(parts.map(({ text }) => text)),
    own: own.length === 0 ? undefined : mean(own),
    words: words.length === 0 ? undefined : mean(words),
  }
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
function fill(lines: readonly Line[], budget: number, evidence: ReadonlySet<string>): { inside: number; tokens: number; shown: string[] } {
  let tokens = 0
  let inside = 0
  const shown: string[] = []
  for (const line of lines) {
    if (tokens + line.tokens > budget) break
    tokens += line.tokens
    shown.push(line.turn)
    if (evidence.has(line.turn)) inside += 1
  }
  return { inside, tokens, shown }
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
