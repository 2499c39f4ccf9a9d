import { readArguments, stop } from './shared/arguments.ts'
import { askAll } from './locomo/ask.ts'
import { readLocomoFile } from './locomo/file.ts'
import type { Filling } from './locomo/fill.ts'
import { type Asked, cutoffs, quality, type Quality } from './locomo/quality.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { share, table } from './shared/table.ts'

const about = `How well recall finds the turns that LoCoMo's questions rest on: one partition a conversation, one session a session,
the speaker as
the name, times from the session's date. any: questions with an evidence turn among the first 5, 10, 20 hits; fraction: the mean
share of the
evidence turns among them; all: questions with all of them. Questions without evidence are left out. Intervals are 95 %
bootstraps over questions. Categories 1–4 are what targets are set for; 5 (adversarial) is shown beside.`

/**
 * The targets over categories 1–4 at 10 hits: by words alone over all, and with vectors on the reporting half. The last
 * is for all conversations in one partition.
 */
const targets = { off: { any: 0.65, fraction: 0.58 }, on: { any: 0.9, fraction: 0.83, all: 0.77 }, one: { any: 0.88 } } as const
const categoryNames: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
}
/** The number of conversations, from the first of the file, that may be used to tune the ranking. The others are for reporting only. */
const workingConversations = 5

const options = readArguments('locomo', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  embeddings: { value: 'on|off', text: 'with the MiniLM that comes with the package, or words alone.', default: 'on' },
  partitions: { value: 'each|one', text: 'a partition for each conversation, or one for all.', default: 'each' },
  half: { value: 'half', text: 'working, reporting or both: which conversations are asked.', default: 'both' },
})
if (!['working', 'reporting', 'both'].includes(options.half)) stop(`--half must be working, reporting or both, received ${options.half}`)

if (options.embeddings !== 'on' && options.embeddings !== 'off') stop(`--embeddings must be on or off, received ${options.embeddings}`)
if (options.partitions !== 'each' && options.partitions !== 'one') stop(`--partitions must be each or one, received ${options.partitions}`)
const filling: Filling = { embeddings: options.embeddings, partitions: options.partitions }

const isWorking = (place: number): boolean => place < workingConversations
const conversations = readLocomoFile(options.data).filter(
  ({ place }) => options.half === 'both' || isWorking(place) === (options.half === 'working'),
)
const here = setting()
console.log(`${settingLine(here)}\n`)
const asked = await askAll(conversations, filling)

const answerable = asked.filter(({ category }) => category !== 5)
const groups: [string, Asked[]][] = [
  ...[1, 2, 3, 4, 5].map((category): [string, Asked[]] => [
    `${category} ${categoryNames[category] ?? ''}`,
    asked.filter((one) => one.category === category),
  ]),
  ['1–4', answerable],
  ['1–4, working half', answerable.filter(({ conversation }) => isWorking(conversation))],
  ['1–4, reporting half', answerable.filter(({ conversation }) => !isWorking(conversation))],
]
const figures = groups.filter(([, questions]) => questions.length > 0).map(([group, questions]) => ({ group, ...quality(questions) }))
const interval = ({ low, high }: Quality['anyInterval']): string => `${share(low)}–${share(high)}`
console.log(
  table(
    [
      'category',
      'n',
      ...['any', 'fraction', 'all'].flatMap((measure) => cutoffs.map((cutoff) => `${measure}@${cutoff}`)),
      'any@10 95 %',
      'fraction@10 95 %',
    ],
    figures.map(({ group, n, any, fraction, all, anyInterval, fractionInterval }) => [
      group,
      String(n),
      ...[...any, ...fraction, ...all].map(share),
      interval(anyInterval),
      interval(fractionInterval),
    ]),
  ),
)

const judgedQuestions =
  filling.embeddings === 'on' && filling.partitions === 'each'
    ? answerable.filter(({ conversation }) => options.half !== 'both' || !isWorking(conversation))
    : answerable
const overall = quality(judgedQuestions)
const wanted: Readonly<Partial<Record<'any' | 'fraction' | 'all', number>>> =
  filling.embeddings === 'off' ? targets.off : targets[filling.partitions === 'one' ? 'one' : 'on']
const judged = (['any', 'fraction', 'all'] as const).flatMap((measure) => {
  const value = overall[measure][cutoffs.indexOf(10)] ?? 0
  const atLeast = wanted[measure]
  return atLeast === undefined ? [] : [{ measure: `${measure}@10`, value, atLeast, met: value >= atLeast }]
})
console.log(
  `\n${table(
    [`of ${overall.n} questions`, 'figure', 'target', ''],
    judged.map(({ measure, value, atLeast, met }) => [measure, share(value), `≥ ${share(atLeast)}`, met ? 'met' : 'MISSED']),
  )}`,
)
const turns = conversations.reduce((sum, { sessions }) => sum + sessions.reduce((inner, session) => inner + session.turns.length, 0), 0)
const left = conversations.reduce((sum, conversation) => sum + conversation.withoutEvidence, 0)
console.log(`\n${conversations.length} conversations, ${turns} turns, ${asked.length} questions; ${left} more have no evidence to be found`)
writeResults('locomo', {
  setting: here,
  ...filling,
  half: options.half,
  conversations: conversations.length,
  turns,
  questions: asked.length,
  withoutEvidence: left,
  figures,
  targets: judged,
})
