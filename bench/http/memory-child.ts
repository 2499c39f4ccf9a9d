// Holds a memory, serves it on loopback, and does on it in its own process what the parent does over HTTP.
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { serveMemory } from '../../packages/varve/src/server/serve-memory.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { measuring } from '../shared/usage.ts'
import { abreast } from './abreast.ts'
import { heldNow, serveTasks } from './serve-tasks.ts'
import type { Taken, Task } from './tasks.ts'

const [store = ''] = process.argv.slice(2)
const memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', embeddingModel: false, logger: { warn: () => undefined } })
const limits = { perMinute: 1_000_000_000 }
const server = await serveMemory(memory, { port: 0, limits, log: 'errors' })
const { key } = await memory.keys.create({ access: 'admin' })
const ada = memory.for({ project: 'bench', user: 'ada' })
const dialogue = new Dialogue(3)
const total = measuring()

async function did(task: Task): Promise<Taken> {
  if (task.do === 'append') {
    const messages = dialogue.messages(task.count)
    const cost = measuring()
    await abreast(messages, task.atOnce, (message, at) => ada.append(`library ${at % task.atOnce}`, message))
    return { ...cost(), ...heldNow() }
  }
  if (task.do === 'fill') await ada.append('past', dialogue.messages(task.count))
  if (task.do === 'live') gc?.()
  if (task.do !== 'recall') return { ...total(), ...heldNow() }
  const cost = measuring()
  for (const question of task.questions) await ada.recall(question)
  return { ...cost(), ...heldNow() }
}

serveTasks({ url: server.url, key }, did, async () => {
  await server.close()
  await memory.close()
})
