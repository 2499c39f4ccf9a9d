import { join } from 'node:path'
import { measureQuestions } from './now/beam-questions.ts'
import { readHistories } from './now/history.ts'
import { failuresOf, judge } from './now/judge.ts'
import { playAll } from './now/play.ts'
import { printFailures, printSet } from './now/report.ts'
import { readArguments, stop } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { fillingOptions, readFilling } from './talk/options.ts'
import { readTalkFileOf } from './talk/talk-file.ts'

const about = `How well a memory knows what holds now, after values changed or only seemed to change. Invented histories, each in a project
of its own, are read without a language model. A value stands when a current fact holds its words.
new: every new value stands; old: an old one stands. first: the first hit states the new value; before: it comes before every message
that states the old one alone; stale first: the first hit does. in context: 400 tokens hold the answer; stale line: a line states the old
value alone, without a mark. Traps are unharmed, harmed (a wrong value stands) or not read (the right one does not stand).
With --data, also BEAM's questions on updates and contradictions.`

const options = readArguments('now', about, {
  set: {
    value: 'set',
    text: 'of histories: the name of a file in bench/now (direct), both (working and reporting), none, or a path.',
    default: 'both',
  },
  kind: { value: 'kind', text: 'only histories of this kind.', default: '' },
  id: { value: 'id', text: 'only histories whose id begins so.', default: '' },
  failures: { value: 'on|off', text: 'prints each history that fails in something, with its current facts.', default: 'off' },
  data: { value: 'file', text: 'of BEAM. It is read, and nothing of it is written anywhere.', default: '' },
  embeddings: fillingOptions.embeddings,
  store: { ...fillingOptions.store, text: "keeps the store filled with --data's chats in this file. Default: a store in memory." },
})
const filling = readFilling({ ...options, partitions: 'each' })
if (options.failures !== 'on' && options.failures !== 'off') stop(`--failures must be on or off, received ${options.failures}`)
const here = setting()
console.log(`${settingLine(here)}, embeddings ${filling.embeddings}\n`)

const sets = []
for (const set of setsOf(options.set)) {
  const histories = readHistories(pathOf(set)).filter(
    ({ id, kind }) => id.startsWith(options.id) && (options.kind === '' || kind === options.kind),
  )
  const judged = (await playAll(histories, filling.embeddings)).map(judge)
  sets.push({ ...printSet(set, judged), failures: judged.map((one) => ({ id: one.history.id, failures: failuresOf(one) })) })
  if (options.failures === 'on') printFailures(judged)
}
const questions = options.data === '' ? undefined : await measureQuestions(readTalkFileOf('beam', options.data), filling)
writeResults('now', { setting: here, embeddings: filling.embeddings, sets, questions })

function setsOf(set: string): string[] {
  if (set === 'both') return ['working', 'reporting']
  return set === 'none' ? [] : [set]
}

function pathOf(set: string): string {
  return /^[a-z-]+$/.test(set) ? join(import.meta.dirname, 'now', `${set}.jsonl`) : set
}
