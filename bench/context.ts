import { readArguments, stop } from './shared/arguments.ts'
import { budgets, packAll, type Packed, ways } from './context/pack-all.ts'
import { readLocomoFile } from './locomo/file.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { bootstrapMean, mean } from './shared/statistics.ts'
import { share, table } from './shared/table.ts'

const about = `How much of what LoCoMo's questions rest on is inside what a model would read: the share of a question's evidence
turns in the assembled
context, without a session and with the question as query, by budget. Tokens are exact (o200k_base), headings, labels and fences counted.
Beside it: the same hits packed naively in their order (date, speaker, text, a line each) and the most recent messages. Categories 1–4.`

/** The target share of the evidence by budget, on all questions of categories 1–4. */
const targets: Readonly<Record<number, number>> = { 500: 0.8, 2000: 0.91 }

const options = readArguments('context', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  half: { value: 'half', text: 'working (the first five conversations), reporting or both.', default: 'both' },
})
if (!['working', 'reporting', 'both'].includes(options.half)) stop(`--half must be working, reporting or both, received ${options.half}`)
const conversations = readLocomoFile(options.data).filter(
  ({ place }) => options.half === 'both' || place < 5 === (options.half === 'working'),
)
const here = setting()
console.log(`${settingLine(here)}\n`)
const packed = await packAll(conversations)

const rows = ways.flatMap((way) =>
  budgets.map((budget) => ({ way, budget, ...shareOf(packed.filter((one) => one.way === way && one.budget === budget)) })),
)
console.log(
  table(
    ['way', 'budget', 'n', 'fraction', '95 %', 'all', 'any', 'tokens used', ''],
    rows.map(({ way, budget, n, fraction, low, high, all, any, tokens }) => {
      const target = way === 'context' ? targets[budget] : undefined
      return [
        way,
        String(budget),
        String(n),
        share(fraction),
        `${share(low)}–${share(high)}`,
        share(all),
        share(any),
        tokens.toFixed(0),
        target === undefined ? '' : `≥ ${share(target)}: ${fraction >= target ? 'met' : 'MISSED'}`,
      ]
    }),
  ),
)
writeResults('context', { setting: here, half: options.half, rows })

function shareOf(some: readonly Packed[]) {
  const fractions = some.map(({ evidence, inside }) => inside / evidence)
  return {
    n: some.length,
    fraction: mean(fractions),
    ...bootstrapMean(fractions),
    all: mean(fractions.map((one) => Number(one === 1))),
    any: mean(fractions.map((one) => Number(one > 0))),
    tokens: mean(some.map(({ tokens }) => tokens)),
  }
}
