// Plays another process: writes, replaces and forgets when told to, one step for each file.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, say } from '../support/say.ts'

export interface EditArguments {
  readonly store: string
  /** Round k begins when a file of this name and `-k` exists. */
  readonly go: string
  readonly rounds: number
}

export interface EditLine {
  readonly type: 'appended' | 'replaced' | 'forgotten'
  readonly round: number
}

const { store, go, rounds } = childArguments<EditArguments>()
await using memory = await openMemory({ store })
const ada = memory.for('ada')
for (let round = 0; round < rounds; round += 1) {
  await told(round, 'append')
  const { messages } = await ada.append('edited', { role: 'user', content: `The harbour meeting has the codeword albatross${round}.` })
  const id = messages[0]?.id ?? ''
  say({ type: 'appended', round } satisfies EditLine)
  await told(round, 'replace')
  await ada.replace(id, `The harbour meeting has the codeword cormorant${round}.`)
  say({ type: 'replaced', round } satisfies EditLine)
  await told(round, 'forget')
  await ada.forget({ messages: [id] })
  say({ type: 'forgotten', round } satisfies EditLine)
}

async function told(round: number, what: string): Promise<void> {
  while (!existsSync(`${go}-${round}-${what}`)) await sleep(5)
}
