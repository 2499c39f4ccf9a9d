import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Line } from '../../shared/lines.ts'
import { figure, table } from '../../shared/table.ts'
import type { Subject } from '../lines.ts'
import type { Origin } from '../product.ts'
import { warmUp } from '../recall-task.ts'
import { removeStore } from '../remove-store.ts'
import type { Loaded, RecalledAt, Store } from '../tasks.ts'
import { askEmbedded } from './ask.ts'
import { embedLines, filledLines, meaningLines, modelLines } from './lines.ts'
import type { Embedded, Modelled, Runtime, Settled, SignalCosts } from './tasks.ts'

export interface EmbeddedOptions {
  readonly folder: string
  readonly from: Origin
  readonly runtimes: readonly Runtime[]
  readonly questions: number
  /** The number of messages that are really embedded. */
  readonly messages: number
  readonly repeat: number
}

export interface WithVectors {
  readonly lines: readonly Line[]
  /** The file of the questions. */
  readonly asked: string
  /** Measured for one partition only. */
  readonly signals: SignalCosts | undefined
}

/** Measures a store with made-up vectors, asked with real ones. Fills the store, which has messages only. */
export async function measureWithVectors(subject: Subject, store: Store, options: EmbeddedOptions): Promise<WithVectors> {
  const filled = await askEmbedded<'fill'>({ kind: 'fill', store, questions: options.questions + warmUp })
  const lines = filledLines(subject, filled)
  for (const runtime of options.runtimes) {
    const [asked, loaded]: [RecalledAt[], Loaded[]] = [[], []]
    for (let run = 0; run < options.repeat; run += 1) {
      asked.push(await askEmbedded<'recall'>({ kind: 'recall', store, runtime, asked: filled.asked }))
      const copy = { ...store, place: join(options.folder, 'copy.db') }
      copyFileSync(store.place, copy.place)
      loaded.push(await askEmbedded<'load'>({ kind: 'load', store: copy, runtime }))
      removeStore(copy.place)
    }
    lines.push(...meaningLines(subject, runtime, asked, loaded))
  }
  const signals = subject.partitions > 1 ? undefined : await askEmbedded<'signals'>({ kind: 'signals', store, asked: filled.asked })
  return { lines, asked: filled.asked, signals }
}

/** Measures real embedding: through the product, and by the model alone. */
export async function measureEmbedding({ folder, from, runtimes, messages, repeat }: EmbeddedOptions, asked: string): Promise<Line[]> {
  const lines: Line[] = []
  const store: Store = { place: join(folder, 'embedding.db'), messages, partitions: 1, from }
  for (const runtime of runtimes) {
    const [embedded, settled]: [Embedded[], Settled[]] = [[], []]
    const modelled: [Modelled[], Modelled[]] = [[], []]
    for (let run = 0; run < repeat; run += 1) {
      embedded.push(await askEmbedded<'embed'>({ kind: 'embed', store, runtime, messages }))
      removeStore(store.place)
      settled.push(await askEmbedded<'settle'>({ kind: 'settle', store, runtime, appends: Math.ceil(messages / 4) }))
      removeStore(store.place)
      for (const [place, runs] of modelled.entries()) {
        runs.push(await askEmbedded<'model'>({ kind: 'model', from, runtime, threads: place + 1, messages, asked }))
      }
    }
    lines.push(...embedLines(runtime, embedded, settled), ...modelled.flatMap((runs, place) => modelLines(runtime, place + 1, runs)))
  }
  return lines
}

export function signalsTable({ messages, candidates, steps }: SignalCosts): string {
  const rows = steps.map(({ name, cpu, best }) => [name, figure(cpu), figure(best)])
  const title = `ranking, of ${messages.toLocaleString('en-US')} messages, ${Math.round(candidates).toLocaleString('en-US')} candidates`
  return table([title, 'CPU, µs', 'least, µs'], rows)
}
