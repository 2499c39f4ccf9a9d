import type { ScaleTask } from './scale/tasks.ts'

// Started by scale/ask-scale.ts only, with a task as its one argument.
const task: ScaleTask = JSON.parse(process.argv[2] ?? '{}')

async function answer(): Promise<unknown> {
  return task.kind === 'fill'
    ? (await import('./scale/fill-task.ts')).fillTask(task.store)
    : (await import('./scale/use-task.ts')).useTask(task.store, task.appends, task.asked)
}

console.log(JSON.stringify(await answer()))
