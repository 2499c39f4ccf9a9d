// One of two processes on one store: it appends into a session that both share.
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'
import { textOf } from '../support/text.ts'

export interface RaceArguments {
  readonly store: string
  readonly name: string
  readonly appends: number
  /** Both begin when this file exists. */
  readonly start: string
  /** The file of the other process: neither goes on after its first append before the other has made one. */
  readonly other?: string
  readonly engine?: 'threads' | 'inline'
}

export type RaceLine =
  | { readonly type: 'opened' }
  | { readonly type: 'done'; readonly seqs: readonly number[]; readonly errors: readonly string[] }

const { store, name, appends, start, other, engine = 'threads' } = childArguments<RaceArguments>()
const errors: string[] = []
const seqs: number[] = []
await using memory = await openMemory({ store, engine })
const ada = memory.for('ada')
say({ type: 'opened' } satisfies RaceLine)
while (!existsSync(start)) await sleep(5)
for (let at = 0; at < appends; at += 1) {
  try {
    const { messages } = await ada.append('shared', { role: 'user', content: textOf(`${name}-${at}`) })
    seqs.push(...messages.map(({ seq }) => seq))
  } catch (error) {
    errors.push(codeOf(error))
  }
  if (at === 0 && other !== undefined) {
    writeFileSync(`${start}-${name}`, '')
    while (!existsSync(`${start}-${other}`)) await sleep(5)
  }
}
say({ type: 'done', seqs, errors } satisfies RaceLine)
