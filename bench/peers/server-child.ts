// Serves one memory on loopback, for bench/http, which starts it: Varve's, or another maker's.
import { heldNow, serveTasks } from '../http/serve-tasks.ts'
import type { Taken, Task } from '../http/tasks.ts'
import { measuring } from '../shared/usage.ts'
import { type ServeSystem, serversByName } from './servers/list.ts'

const [name = '', folder = '', endpoint = ''] = process.argv.slice(2)
const load = serversByName.get(name)
if (load === undefined) throw new RangeError(`there is no server ${name}; known are ${[...serversByName.keys()].join(', ')}`)
const serve: ServeSystem = await load()
const served = await serve({ folder, endpoint })
const total = measuring()

async function did(task: Task): Promise<Taken> {
  if (task.do === 'settle') await served.settle?.()
  return { ...total(), ...heldNow() }
}

serveTasks({ url: served.url, key: served.key }, did, () => served.close())
