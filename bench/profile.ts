import { readConversation } from './layers/read-talk.ts'
import { readGold } from './profile/gold.ts'
import { type Worth, worthOfLines } from './profile/measure.ts'
import { factLinesOf, profileLines } from './profile/portraits.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { share, table } from './shared/table.ts'
import { inHalf, readHalf, readTalkFileOf } from './talk/talk-file.ts'

const about = `What a profile holds of a person, without a language model. LoCoMo lists observations on both persons of each
conversation: an observation is held when one line of the profile has at least half of its content words (stemmed, without stop words
and the person's name), and a line matches when it holds one. Beside it, more kindly: the lines of which one observation has at least
half of the content words as well. Each conversation has a memory of its own, read session by session as its days pass.`

/** The least share of the observations that a profile holds, and of its lines that match one. */
const targets = { held: 0.1, matching: 0.8 } as const

const options = readArguments('profile', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  half: { value: 'half', text: 'working (the first five conversations), reporting or both.', default: 'working' },
  words: { value: 'n', text: 'The most words of a profile.', default: '150' },
})
const maxWords = wholeNumber('words', options.words, 10, 10_000)
const half = readHalf(options.half)
const here = setting()
console.log(`${settingLine(here)}\n`)
const gold = readGold(options.data)
const [persons, before, folds]: [Worth[], Worth[], number[]] = [[], [], []]
for (const conversation of readTalkFileOf('locomo', options.data).filter(inHalf(half))) {
  const { memory, user } = await readConversation(conversation)
  await using _memory = memory
  for (const [person, observations] of gold[conversation.place] ?? []) {
    persons.push(worthOfLines(person, await profileLines(user, person), observations, maxWords))
    folds.push(conversation.place + 1)
    before.push(worthOfLines(person, await factLinesOf(user, person), observations, maxWords))
  }
}

const rows = [
  { way: 'profile', ...figuresOf(persons) },
  { way: 'facts alone', ...figuresOf(before) },
]
console.log(`${half} half`)
console.log(
  table(
    ['way', 'persons', 'words', 'lines', 'held', '', 'lines matching', '', 'kindly'],
    rows.map(({ way, persons: count, words, lines, held, matching, kindly }) => [
      way,
      String(count),
      words.toFixed(0),
      lines.toFixed(1),
      share(held),
      way === 'profile' ? judged(held, targets.held) : '',
      share(matching),
      way === 'profile' ? judged(matching, targets.matching) : '',
      share(kindly),
    ]),
  ),
)
console.log('each person, by conversation')
console.log(
  table(
    ['conversation', 'lines', 'held', 'lines matching'],
    persons.map(({ lines, held, observations, matching }, place) => [
      String(folds[place]),
      String(lines),
      share(held / observations),
      share(matching / lines),
    ]),
  ),
)
writeResults('profile', { setting: here, half, maxWords, rows, persons: persons.map(({ person: _, ...one }) => one) })

function figuresOf(worths: readonly Worth[]) {
  const sum = (value: (one: Worth) => number): number => worths.reduce((total, one) => total + value(one), 0)
  const lines = sum((one) => one.lines)
  return {
    persons: worths.length,
    words: sum((one) => one.words) / worths.length,
    lines: lines / worths.length,
    held: sum((one) => one.held / one.observations) / worths.length,
    matching: sum((one) => one.matching) / lines,
    kindly: sum((one) => one.kindly) / lines,
  }
}

function judged(value: number, least: number): string {
  return `≥ ${share(least)}: ${value >= least ? 'met' : 'MISSED'}`
}
