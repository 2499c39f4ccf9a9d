import { stop } from '../shared/arguments.ts'
import type { Filling } from './fill.ts'

/** Options of the benches of recall. */
export const fillingOptions = {
  embeddings: { value: 'on|off', text: 'with the MiniLM that comes with the package, or words alone.', default: 'on' },
  partitions: { value: 'each|one', text: 'a partition for each conversation, or one for all.', default: 'each' },
  store: {
    value: 'file|address',
    text: 'keeps the filled store in this file for the next run, or fills a schema of a server, postgres://…. Default: a store in memory.',
    default: '',
  },
} as const

export function readFilling({ embeddings, partitions, store }: Readonly<Record<keyof typeof fillingOptions, string>>): Filling {
  if (embeddings !== 'on' && embeddings !== 'off') stop(`--embeddings must be on or off, received ${embeddings}`)
  if (partitions !== 'each' && partitions !== 'one') stop(`--partitions must be each or one, received ${partitions}`)
  return { embeddings, partitions, ...(store === '' ? {} : { store }) }
}
