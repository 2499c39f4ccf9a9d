import { readArguments } from './shared/arguments.ts'
import { budgets, packAll, type Packed, ways } from './context/pack-all.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { bootstrapMean, mean } from './shared/statistics.ts'
import { share, table } from './shared/table.ts'
import { fillingOptions } from './talk/options.ts'
import { inHalf, readHalf, readTalkFile, type TalkKind } from './talk/talk-file.ts'

const about = `How much of what questions rest on is inside what a model would read: the share of a question's evidence turns in the
assembled context,
without a session and with the question as query, by budget. Tokens are exact (o200k_base), headings, labels and fences counted.
Beside it: the same hits packed naively in their order (date, speaker, text, a line each) and the most recent messages. Questions about
things that were never said are left out.

A turn counts when any part of it is shown. So three columns tell how much: text is the share of the evidence's characters, own the same of
the users' turns, words the share of the words that evidence and question have in common, weighed by rarity.`

/** The target share of the evidence by kind of talk and by budget. */
const targets: Readonly<Record<TalkKind, Readonly<Record<number, number>>>> = {
  locomo: { 500: 0.8, 2000: 0.91 },
  beam: { 500: 0.6, 1000: 0.7, 2000: 0.8 },
}

/** The budget at which categories are told apart. */
const budgetByCategory = 2_000

const options = readArguments('context', about, {
  data: { value: 'file', text: 'of LoCoMo or BEAM. It is read, and nothing of it is written anywhere.' },
  half: { value: 'half', text: 'of LoCoMo: working (the first five conversations), reporting or both.', default: 'both' },
  store: fillingOptions.store,
})
const half = readHalf(options.half)
const { kind, conversations: read } = readTalkFile(options.data)
const conversations = kind === 'locomo' ? read.filter(inHalf(half)) : read
const here = setting()
console.log(`${settingLine(here)}\n`)
const packed = await packAll(conversations, options.store)

const rows = ways.flatMap((way) =>
  budgets.map((budget) => ({ way, budget, ...shareOf(packed.filter((one) => one.way === way && one.budget === budget)) })),
)
console.log(
  table(
    ['way', 'budget', 'n', 'fraction', '95 %', 'all', 'any', 'text', 'own', 'words', 'tokens used', 'CPU ms', ''],
    rows.map(({ way, budget, n, fraction, low, high, all, any, text, own, words, tokens, cpu }) => {
      const target = way === 'context' ? targets[kind][budget] : undefined
      return [
        way,
        String(budget),
        String(n),
        share(fraction),
        `${share(low)}–${share(high)}`,
        share(all),
        share(any),
        share(text),
        share(own),
        share(words),
        tokens.toFixed(0),
        way === 'context' ? cpu.toFixed(1) : '',
        target === undefined ? '' : `≥ ${share(target)}: ${fraction >= target ? 'met' : 'MISSED'}`,
      ]
    }),
  ),
)
const atBudget = packed.filter(({ way, budget }) => way === 'context' && budget === budgetByCategory)
const byCategory = [...Map.groupBy(atBudget, ({ category }) => category)].map(([category, some]) => ({ category, ...shareOf(some) }))
console.log(`\nthe context at ${budgetByCategory} tokens`)
console.log(
  table(
    ['category', 'n', 'fraction', '95 %', 'any'],
    byCategory.map(({ category, n, fraction, low, high, any }) => [
      category,
      String(n),
      share(fraction),
      `${share(low)}–${share(high)}`,
      share(any),
    ]),
  ),
)
writeResults('context', { setting: here, kind, half, rows, byCategory })

function shareOf(some: readonly Packed[]) {
  const fractions = some.map(({ evidence, inside }) => inside / evidence)
  return {
    n: some.length,
    fraction: mean(fractions),
    ...bootstrapMean(fractions),
    all: mean(fractions.map((one) => Number(one === 1))),
    any: mean(fractions.map((one) => Number(one > 0))),
    text: mean(some.map(({ text }) => text)),
    own: mean(some.flatMap(({ own }) => own ?? [])),
    words: mean(some.flatMap(({ words }) => words ?? [])),
    tokens: mean(some.map(({ tokens }) => tokens)),
    cpu: mean(some.map(({ cpu }) => cpu)),
  }
}
