import { argv } from 'node:process'
import { askTask } from './facts/ask-task.ts'
import { fillTask } from './facts/fill-task.ts'
import type { Answers, Task } from './facts/tasks.ts'
import { worstTask } from './facts/worst-task.ts'
import { writeTask } from './facts/write-task.ts'

// The parent wrote the task; see facts/ask-child.ts.
const task: Task = JSON.parse(argv[2] ?? '')
console.log(JSON.stringify(await answer(task)))

function answer(given: Task): Promise<Answers[Task['kind']]> {
  if (given.kind === 'fill') return fillTask(given.store)
  if (given.kind === 'ask') return askTask(given)
  return given.kind === 'write' ? writeTask(given) : worstTask(given)
}
