import type { KeptCase } from './facts/kept/kept-case.ts'
import { isSameFact } from './facts/kept/match.ts'
import { reportingHalf, secondHalf, thirdHalf } from './facts/kept/reporting.ts'
import { workingHalf } from './facts/kept/working.ts'
import { percent } from './facts/kept/percent.ts'
import { statedFacts } from '../packages/varve/src/extractive/en/stated-facts.ts'
import { loose } from '../packages/varve/src/extractive/facts/said.ts'
import type { StatedFact } from '../packages/varve/src/models/writer.ts'
import { readArguments, stop } from './shared/arguments.ts'

const about = `Which facts the extractive writer keeps of invented messages, beside the facts that a careful reader would keep.
yield: share of the wanted facts that are read. Of what is read: useful, right and not needed, trivial, and the rest, which is false or
malformed. Statements that are kept and not shown do not count.`

const options = readArguments('facts-kept', about, {
  half: { value: 'working|reporting|second|third', text: 'of the messages.', default: 'working' },
  show: { value: 'on|off', text: 'prints what is missed, and what is read beyond the labels.', default: 'off' },
})
const halves: Readonly<Record<string, KeptCase[]>> = {
  working: workingHalf,
  reporting: reportingHalf,
  second: secondHalf,
  third: thirdHalf,
}
const cases = halves[options.half] ?? stop(`--half must be one of ${Object.keys(halves).join(', ')}, received ${options.half}`)

const said = Date.UTC(2026, 2, 10, 10)
const sums = { wanted: 0, found: 0, useful: 0, right: 0, trivial: 0, wrong: 0 }
const show = (mark: string, { kind, text }: KeptCase, fact: unknown): void => {
  if (options.show === 'on') console.log(`${mark} [${kind}] ${text.slice(0, 110)}\n    ${JSON.stringify(fact)}`)
}
for (const one of cases) judge(one)
const read = sums.useful + sums.right + sums.trivial + sums.wrong
const traps = cases.filter(({ must }) => must.length === 0).length
console.log(`facts kept, ${options.half} half: ${cases.length} messages, ${traps} of them with nothing wanted; ${read} facts read
yield       ${percent(sums.found, sums.wanted)} of ${sums.wanted} wanted facts
useful      ${percent(sums.useful, read)}
not needed  ${percent(sums.right, read)}
trivial     ${percent(sums.trivial, read)}
wrong       ${percent(sums.wrong, read)} false or malformed`)

function judge(one: KeptCase): void {
  const facts = statedFacts([{ seq: 1, at: said, role: 'user', origin: 'person', text: one.text }], 'loose states')
  const shown = facts.filter(({ confidence }) => confidence !== loose)
  sums.wanted += one.must.length
  const missed = one.must.filter((wanted) => !shown.some((fact) => isSameFact(wanted, fact)))
  sums.found += one.must.length - missed.length
  for (const fact of missed) show('MISS ', one, fact)
  for (const fact of shown) count(one, fact)
}

function count(one: KeptCase, fact: StatedFact): void {
  const isIn = (list: KeptCase['must'] = []): boolean => list.some((wanted) => isSameFact(wanted, fact))
  const kind = isIn(one.must) ? 'useful' : isIn(one.may) ? 'right' : isIn(one.trivial) ? 'trivial' : 'wrong'
  sums[kind] += 1
  if (kind === 'wrong') show('WRONG', one, [fact.says, fact.subject, fact.predicate, fact.object, fact.when])
}
