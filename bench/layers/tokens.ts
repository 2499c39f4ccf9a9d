import { languagePacks } from '../../packages/varve/src/extractive/languages.ts'
import { markOf } from '../../packages/varve/src/messages/fence.ts'
import type { SourceMessage, StatedFact } from '../../packages/varve/src/models/writer.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { askedFact, factsTask } from '../../packages/varve/src/tasks/facts-task.ts'
import { messageLines } from '../../packages/varve/src/tasks/message-lines.ts'
import { spanPrompt } from '../../packages/varve/src/tasks/span-prompt.ts'
import { gistTask } from '../../packages/varve/src/tasks/text-tasks.ts'
import { mean } from '../shared/statistics.ts'
import { figure, table } from '../shared/table.ts'
import type { Conversation, TalkSession } from '../talk/conversation.ts'

/** The messages of a call, and the time between two of them. */
const messagesOfCall = 20
const betweenMs = 40_000

/** The system prompt of mem0ai 3.3.1 (`ADDITIVE_EXTRACTION_PROMPT`), in tokens of o200k_base. It has no schema. */
const mem0System = 7_874

/** The words of a usual message, in tokens. In a second scene the longest messages are cut until the mean has them. */
const usualWords = 21

/** The tokens of one call for gists and facts. */
interface Cost {
  readonly words: number
  readonly system: number
  readonly schema: number
  /** Numbers, speakers and times of the messages. */
  readonly heads: number
  /** The fence, and what is asked beside it. */
  readonly frame: number
}

/**
 * Tells what a call for gists and facts costs: for each session of people with names, its first 20 messages. An answered
 * fact is one that the extractive writer found, written in the form that a model is asked for.
 */
export async function tokensOfLayers(conversations: readonly Conversation[]): Promise<string> {
  const tokenizer = await loadTokenizer()
  const spans = conversations
    .flatMap(({ sessions }) => sessions)
    .map(spanOf)
    .filter((span) => span !== undefined)
  const facts = spans.flatMap((span) => languagePacks.flatMap((pack) => pack.facts?.(span) ?? []))
  const written = facts.map((fact) => JSON.stringify(answered(fact)))
  const short = withUsualWords(spans, tokenizer)
  return [
    table(
      [
        `tokens a message, ${messagesOfCall} messages, ${spans.length} calls`,
        'words',
        'system',
        'schema',
        'heads',
        'frame',
        'rest',
        'input',
      ],
      [
        row('Varve: gists and facts', meanCost(spans, tokenizer)),
        row(`Varve: the same, cut to ${usualWords} of words`, meanCost(short, tokenizer)),
        row('mem0: memories, none known yet', mem0Cost(spans, tokenizer)),
        row(`mem0: the same, cut to ${usualWords} of words`, mem0Cost(short, tokenizer)),
      ],
    ),
    `output tokens a fact: ${figure(mean(written.map((fact) => tokenizer.count(fact) + 1)))} (${written.length} facts)`,
  ].join('\n')
}

function row(name: string, { words, system, schema, heads, frame }: Cost): string[] {
  const rest = system + schema + heads + frame
  return [name, ...[words, system, schema, heads, frame, rest, words + rest].map(figure)]
}

function spanOf({ begin = 0, turns }: TalkSession): SourceMessage[] | undefined {
  return turns.length < messagesOfCall
    ? undefined
    : turns
        .slice(0, messagesOfCall)
        .map(({ speaker, text }, place) => ({
          seq: place + 1,
          role: 'user',
          origin: 'person',
          ...(speaker === undefined ? {} : { name: speaker }),
          at: begin + place * betweenMs,
          text,
        }))
}

/** Cuts the longest messages, all at the same length, until the mean of all has the usual words or just less. */
function withUsualWords(spans: readonly SourceMessage[][], tokenizer: Tokenizer): SourceMessage[][] {
  let [least, most] = [0, Math.max(...spans.flat().map(({ text }) => text.length)) + 1]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (wordsOf(cutAt(spans, middle).flat(), tokenizer) > usualWords) most = middle
    else least = middle
  }
  return cutAt(spans, least)
}

function cutAt(spans: readonly SourceMessage[][], characters: number): SourceMessage[][] {
  return spans.map((span) => span.map((message) => ({ ...message, text: message.text.slice(0, characters) })))
}

function wordsOf(messages: readonly SourceMessage[], tokenizer: Tokenizer): number {
  return mean(messages.map(({ text }) => tokenizer.count(text)))
}

/** Gives the mean of all calls, a message. */
function meanCost(spans: readonly SourceMessage[][], tokenizer: Tokenizer): Cost {
  const costs = spans.map((span) => costOf(span, tokenizer))
  const of = (part: keyof Cost): number => mean(costs.map((cost) => cost[part])) / messagesOfCall
  return { words: of('words'), system: of('system'), schema: of('schema'), heads: of('heads'), frame: of('frame') }
}

function mem0Cost(spans: readonly SourceMessage[][], tokenizer: Tokenizer): Cost {
  return { words: wordsOf(spans.flat(), tokenizer), system: mem0System / messagesOfCall, schema: 0, heads: 0, frame: 0 }
}

function costOf(span: readonly SourceMessage[], tokenizer: Tokenizer): Cost {
  const { instructions, prompt, schema } = spanPrompt(span, [gistTask, factsTask], { mark: markOf('bench', '0badcafe') })
  const words = span.reduce((sum, { text }) => sum + tokenizer.count(text), 0)
  const shown = tokenizer.count(`${messageLines(span).join('\n')}\n`)
  return {
    words,
    system: tokenizer.count(instructions),
    schema: tokenizer.count(JSON.stringify(schema)),
    heads: shown - words,
    frame: tokenizer.count(prompt) - shown,
  }
}

const kinds = { is: 'state', ends: 'ended', wrong: 'never' } as const

/** Writes a fact as an answer holds it: every field that is asked for. */
function answered({ says, seq, ...fact }: StatedFact): Record<string, unknown> {
  const { event, ...given } = fact
  const all: Readonly<Record<string, unknown>> = { ...given, from: seq, kind: event === true ? 'event' : kinds[says] }
  const unsaid: Readonly<Record<string, unknown>> = { restsOn: [], single: false }
  return Object.fromEntries(Object.keys(askedFact.shape).map((key) => [key, all[key] ?? unsaid[key] ?? '']))
}
