import { languagePacks } from '../../packages/varve/src/extractive/languages.ts'
import { markOf } from '../../packages/varve/src/messages/fence.ts'
import type { SourceMessage, StatedFact } from '../../packages/varve/src/models/writer.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { askedFact, factsTask } from '../../packages/varve/src/tasks/facts-task.ts'
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

/** The tokens of one call for gists and facts. */
interface Cost {
  readonly words: number
  readonly instructions: number
  readonly schema: number
  readonly prompt: number
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
  const costs = spans.map((span) => costOf(span, tokenizer))
  const facts = spans.flatMap((span) => languagePacks.flatMap((pack) => pack.facts?.(span) ?? []))
  const written = facts.map((fact) => JSON.stringify(answered(fact)))
  const of = (part: keyof Cost): number => mean(costs.map((cost) => cost[part])) / messagesOfCall
  const cacheable = of('instructions') + of('schema')
  return [
    table(
      [
        `tokens a message, ${messagesOfCall} messages, ${spans.length} calls`,
        'words',
        'cacheable',
        'instructions',
        'schema',
        'prompt',
        'input',
      ],
      [
        ['Varve: gists and facts', of('words'), cacheable, of('instructions'), of('schema'), of('prompt'), cacheable + of('prompt')],
        [
          'mem0: memories, none known yet',
          of('words'),
          mem0System / messagesOfCall,
          mem0System / messagesOfCall,
          0,
          of('words'),
          mem0Of(of('words')),
        ],
      ].map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell))),
    ),
    `output tokens a fact: ${figure(mean(written.map((fact) => tokenizer.count(fact) + 1)))} (${written.length} facts)`,
  ].join('\n')
}

function mem0Of(words: number): number {
  return mem0System / messagesOfCall + words
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

function costOf(span: readonly SourceMessage[], tokenizer: Tokenizer): Cost {
  const { instructions, prompt, schema } = spanPrompt(span, [gistTask, factsTask], { mark: markOf('bench', '0badcafe') })
  return {
    words: span.reduce((sum, { text }) => sum + tokenizer.count(text), 0),
    instructions: tokenizer.count(instructions),
    schema: tokenizer.count(JSON.stringify(schema)),
    prompt: tokenizer.count(prompt),
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
