// Holds a memory, serves it on loopback, and does on it in its own process what the parent does over HTTP.
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { serveMemory } from '../../packages/varve/src/server/serve-memory.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { measuring, residentMb } from '../shared/usage.ts'
import { abreast } from './abreast.ts'
import type { Serving, Taken, Task } from './tasks.ts'

const [store = ''] = process.argv.slice(2)
const memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', embeddingModel: false, logger: { warn: () => undefined } })
const limits = { perMinute: 1_000_000_000 }
const server = await serveMemory(memory, { port: 0, limits, log: 'errors' })
const { key } = await memory.keys.create({ access: 'admin' })
const ada = memory.for({ project: 'bench', user: 'ada' })
const dialogue = new Dialogue(3)
const total = measuring()
const first: Serving = { url: server.url, key }
process.send?.(JSON.stringify(first))

/** What the process holds now. */
function held(): Pick<Taken, 'rssMb' | 'heapMb'> {
  return { rssMb: residentMb(), heapMb: process.memoryUsage().heapUsed / 1e6 }
}

async function did(task: Task): Promise<Taken> {
  if (task.do === 'append') {
    const messages = dialogue.messages(task.count)
    const cost = measuring()
    await abreast(messages, task.atOnce, (message, at) => ada.append(`library ${at % task.atOnce}`, message))
    return { ...cost(), ...held() }
  }
  if (task.do === 'fill') await ada.append('past', dialogue.messages(task.count))
  if (task.do === 'live') gc?.()
  if (task.do !== 'recall') return { ...total(), ...held() }
  const cost = measuring()
  for (const question of task.questions) await ada.recall(question)
  return { ...cost(), ...held() }
}

process.on('message', (asked) => {
  const task: Task = JSON.parse(String(asked))
  void did(task).then(async (taken) => {
    process.send?.(JSON.stringify(taken))
    if (task.do !== 'end') return
    await server.close()
    await memory.close()
    process.disconnect()
  })
})
