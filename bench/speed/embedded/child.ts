import { readFileSync } from 'node:fs'
import { loadTask } from '../load-task.ts'
import type { Question } from '../questions.ts'
import { recallTask } from '../recall-task.ts'
import type { EmbeddedTask } from './tasks.ts'

// Started by ask.ts only, with a task as its one argument. Each task imports only its own needs: the sources would
// count as resident where the build is measured.
const task: EmbeddedTask = JSON.parse(process.argv[2] ?? '{}')

/** Enough questions for a mean: each step is timed several times a question. */
const signalQuestions = 20

function questionsIn(file: string): readonly Question[] {
  const questions: readonly Question[] = JSON.parse(readFileSync(file, 'utf8'))
  return questions
}

async function answer(): Promise<unknown> {
  // openMemory reads this variable.
  if ('runtime' in task) process.env['VARVE_EMBEDDINGS'] = task.runtime
  switch (task.kind) {
    case 'fill':
      return (await import('./fill-task.ts')).fillTask(task.store, task.questions)
    case 'recall':
      return recallTask(task.store, 0, questionsIn(task.asked))
    case 'load':
      return loadTask(task.store, true)
    case 'embed':
      return (await import('./embed-task.ts')).embedTask(task.store, task.messages)
    case 'settle':
      return (await import('./settle-task.ts')).settleTask(task.store, task.appends)
    case 'model':
      return (await import('./model-task.ts')).modelTask(task.from, task.runtime, task.threads, task.messages, questionsIn(task.asked))
    case 'signals':
      return (await import('./signals-task.ts')).signalsTask(task.store, questionsIn(task.asked).slice(0, signalQuestions))
  }
}

console.log(JSON.stringify(await answer()))
