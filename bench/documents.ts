import { join } from 'node:path'
import { leastScore } from './documents/least-score.ts'
import { recollected } from './documents/recollect.ts'
import { memorizedRounds } from './documents/rounds.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { mean, percentile } from './shared/statistics.ts'
import { figure, share, table } from './shared/table.ts'

const about = `Documents of 4 KB, each with a sentence planted in it, and questions for it that leave words out; then rounds in
which a session is memorized, by an editor in this
process that fails now and then and without a model: where each fact stands in the end. Nothing fails when a target is missed.`

const options = readArguments('documents', about, {
  n: { value: 'n', text: 'Documents.', default: '1000' },
  questions: { value: 'n', text: 'Questions that are measured, after 50 that are not.', default: '300' },
  rounds: { value: 'n', text: 'Rounds of four messages each.', default: '200' },
  vectors: { value: 'on|off', text: 'on: each passage and question has a vector, made up from its words.', default: 'off' },
  model: {
    value: 'on|off',
    text: 'off: not the questions by which the least score was set, which need the model in the package.',
    default: 'on',
  },
  folder: { value: 'folder', text: 'Where the stores are made. Default: the temporary folder.', default: '' },
})
const documents = wholeNumber('n', options.n, 10, 10_000)
const questions = wholeNumber('questions', options.questions, 10, 10_000)
const rounds = wholeNumber('rounds', options.rounds, 1, 10_000)
for (const name of ['vectors', 'model'] as const)
  if (!['on', 'off'].includes(options[name])) stop(`--${name} must be on or off, received ${options[name]}`)
const targetMs = 8

const here = setting()
const calibrationMs = [calibrate()]
console.log(`${settingLine(here)}\n`)
await withScratch(options.folder, async (folder) => {
  const { timed, first, amongFive, cpuMsPerEdit } = await recollected(
    join(folder, 'store.db'),
    documents,
    questions,
    options.vectors === 'on',
  )
  const lines = timed.map(({ what, costs, answered }) => {
    const walls = costs.map(({ wallMs }) => wallMs)
    return {
      what,
      calls: costs.length,
      answered,
      p50: percentile(walls, 0.5),
      p95: percentile(walls, 0.95),
      p99: percentile(walls, 0.99),
      cpuMs: mean(costs.map(({ cpuMs }) => cpuMs)),
    }
  })
  console.log(
    table(
      ['call', 'calls', 'answered', 'p50 ms', 'p95', 'p99', 'CPU-ms'],
      lines.map(({ what, calls, answered, p50, p95, p99, cpuMs }) => [
        what,
        String(calls),
        figure(answered),
        figure(p50),
        figure(p95),
        figure(p99),
        figure(cpuMs),
      ]),
    ),
  )
  console.log(
    `\nrecollect: p50 ≤ ${targetMs} ms ${(lines[0]?.p50 ?? Infinity) <= targetMs ? 'met' : 'MISSED'}; hits@1 ${share(first)}, ` +
      `hits@5 ${share(amongFive)}; ${figure(cpuMsPerEdit)} CPU-ms for each document that was written\n`,
  )
  const runs = [
    await memorizedRounds(join(folder, 'model.db'), rounds, true),
    await memorizedRounds(join(folder, 'words.db'), rounds, false),
  ]
  const shown = ['rounds', 'facts', 'lost', 'twice', 'documents', 'duplicates', 'calls', 'failures', 'cpuMsPerRound'] as const
  console.log(
    table(
      ['editor', ...shown],
      runs.map((run, at) => [at === 0 ? 'a model' : 'none', ...shown.map((key) => figure(run[key]))]),
    ),
  )
  const least = options.model === 'off' ? [] : [await leastScore(true), await leastScore(false)]
  for (const { vectors, found, first: atOne, answered, wrongly, unanswered } of least)
    console.log(
      `\n${vectors ? 'MiniLM' : 'words'}: ${found} of ${answered} found, ${atOne} first; ${wrongly} of ${unanswered} that ` +
        'nothing answers found something',
    )
  calibrationMs.push(calibrate())
  console.log(`\na fixed piece of work took ${calibrationMs.map(figure).join(', ')} CPU-ms before and after: how busy the machine was`)
  writeResults('documents', { setting: here, options, calibrationMs, lines, first, amongFive, runs, least })
})
