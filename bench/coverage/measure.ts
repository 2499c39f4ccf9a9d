import {
  bulletBounds,
  type ExtractiveWriter,
  gistBounds,
  type Sentence,
  type SourceMessage,
} from '../../packages/varve/src/models/writer.ts'
import { countWords } from '../../packages/varve/src/extractive/words.ts'
import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { seeded } from '../shared/random.ts'
import { mean } from '../shared/statistics.ts'
import { firstSentences, lead, randomSentences } from './baselines.ts'
import { rendered } from './bank.ts'
import { type Evidence, type Survival, survivors } from './evidence.ts'
import type { Talk } from './talks.ts'

export const layers = ['gist', 'bank'] as const
export const ways = ['writer', 'first 3 sentences', 'lead, same words', 'random, same words'] as const

/** The survival of a conversation's evidence turns in one layer, written in one way; over several draws the mean. */
export interface Outcome {
  readonly layer: (typeof layers)[number]
  readonly way: (typeof ways)[number]
  readonly survived: readonly Survival[]
  readonly words: number
}

export interface Measured {
  readonly outcomes: readonly Outcome[]
  readonly gistWords: readonly number[]
  readonly bulletWords: readonly number[]
  readonly cpuMs: readonly number[]
  readonly bankTokens: number
}

const maxPartMessages = 40
const draws = 20
const maxBankTokens = 2_000

/**
 * Writes the gists and the bank of a conversation, and measures how much evidence they hold. Also measures texts of as
 * many words from simple baselines.
 */
export function measure(talks: readonly Talk[], evidence: readonly Evidence[], writer: ExtractiveWriter, tokenizer: Tokenizer): Measured {
  const written = talks.map(({ messages }) => write(messages, writer))
  const leaves = talks.map(({ begin }, at) => ({ begin, bullets: written[at]?.bullets ?? [] }))
  const bank = rendered(leaves, writer, tokenizer, maxBankTokens)
  const gists = written.map(({ gist }) => gist)
  const gistWords = gists.map(countWords)
  const bankWords = Math.round(countWords(bank) / talks.length)
  const outcomes = [
    {
      layer: 'gist' as const,
      way: 'writer' as const,
      survived: survivors(evidence, (session) => gists[session] ?? ''),
      words: mean(gistWords),
    },
    ...baselines('gist', talks, gistWords, (texts) => survivors(evidence, (session) => texts[session] ?? '')),
    { layer: 'bank' as const, way: 'writer' as const, survived: survivors(evidence, () => bank), words: countWords(bank) },
    ...baselines(
      'bank',
      talks,
      talks.map(() => bankWords),
      (texts) => {
        const fitting = newestFirst(texts, tokenizer)
        return survivors(evidence, () => fitting)
      },
    ),
  ]
  return {
    outcomes,
    gistWords,
    bulletWords: written.map(({ bullets }) => countWords(bullets.join(' '))),
    cpuMs: written.map(({ cpuMs }) => cpuMs),
    bankTokens: tokenizer.count(bank),
  }
}

/** Writes a session's gist and bullets, in parts where it is long, and measures the time. */
function write(messages: readonly SourceMessage[], writer: ExtractiveWriter): { gist: string; bullets: string[]; cpuMs: number } {
  const begin = process.cpuUsage()
  const parts = Array.from({ length: Math.ceil(messages.length / maxPartMessages) }, (_, at) =>
    messages.slice(at * maxPartMessages, (at + 1) * maxPartMessages),
  )
  const fused = (of: Sentence[][], bounds: Parameters<ExtractiveWriter['fuse']>[1]): string[] =>
    (of.length === 1 ? (of[0] ?? []) : writer.fuse(of, bounds)).map(({ text }) => text)
  const gist = fused(
    parts.map((part) => writer.gist(part)),
    gistBounds,
  ).join('\n')
  const bullets = fused(
    parts.map((part) => writer.bullets(part)),
    bulletBounds,
  )
  const { user, system } = process.cpuUsage(begin)
  return { gist, bullets, cpuMs: (user + system) / 1_000 }
}

function baselines(
  layer: Outcome['layer'],
  talks: readonly Talk[],
  words: readonly number[],
  survived: (texts: readonly string[]) => Survival[],
): Outcome[] {
  const first = talks.map(({ sentences }) => firstSentences(sentences))
  const leads = talks.map(({ sentences }, at) => lead(sentences, words[at] ?? 0))
  const drawn = Array.from({ length: draws }, (_, draw) => {
    const random = seeded(draw + 1)
    return survived(talks.map(({ sentences }, at) => randomSentences(sentences, words[at] ?? 0, random)))
  })
  const all = layer === 'bank' ? talks.length : 1
  const [one = []] = drawn
  return [
    { layer, way: 'first 3 sentences', survived: survived(first), words: mean(first.map(countWords)) * all },
    { layer, way: 'lead, same words', survived: survived(leads), words: mean(leads.map(countWords)) * all },
    {
      layer,
      way: 'random, same words',
      survived: one.map((_, at) => meanOf(drawn.flatMap((values) => values.slice(at, at + 1)))),
      words: mean(words) * all,
    },
  ]
}

function meanOf(values: readonly Survival[]): Survival {
  return { anywhere: mean(values.map(({ anywhere }) => anywhere)), inOneLine: mean(values.map(({ inOneLine }) => inOneLine)) }
}

/** Joins texts of sessions (in their order) as far as they fit, newest first. */
function newestFirst(texts: readonly string[], tokenizer: Tokenizer): string {
  const taken: string[] = []
  let left = maxBankTokens
  for (const text of texts.toReversed()) {
    left -= tokenizer.count(`${text}\n`)
    if (left < 0) break
    taken.push(text)
  }
  return taken.join('\n')
}
