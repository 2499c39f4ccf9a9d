import { extractiveWriter } from '../packages/varve/src/extractive/extractive-writer.ts'
import { miniLm } from '../packages/varve/src/models/minilm/minilm.ts'
import { loadTokenizer } from '../packages/varve/src/models/tokenizer.ts'
import { evidenceOf } from './coverage/evidence.ts'
import { layers, measure, type Measured, ways } from './coverage/measure.ts'
import { talksOf, terms } from './coverage/talks.ts'
import { readArguments, stop } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { bootstrapMean, type Interval, mean, percentile } from './shared/statistics.ts'
import { share, table } from './shared/table.ts'
import { halves, inHalf, readHalf, readTalkFileOf } from './talk/talk-file.ts'

const about = `What of a talk outlives its summaries, without a language model: the share of the turns that LoCoMo's questions rest
on (categories 1–4) of which
at least half of the content words (stemmed, without stop words and the speaker's name) are in the gist of their session, and in a
bank of 2,000 tokens: anywhere in it, and in one line (a sentence of the gist, a bullet), which words that lie scattered cannot
feign. Beside it, what takes no thought: the first three sentences of each session, its beginning, and sentences drawn at random
(mean of 20 draws), the latter two with as many words as the writer used. Intervals are 95 % bootstraps over the questions' evidence turns;
"more by" is what the writer has more on the same turns.`

const options = readArguments('coverage', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  vectors: {
    value: 'on|off',
    text: 'whether the writer has the messages’ vectors, of the MiniLM that comes with the package.',
    default: 'off',
  },
  half: { value: 'half', text: 'working (the first five conversations), reporting or both.', default: 'both' },
})
const asked = readHalf(options.half)
if (options.vectors !== 'on' && options.vectors !== 'off') stop(`--vectors must be on or off, received ${options.vectors}`)

const here = setting()
console.log(`${settingLine(here)}\n`)
const writer = extractiveWriter({ terms })
const tokenizer = await loadTokenizer()
const model = options.vectors === 'on' ? miniLm() : undefined
const conversations = readTalkFileOf('locomo', options.data)
const results = []
for (const half of halves.filter((half) => half !== 'both' && (asked === 'both' || asked === half))) {
  const measured: Measured[] = []
  for (const conversation of conversations.filter(inHalf(half))) {
    measured.push(measure(await talksOf(conversation, model), evidenceOf(conversation), writer, tokenizer))
  }
  results.push({ half, rows: rowsOf(measured), ...figuresOf(measured) })
}
await model?.close()

for (const { half, rows, sessions, gistWords, mostGistWords, bulletWords, cpuMs, cpuMs95, bankTokens } of results) {
  console.log(`${half} half, vectors ${options.vectors}`)
  console.log(
    table(
      ['layer', 'way', 'n', 'words', 'anywhere', '95 %', 'more by', '95 %', 'in one line', '95 %', 'more by', '95 %'],
      rows.map((row) => [
        row.layer,
        row.way,
        String(row.n),
        row.words.toFixed(0),
        ...row.measures.flatMap(({ survive, more }) => [...cells(survive), ...(row.way === 'writer' ? ['', ''] : cells(more))]),
      ]),
    ),
  )
  console.log(
    `${sessions} sessions; words of a gist ${gistWords.toFixed(0)} (at most ${mostGistWords}), of a session's bullets ` +
      `${bulletWords.toFixed(0)}; bank ${bankTokens.toFixed(0)} tokens; CPU ${cpuMs.toFixed(1)} ms a session for gist and ` +
      `bullets (95 % within ${cpuMs95.toFixed(1)})\n`,
  )
}
writeResults('coverage', { setting: here, vectors: options.vectors, results })

function rowsOf(measured: readonly Measured[]) {
  const outcomes = (layer: string, way: string) =>
    measured.flatMap(({ outcomes }) => outcomes.filter((one) => one.layer === layer && one.way === way))
  return layers.flatMap((layer) =>
    ways.map((way) => {
      const [own, writers] = [outcomes(layer, way), outcomes(layer, 'writer')].map((some) => some.flatMap(({ survived }) => survived))
      const measures = (['anywhere', 'inOneLine'] as const).map((measure) => {
        const values = (own ?? []).map((one) => one[measure])
        const more = (writers ?? []).map((one, at) => one[measure] - (values[at] ?? 0))
        return { measure, survive: { mean: mean(values), ...bootstrapMean(values) }, more: { mean: mean(more), ...bootstrapMean(more) } }
      })
      return { layer, way, n: own?.length ?? 0, words: mean(outcomes(layer, way).map(({ words }) => words)), measures }
    }),
  )
}

function cells(figure: Interval & { readonly mean: number }): string[] {
  return [share(figure.mean), `${share(figure.low)}–${share(figure.high)}`]
}

function figuresOf(measured: readonly Measured[]) {
  const gistWords = measured.flatMap((one) => one.gistWords)
  const cpu = measured.flatMap((one) => one.cpuMs)
  return {
    sessions: cpu.length,
    gistWords: mean(gistWords),
    mostGistWords: Math.max(...gistWords),
    bulletWords: mean(measured.flatMap((one) => one.bulletWords)),
    cpuMs: mean(cpu),
    cpuMs95: percentile(cpu, 0.95),
    bankTokens: mean(measured.map((one) => one.bankTokens)),
  }
}
