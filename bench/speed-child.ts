import { appendTask } from './speed/append-task.ts'
import { importTask } from './speed/import-task.ts'
import { loadTask } from './speed/load-task.ts'
import { recallTask } from './speed/recall-task.ts'
import type { Task } from './speed/tasks.ts'

// Started by speed/ask-child.ts only, with a task as its one argument.
const task = JSON.parse(process.argv[2] ?? '{}') as Task

async function answer(): Promise<unknown> {
  switch (task.kind) {
    case 'import':
      return importTask(task.store)
    case 'append':
      return appendTask(task.store, task.appends, task.atOnce)
    case 'load':
      return loadTask(task.store)
    case 'recall':
      return recallTask(task.store, task.questions)
    case 'forget':
      return (await import('./speed/server/forget-task.ts')).forgetTask(task.store, task.sessions, task.delayMs)
    case 'upkeep':
      return (await import('./speed/server/upkeep-task.ts')).upkeepTask(task.store, task.sessions, task.delayMs)
    case 'idle':
      return (await import('./speed/server/idle-task.ts')).idleTask(task.store, task.seconds)
  }
}

console.log(JSON.stringify(await answer()))
