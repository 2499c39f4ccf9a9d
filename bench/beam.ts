import { readArguments } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { askAll } from './talk/ask.ts'
import { fillingOptions, readFilling } from './talk/options.ts'
import { isAnswerable } from './talk/conversation.ts'
import { printGroups, printTargets } from './talk/report.ts'
import { readTalkFileOf } from './talk/talk-file.ts'

const about = `How well recall finds the messages that BEAM's questions rest on: chats of a user with an assistant, a partition a chat.
any: questions with an evidence message among the first 5, 10, 20 hits; fraction: the mean share of the evidence messages among
them; all: questions with all of them. Questions without evidence are left out. Intervals are 95 % bootstraps over questions.`

/** The targets at 10 hits: by words alone, and with vectors. */
const targets = { off: { any: 0.66, fraction: 0.46, all: 0.33 }, on: { any: 0.82, fraction: 0.64, all: 0.53 } } as const

const options = readArguments('beam', about, {
  data: { value: 'file', text: 'chats with questions. The file is read, and nothing of it is written anywhere.' },
  ...fillingOptions,
})
const filling = readFilling(options)
const conversations = readTalkFileOf('beam', options.data)
const here = setting()
console.log(`${settingLine(here)}\n`)
const asked = await askAll(conversations, filling)
const answerable = asked.filter(isAnswerable)
const byCategory = Map.groupBy(asked, ({ category }) => category)
const figures = printGroups([
  ...byCategory,
  ['all', answerable],
  ['even chats', answerable.filter(({ conversation }) => conversation % 2 === 0)],
  ['odd chats', answerable.filter(({ conversation }) => conversation % 2 === 1)],
])
const judged = printTargets(answerable, filling.partitions === 'one' ? {} : targets[filling.embeddings])
const left = conversations.reduce((sum, { withoutEvidence }) => sum + withoutEvidence.length, 0)
console.log(`\n${conversations.length} chats, ${asked.length} questions; ${left} more have no evidence to be found`)
writeResults('beam', { setting: here, ...filling, chats: conversations.length, questions: asked.length, figures, targets: judged })
