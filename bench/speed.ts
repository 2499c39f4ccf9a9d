import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { type Line, linesTable } from './shared/lines.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { figure } from './shared/table.ts'
import { askChild } from './speed/ask-child.ts'
import { measureEmbedding, measureWithVectors, signalsTable, type WithVectors } from './speed/embedded/measure.ts'
import { runtimes as knownRuntimes } from './speed/embedded/tasks.ts'
import { isServer } from './server/server.ts'
import { measureBeside, measureCalls } from './speed/server/measure.ts'
import { appendLines, importLines, loadLines, recallLines, type Subject } from './speed/lines.ts'
import { isThere, origins } from './speed/product.ts'
import { removeStore } from './speed/remove-store.ts'
import type { Appended, Imported, Loaded, RecalledAt, Store } from './speed/tasks.ts'

const about = `How fast Varve is, and how much memory and disk it takes: made-up talk with LoCoMo's lengths, imported, appended and
recalled in
a process of its own each. First one partition of --n messages, then many small partitions. CPU time is of all threads. A figure
is the median of --repeat runs. Nothing fails when a target is missed.

Until then words alone find. Then every message gets a vector, and questions are asked by meaning too: those vectors are made up
(random, and near enough to questions for half of them to be candidates), since the model would take half an hour for 100,000; the
questions' are
the model's. Last, --embedded messages are embedded for real.

With --store postgres://…, the same is measured on SQLite and on that server by turns, by words alone, and calls to a server that is
--delay farther away. The tables are in a schema of the bench's own.`

const options = readArguments('speed', about, {
  n: { value: 'n,n', text: 'Messages in the one partition.', default: '10000,100000' },
  partitions: { value: 'n', text: 'Small partitions, of 100 messages each; 0 leaves them out.', default: '1000' },
  appends: {
    value: 'n',
    text: 'Appends that are measured one at a time, after 2,000 that are not; twice as many at once.',
    default: '3000',
  },
  questions: { value: 'n', text: 'Warm questions that are measured.', default: '240' },
  repeat: { value: 'n', text: 'Runs of each measurement.', default: '3' },
  embeddings: {
    value: 'runtime,…',
    text: 'What runs the model: wasm, native (onnxruntime-node), or off to leave out all with vectors.',
    default: 'wasm,native',
  },
  embedded: { value: 'n', text: 'Messages that are embedded for real, after some that are not measured.', default: '1000' },
  from: {
    value: 'origin',
    text: 'source, or built for what `npm run build` left: Node takes about 45 MB to strip the types of the sources.',
    default: 'source',
  },
  folder: {
    value: 'folder',
    text: 'Where the stores are made: it decides which disk is measured. Default: the temporary folder.',
    default: '',
  },
  store: { value: 'address', text: 'postgres://…: a server that is measured beside SQLite.', default: '' },
  delay: { value: 'ms', text: 'Added to each round trip to the server, for calls far away.', default: '1' },
  idle: { value: 'seconds', text: 'How long an instance without work is watched.', default: '30' },
})
const sizes = options.n.split(',').map((text) => wholeNumber('n', text, 4_000, 10_000_000))
const small = wholeNumber('partitions', options.partitions, 0, 100_000)
const appends = wholeNumber('appends', options.appends, 1, 1_000_000)
const questions = wholeNumber('questions', options.questions, 1, 100_000)
const repeat = wholeNumber('repeat', options.repeat, 1, 100)
const from = origins.find((origin) => origin === options.from) ?? stop(`--from must be source or built, received ${options.from}`)
const runtimes =
  options.embeddings === 'off'
    ? []
    : options.embeddings
        .split(',')
        .map(
          (name) =>
            knownRuntimes.find((runtime) => runtime === name) ??
            stop(`--embeddings must be wasm, native, both with a comma, or off, received ${options.embeddings}`),
        )
const address = options.store === '' || isServer(options.store) ? options.store : stop(`--store must be postgres://…`)
const delayMs = wholeNumber('delay', options.delay, 0, 1_000)
const idleSeconds = wholeNumber('idle', options.idle, 1, 3_600)
const embedded = wholeNumber('embedded', options.embedded, 100, 1_000_000)
if (!isThere(from)) stop('--from built needs a build: npm run build')

const perSmallPartition = 100
const subjects: Subject[] = sizes.map((messages) => ({ name: messages.toLocaleString('en-US'), messages, partitions: 1 }))
if (small > 0) {
  subjects.push({ name: `${small.toLocaleString('en-US')} × ${perSmallPartition}`, messages: small * perSmallPartition, partitions: small })
}

interface Measured {
  readonly lines: readonly Line[]
  readonly withVectors: WithVectors | undefined
}

async function measure(folder: string, subject: Subject): Promise<Measured> {
  const store: Store = { place: join(folder, 'store.db'), messages: subject.messages, partitions: subject.partitions, from }
  const copy: Store = { ...store, place: join(folder, 'copy.db') }
  const runs: { import: Imported[]; append: Appended[]; load: Loaded[]; recall: RecalledAt[] } = {
    import: [],
    append: [],
    load: [],
    recall: [],
  }
  for (let run = 0; run < repeat; run += 1) {
    removeStore(store.place)
    runs.import.push(await askChild<'import'>({ kind: 'import', store }))
    runs.recall.push(await askChild<'recall'>({ kind: 'recall', store, questions }))
    copyFileSync(store.place, copy.place)
    runs.load.push(await askChild<'load'>({ kind: 'load', store: copy }))
    runs.append.push(await askChild<'append'>({ kind: 'append', store: copy, appends, atOnce: [1, 8, 64] }))
    removeStore(copy.place)
  }
  const withVectors = runtimes.length === 0 ? undefined : await measureWithVectors(subject, store, embeddedOptions(folder))
  removeStore(store.place)
  const withWords = [
    ...importLines(subject, runs.import),
    ...appendLines(subject, runs.append),
    ...loadLines(subject, runs.load),
    ...recallLines(subject, runs.recall),
  ]
  return { lines: [...withWords, ...(withVectors?.lines ?? [])], withVectors }
}

function embeddedOptions(folder: string) {
  return { folder, from, runtimes, questions, messages: embedded, repeat }
}

const here = setting()
console.log(`${settingLine(here)}\n`)
await withScratch(options.folder, async (folder) => {
  const calibrationMs = [calibrate()]
  const lines: Line[] = []
  const filled: WithVectors[] = []
  const beside = { address, folder, from, appends, questions, repeat, delayMs, idleSeconds }
  for (const subject of subjects) {
    if (address !== '') {
      lines.push(...(await measureBeside(subject, beside)))
      calibrationMs.push(calibrate())
      continue
    }
    const { lines: more, withVectors } = await measure(folder, subject)
    lines.push(...more)
    if (withVectors !== undefined) filled.push(withVectors)
    calibrationMs.push(calibrate())
  }
  if (address !== '') lines.push(...(await measureCalls(beside)))
  const [asked] = filled.map((one) => one.asked)
  if (asked !== undefined) lines.push(...(await measureEmbedding(embeddedOptions(folder), asked)))
  const signals = filled.flatMap((one) => one.signals ?? [])
  console.log([linesTable(lines), ...signals.map(signalsTable)].join('\n\n'))
  if (from === 'source') console.log('\nmeasured on the sources: about 45 MB of what is resident is Node, which strips their types')
  console.log(
    `\na fixed piece of work took ${calibrationMs.map(figure).join(', ')} CPU-ms before, between and after: how busy the machine was`,
  )
  writeResults('speed', { setting: here, options: { ...options, store: address === '' ? '' : 'postgres' }, calibrationMs, lines, signals })
})
