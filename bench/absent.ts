import { join } from 'node:path'
import { answerConfidence, leastToShow } from '../packages/varve/src/recall/confidence.ts'
import { recallRequest } from '../packages/varve/src/recall/request.ts'
import { cutIntoSessions } from './absent/cut.ts'
import { chanceBy, fitTerms, type Source, weighed } from './absent/fit.ts'
import { areaUnder } from './absent/logistic.ts'
import { absentSets, type QuestionSet, type Sample, sampled } from './absent/sample.ts'
import { readArguments, stop } from './shared/arguments.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { mean, percentile } from './shared/statistics.ts'
import { share, table } from './shared/table.ts'
import { inHalf, readHalf, readTalkFile } from './talk/talk-file.ts'

const about = `How well an answer's confidence tells subjects that were talked about from those that never were. Each conversation is
asked its own questions; those of the others, as they are and with the names of the people here; and invented ones. AUC: the
chance that an answerable question has the higher confidence. Clean: without questions of whose telling words a conversation has
nine tenths. Silent: the subject is there, but its answer was never said.`

const options = readArguments('absent', about, {
  data: { value: 'file', text: 'of LoCoMo or BEAM. It is read, and nothing of it is written anywhere.' },
  beside: { value: 'file', text: 'another such file, as a second row.', default: '' },
  half: { value: 'half', text: 'of LoCoMo: working (the first five conversations), reporting or both.', default: 'working' },
  embeddings: { value: 'on|off', text: 'with the MiniLM that comes with the package, or words alone.', default: 'on' },
  sessions: { value: 'on|off', text: 'also a partition for each session of --data: small ones.', default: 'off' },
  fit: { value: 'on|off', text: 'prints the terms that fit these questions best, for recall/weights.ts.', default: 'off' },
  store: { value: 'folder', text: 'keeps the filled stores for the next run. Default: none.', default: '' },
})
const { embeddings } = options
if (embeddings !== 'on' && embeddings !== 'off') stop(`--embeddings must be on or off, received ${embeddings}`)
const half = readHalf(options.half)
const here = setting()
console.log(`${settingLine(here)}\n`)

const sources = await withScratch('', async (scratch) => {
  const folder = options.store === '' ? scratch : options.store
  const read: Source[] = []
  for (const file of [options.data, options.beside].filter((path) => path !== '')) {
    const { kind, conversations: all } = readTalkFile(file)
    const conversations = kind === 'locomo' ? all.filter(inHalf(half)) : all
    const store = (name: string) => join(folder, `${kind}-${kind === 'locomo' ? half : 'all'}-${name}.db`)
    read.push({ name: kind, samples: await sampled(conversations, { store: store('each'), embeddings, isFew: false }) })
    if (options.sessions !== 'on' || file !== options.data) continue
    const cut = cutIntoSessions(conversations)
    read.push({ name: `${kind}, a session each`, samples: await sampled(cut, { store: store('sessions'), embeddings, isFew: true }) })
  }
  return read
})

const confidence = ({ evidence }: Sample): number => (evidence === undefined ? 0 : answerConfidence(evidence))
const request = recallRequest({ query: 'any' }, Date.now())
const isLeftOut = ({ evidence }: Sample): boolean => evidence === undefined || answerConfidence(evidence) < leastToShow(request, evidence)
const mostKnown = 0.9
const isClean = ({ evidence }: Sample): boolean => (evidence?.known ?? 0) < mostKnown

const rows = sources.flatMap(({ name, samples }) => {
  const of = (set: QuestionSet) => samples.filter((sample) => sample.set === set)
  const present = of('answerable').map(confidence)
  const kept = percentile(present, 0.05)
  const row = (title: string, some: readonly Sample[]) => {
    const values = some.map(confidence)
    return {
      name,
      title,
      n: some.length,
      auc: areaUnder(present, values),
      refused: mean(values.map((value) => Number(value < kept))),
      under: mean(some.map((sample) => Number(isLeftOut(sample)))),
      median: percentile(values, 0.5),
    }
  }
  const absent = absentSets.flatMap((set) => [row(set, of(set)), row(`${set}, clean`, of(set).filter(isClean))])
  return [row('answerable', of('answerable')), ...absent, row('silent', of('silent'))].filter(({ n }) => n > 0)
})
console.log(
  table(
    ['talk', 'questions', 'n', 'AUC', 'refused at 95 % kept', 'left out by default', 'median'],
    rows.map(({ name, title, n, auc, refused, under, median }) => [
      name,
      title,
      String(n),
      ...(title === 'answerable' ? ['', ''] : [share(auc), share(refused)]),
      share(under),
      share(median),
    ]),
  ),
)

const bins = Array.from({ length: 10 }, (_, bin) => bin / 10)
const calibration = [...sources, { name: 'all', samples: undefined }].map(({ name, samples }) => {
  const some = samples === undefined ? sources.flatMap(weighed) : weighed({ name, samples })
  return {
    name,
    shares: bins.map((from, bin) => {
      const inside = some.filter((one) => Math.min(9, Math.floor(confidence(one) * 10)) === bin)
      const sum = (list: typeof inside) => list.reduce((total, { weight }) => total + weight, 0)
      return { from, share: sum(inside.filter(({ isPresent }) => isPresent)) / sum(inside) }
    }),
  }
})
console.log(`\nThe share of answerable questions by confidence, with as many answerable as absent ones:\n`)
console.log(
  table(
    ['talk', ...bins.map((from) => from.toFixed(1))],
    calibration.map(({ name, shares }) => [name, ...shares.map((one) => share(one.share))]),
  ),
)

const fitted = options.fit === 'on' ? fits() : undefined
writeResults('absent', { setting: here, half, embeddings, rows, calibration, fitted })

/** Prints the fitted terms, and the AUC of each source by the terms of the others and of its own other conversations. */
function fits() {
  if (embeddings !== 'on' && embeddings !== 'off') return undefined
  const terms = fitTerms(sources, embeddings)
  const auc = (samples: readonly Sample[], chance: (sample: Sample) => number): string =>
    absentSets
      .map((set) => [set, samples.filter((sample) => sample.set === set)] as const)
      .filter(([, absent]) => absent.length > 0)
      .map(([set, absent]) => {
        const present = samples.filter((sample) => sample.set === 'answerable')
        return `${set} ${share(areaUnder(present.map(chance), absent.map(chance)))}`
      })
      .join(', ')
  console.log(`\nterms: ${JSON.stringify(terms, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(2)) : value))}`)
  for (const source of sources) {
    const places = [...new Set(source.samples.map(({ conversation }) => conversation))]
    const without = new Map(
      places.map((place) => {
        const rest = source.samples.filter(({ conversation }) => conversation !== place)
        return [place, fitTerms([{ ...source, samples: rest }], embeddings)]
      }),
    )
    const own = auc(source.samples, ({ conversation, evidence }) => chanceBy(without.get(conversation) ?? terms, evidence))
    console.log(`${source.name}, AUC by the terms of its other conversations: ${own}`)
    for (const other of sources.filter(({ name }) => name !== source.name)) {
      const theirs = fitTerms([other], embeddings)
      console.log(`${source.name}, AUC by the terms of ${other.name}: ${auc(source.samples, ({ evidence }) => chanceBy(theirs, evidence))}`)
    }
  }
  return terms
}
