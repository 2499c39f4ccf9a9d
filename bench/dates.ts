import { datedTimes } from '../packages/varve/src/distil/dated/dated-times.ts'
import { extractiveWriter } from '../packages/varve/src/extractive/extractive-writer.ts'
import { countWords } from '../packages/varve/src/extractive/words.ts'
import type { SourceMessage } from '../packages/varve/src/models/writer.ts'
import { talksOf, terms } from './coverage/talks.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { below, seeded } from './shared/random.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { median } from './shared/statistics.ts'
import { share } from './shared/table.ts'
import { measuring } from './shared/usage.ts'
import { type Half, halves, inHalf, readHalf, readTalkFile } from './talk/talk-file.ts'

const about = `The times in gists that are written without a language model: the share of sentences with a phrase such as "last week" that
has no date behind it, before and after Varve dates them, and the CPU of that. --shown prints dated sentences, drawn at random, with the
day of their message, to be read by eye.`

const options = readArguments('dates', about, {
  data: { value: 'file', text: 'of LoCoMo or BEAM. It is read, and nothing of it is written anywhere.' },
  half: { value: 'half', text: 'working (the first five conversations), reporting or both.', default: 'working' },
  shown: { value: 'count', text: 'sentences to print, and as many that stay without a date.', default: '0' },
  seed: { value: 'number', text: 'of the draw.', default: '1' },
})
const shown = wholeNumber('shown', options.shown, 0, 10_000)
const random = seeded(wholeNumber('seed', options.seed, 0, 1_000_000))

const aPart = '(?:night|morning|afternoon|evening|week|weekend|month|year|spring|summer|autumn|fall|winter|christmas)'
const aDay = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?'
const aMonth = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
/** Counted by eye's measure, with what is vague: not by the patterns of the product. */
const relative = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this(?: past| coming)?) (?:${aPart}|${aDay}|${aMonth})|the weekend|` +
    String.raw`\w+ (?:day|week|weekend|month|year)s? (?:ago|back|from now)|on ${aDay}|in (?:a|two|three|four|five|six|\d+|a few) ` +
    String.raw`(?:days|weeks?|months?|years?))\b`,
  'i',
)

interface Line {
  readonly told: string
  readonly isRelative: boolean
  readonly isDated: boolean
}

const here = setting()
console.log(`${settingLine(here)}\n`)
const { kind, conversations } = readTalkFile(options.data)
const writer = extractiveWriter({ terms })
const asked = readHalf(options.half)
const results = []
for (const half of halves.filter((one) => one !== 'both' && (asked === 'both' || asked === one))) results.push(await measured(half))
if (results.length === 0) stop(`--half names no half, received ${options.half}`)
writeResults('dates', { setting: here, kind, results })

async function measured(half: Half) {
  const lines: Line[] = []
  const words: number[] = []
  let cpuMs = 0
  for (const conversation of conversations.filter(kind === 'locomo' ? inHalf(half) : () => true)) {
    for (const { messages } of await talksOf(conversation, undefined)) {
      const said = messages.map((message): SourceMessage => (message.name === 'assistant' ? { ...message, origin: 'assistant' } : message))
      const gist = writer.gist(said)
      const stop = measuring()
      const dated = gist.map(({ text, from }) =>
        datedTimes(
          text,
          said.filter(({ seq }) => from.includes(seq)),
          { timeZone: 'UTC', hemisphere: 'north' },
        ),
      )
      cpuMs += stop().cpuMs
      words.push(dated.reduce((sum, text) => sum + countWords(text), 0))
      for (const [place, text] of dated.entries()) {
        const [before = '', at = 0] = [gist[place]?.text, said.find(({ seq }) => gist[place]?.from.includes(seq))?.at]
        lines.push({ told: `${new Date(at).toDateString()}: ${text}`, isRelative: relative.test(before), isDated: text !== before })
      }
    }
  }
  return report(half, lines, { words, msASentence: cpuMs / lines.length })
}

function report(half: Half, lines: readonly Line[], { words, msASentence }: { words: number[]; msASentence: number }) {
  const phrased = lines.filter(({ isRelative }) => isRelative)
  const left = phrased.filter(({ isDated }) => !isDated)
  const dated = lines.filter(({ isDated }) => isDated)
  const [before, after] = [phrased.length / lines.length, left.length / lines.length]
  console.log(
    `${half}: ${lines.length} sentences; without a date: ${share(before)} before, ${share(after)} after (${left.length}); ` +
      `${dated.length} are dated; ${msASentence.toFixed(3)} CPU-ms a sentence; ` +
      `words of a gist: median ${median(words)}, most ${Math.max(...words)}`,
  )
  for (const some of [dated, left]) for (const { told } of drawn(some, shown)) console.log(told)
  return { half, sentences: lines.length, before, after, dated: dated.length, msASentence }
}

function drawn<Item>(from: readonly Item[], count: number): Item[] {
  const rest = [...from]
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(below(random, rest.length), 1)).flat()
}
