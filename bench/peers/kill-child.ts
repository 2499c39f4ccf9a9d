import { writeSync } from 'node:fs'
import { Dialogue } from '../shared/dialogue.ts'
import { systemNamed } from './list.ts'

// Started by kill.ts only, which kills it at some moment. Prints the store's content at opening, then each message as
// soon as it is acknowledged. Each print is complete when the call returns.
const [name = '', round = '', folder = '', endpoint = '', mode = ''] = process.argv.slice(2)
const partition = 'kill'
const most = 5_000

const open = await systemNamed(name).load()
const { append, kept } = await open({ folder, endpoint })
const sessions = Array.from({ length: Number(round) }, (_none, index) => `round-${index}`)
print('kept', (await kept?.(partition, sessions)) ?? [])
if (mode === 'read') process.exit(0)

for (const [index, { content, name: speaker = '', at = 0 }] of new Dialogue(Number(round) + 1).messages(most).entries()) {
  const id = `${round}-${index}`
  await append(partition, { id, session: `round-${round}`, speaker, text: String(content), at: Number(at) })
  print('acknowledged', id)
}

function print(kind: string, value: unknown): void {
  writeSync(1, `\n${kind} ${JSON.stringify(value)}\n`)
}
