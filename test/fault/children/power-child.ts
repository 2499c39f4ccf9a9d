// Runs a load with embedding while the shim journals every change to the files. Acknowledged batches go into the same journal.
import { closeSync, openSync, writeSync } from 'node:fs'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { Control, operations } from '../shim/control.ts'
import { faultModel } from '../support/embedding-model.ts'
import { childArguments, codeOf, say } from '../support/say.ts'
import { textOf } from '../support/text.ts'

export interface PowerArguments {
  readonly store: string
  readonly journal: string
  readonly control: string
  /** The appends of each of three sessions. The log is moved into the database about every 500 appends. */
  readonly appends: number
  /** The number of batches between failing fsyncs, whose content is lost; 0 for never. */
  readonly failEvery: number
}

export interface PowerLine {
  readonly appended: number
  readonly refused: readonly string[]
}

const given = childArguments<PowerArguments>()
using control = new Control(given.control)
const journal = openSync(given.journal, 'a')
const refused: string[] = []
let appended = 0

const memory = await openMemory({ store: given.store, upkeep: 'background', logger: { warn: () => {} }, embeddingModel: faultModel() })
const ada = memory.for('ada')
note({ op: 'opened' })
await Promise.all(['one', 'two', 'three'].map((session) => talk(session)))
await edit()
await talk('four', 20)
await memory.close()
closeSync(journal)
say({ appended, refused } satisfies PowerLine)

function note(entry: object): void {
  writeSync(journal, `${JSON.stringify({ ...entry, size: 0 })}\n`)
}

async function talk(session: string, appends = given.appends): Promise<void> {
  for (let batch = 0; batch < appends; batch += 1) {
    const size = 1 + (batch % 3)
    const keys = Array.from({ length: size }, (_, place) => `${session}-${batch}/${size}/${place}`)
    // One session does it for all: they share commits. Now and then the second fsync is the one of a checkpoint.
    const fails = session === 'one' && given.failEvery > 0 && batch % given.failEvery === given.failEvery - 1
    if (fails) control.arm({ failAt: 1 + (Math.floor(batch / given.failEvery) % 2), kind: 'eio', only: operations.sync })
    try {
      await ada.append(
        session,
        keys.map((key) => ({ role: 'user', content: textOf(key) })),
      )
      appended += size
      note({ op: 'acknowledged', keys })
    } catch (error) {
      refused.push(codeOf(error))
    }
    if (fails) control.disarm()
  }
}

/** Replaces and forgets: both end in a truncated log. */
async function edit(): Promise<void> {
  for (const batch of [0, 3, 6]) {
    const [message] = await ada.messages('one', { limit: 1, before: batch + 2 })
    const old = message?.content.split(' ')[0] ?? ''
    const fresh = `new-${batch}/1/0`
    note({ op: 'erasing', keys: [old] })
    await ada.replace(message?.id ?? '', textOf(fresh))
    note({ op: 'erased', keys: [old] })
    note({ op: 'acknowledged', keys: [fresh] })
  }
  const doomed = (await ada.messages('two', { limit: 10_000 })).map(({ content }) => content.split(' ')[0] ?? '')
  note({ op: 'erasing', keys: doomed })
  await ada.forget({ session: 'two' })
  note({ op: 'erased', keys: doomed })
}
