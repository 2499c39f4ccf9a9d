import { loadTask } from '../load-task.ts'
import { recallTask } from '../recall-task.ts'
import { embedTask } from './embed-task.ts'
import { fillTask } from './fill-task.ts'
import { modelTask } from './model-task.ts'
import { settleTask } from './settle-task.ts'
import { signalsTask } from './signals-task.ts'
import type { EmbeddedTask } from './tasks.ts'

// Started by ask.ts only, with a task as its one argument.
const task: EmbeddedTask = JSON.parse(process.argv[2] ?? '{}')

async function answer(): Promise<unknown> {
  // openMemory reads it.
  if ('runtime' in task) process.env['VARVE_EMBEDDINGS'] = task.runtime
  switch (task.kind) {
    case 'fill': return fillTask(task.store, task.questions)
    case 'recall': return recallTask(task.store, 0, task.asked)
    case 'load': return loadTask(task.store, true)
    case 'embed': return embedTask(task.store, task.messages)
    case 'settle': return settleTask(task.store, task.appends)
    case 'model': return modelTask(task.from, task.runtime, task.threads, task.messages, task.asked)
    case 'signals': return signalsTask(task.store, task.asked)
  }
}

console.log(JSON.stringify(await answer()))
