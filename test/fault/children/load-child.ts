// Writes as fast as it can until it is killed. It writes four sessions at once, and a fifth whose messages are replaced
// and forgotten, while all are embedded.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { faultModel } from '../support/embedding-model.ts'
import { childArguments, say } from '../support/say.ts'
import { textOf } from '../support/text.ts'

export interface LoadArguments {
  readonly store: string
  /** The number of this process, in the keys of its messages. */
  readonly run: number
  /** The milliseconds that this process's clock is ahead: past the lease of a dead process's embedding. */
  readonly ahead: number
}

/** Printed before or after a step: `batch` names `size` messages, whose keys are `batch/size/place`. */
export type LoadLine =
  | { readonly type: 'opened' | 'loading' }
  | { readonly type: 'appended'; readonly batch: string; readonly size: number }
  | { readonly type: 'erasing' | 'erased'; readonly batch: string; readonly size: number }

const { store, run, ahead } = childArguments<LoadArguments>()
const sessions = 4
const memory = await openMemory({
  store,
  upkeep: 'background',
  logger: { warn: () => {} },
  clock: { now: () => Date.now() + ahead },
  embeddingModel: faultModel(),
})
const ada = memory.for('ada')
say({ type: 'opened' } satisfies LoadLine)
await append('warm', `r${run}-warm`, 1)
say({ type: 'loading' } satisfies LoadLine)
await Promise.all([...Array.from({ length: sessions }, (_, place) => talk(place)), edit()])

async function talk(place: number): Promise<never> {
  for (let batch = 0; ; batch += 1) await append(`session-${place}`, `r${run}-s${place}-b${batch}`, 1 + (batch % 5))
}

async function edit(): Promise<never> {
  for (let round = 0; ; round += 1) {
    const [old, fresh] = [`r${run}-old-b${round}`, `r${run}-new-b${round}`]
    const id = await append('edited', old, 1)
    say({ type: 'erasing', batch: old, size: 1 } satisfies LoadLine)
    if (round % 2 === 0) {
      await ada.replace(id, textOf(`${fresh}/1/0`))
      say({ type: 'appended', batch: fresh, size: 1 } satisfies LoadLine)
    } else {
      await ada.forget({ messages: [id] })
    }
    say({ type: 'erased', batch: old, size: 1 } satisfies LoadLine)
  }
}

async function append(session: string, batch: string, size: number): Promise<string> {
  const messages = Array.from({ length: size }, (_, place) => ({ role: 'user' as const, content: textOf(`${batch}/${size}/${place}`) }))
  const appended = await ada.append(session, messages)
  say({ type: 'appended', batch, size } satisfies LoadLine)
  return appended.messages[0]?.id ?? ''
}
