import { readArguments } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { dropStore, inSchema, isServer } from './server/server.ts'
import { type Answered, askAll } from './talk/ask.ts'
import { isAnswerable } from './talk/conversation.ts'
import { fillingOptions, readFilling } from './talk/options.ts'
import { type Parity, parityOf, parityTable } from './talk/parity.ts'
import type { Asked } from './talk/quality.ts'
import { printGroups, printTargets } from './talk/report.ts'
import { inHalf, isWorking, readHalf, readTalkFileOf } from './talk/talk-file.ts'

const about = `How well recall finds the turns that LoCoMo's questions rest on: one partition a conversation, one session a session,
the speaker as the name, times from the session's date. any: questions with an evidence turn among the first 5, 10, 20 hits;
fraction: the mean share of the evidence turns among them; all: questions with all of them. Questions without evidence are left
out. Intervals are 95 % bootstraps over questions. Targets are set for all categories but adversarial, which is shown beside.
With --store postgres://…, a store in memory is asked the same, and the answers are compared.`

/**
 * The targets at 10 hits: by words alone over all, and with vectors on the reporting half. The last is for all
 * conversations in one partition.
 */
const targets = { off: { any: 0.65, fraction: 0.58 }, on: { any: 0.9, fraction: 0.83, all: 0.77 }, one: { any: 0.88 } } as const

const options = readArguments('locomo', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  ...fillingOptions,
  half: { value: 'half', text: 'working, reporting or both: which conversations are asked.', default: 'both' },
})
const half = readHalf(options.half)
const filling = readFilling(options)
const conversations = readTalkFileOf('locomo', options.data).filter(inHalf(half))
const here = setting()
console.log(`${settingLine(here)}\n`)
const { asked, parity } = await (isServer(options.store) ? askBoth() : alone())

const answerable = asked.filter(isAnswerable)
const reporting = answerable.filter(({ conversation }) => !isWorking(conversation))
const byCategory = [...Map.groupBy(asked, ({ category }) => category)].toSorted(([a], [b]) => (a < b ? -1 : 1))
const groups: [string, Asked[]][] = [
  ...byCategory,
  ['answerable', answerable],
  ['answerable, working half', answerable.filter(({ conversation }) => isWorking(conversation))],
  ['answerable, reporting half', reporting],
]
const figures = printGroups(groups)
const isOnReporting = filling.embeddings === 'on' && filling.partitions === 'each' && half === 'both'
const judged = printTargets(
  isOnReporting ? reporting : answerable,
  filling.embeddings === 'off' ? targets.off : targets[filling.partitions === 'one' ? 'one' : 'on'],
)
const turns = conversations.reduce((sum, { sessions }) => sum + sessions.reduce((inner, session) => inner + session.turns.length, 0), 0)
const left = conversations.reduce((sum, { withoutEvidence }) => sum + withoutEvidence.length, 0)
console.log(`\n${conversations.length} conversations, ${turns} turns, ${asked.length} questions; ${left} more have no evidence to be found`)
if (parity !== undefined) console.log(`\n${parityTable(parity)}`)
writeResults('locomo', {
  setting: here,
  ...filling,
  ...(parity === undefined ? {} : { store: 'postgres' }),
  half,
  conversations: conversations.length,
  turns,
  questions: asked.length,
  withoutEvidence: left,
  figures,
  targets: judged,
  ...(parity === undefined ? {} : { parity }),
})

async function alone(): Promise<{ asked: Answered[]; parity: Parity | undefined }> {
  return { asked: await askAll(conversations, filling), parity: undefined }
}

/** Asks a server, and SQLite the same. The tables are in a schema of the bench's own. */
async function askBoth(): Promise<{ asked: Answered[]; parity: Parity }> {
  const { store: _store, ...inMemory } = filling
  const store = inSchema(options.store, 'varve_bench_locomo')
  await dropStore(store)
  try {
    const answers = await askAll(conversations, { ...filling, store })
    return { asked: answers, parity: parityOf(answers, await askAll(conversations, inMemory)) }
  } finally {
    await dropStore(store)
  }
}
