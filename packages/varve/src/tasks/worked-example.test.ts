import { expect, test } from 'vitest'
import { markOf } from '../messages/fence.ts'
import type { SourceMessage } from '../models/writer.ts'
import { checkDocuments } from './check-documents.ts'
import { checkFacts } from './check-facts.ts'
import { checkStanding, isAttack } from './check-standing.ts'
import { checkTextAnswer } from './check-text.ts'
import { documentsTask } from './documents-task.ts'
import { factsTask } from './facts-task.ts'
import { spanPrompt } from './span-prompt.ts'
import { standingTask } from './standing-task.ts'
import { bulletsTask, gistTask } from './text-tasks.ts'

const tasks = [gistTask, bulletsTask, factsTask, standingTask, documentsTask]
const { instructions } = spanPrompt([], tasks, { mark: markOf('key', '0badcafe') })
const [example = '', answer = ''] = instructions.slice(instructions.indexOf('Example:')).split('\nAnswer:\n')
const talk = Array.from(example.matchAll(/^\[(\d+)\] (\w+): (.*)$/gm), ([, seq, name = '', text = '']): SourceMessage => ({
  seq: Number(seq),
  role: 'user',
  origin: 'person',
  name,
  at: Date.UTC(2026, 4, 8, 10),
  text,
}))
const parts: Readonly<Record<string, readonly unknown[]>> = JSON.parse(answer)
const part = (key: string): readonly unknown[] => parts[key] ?? expect.unreachable(key)

test.each([gistTask, bulletsTask])('the worked example of $key passes the checks whole', (task) => {
  const checked = checkTextAnswer(part(task.key), talk, task)
  expect(checked).toMatchObject({ sentences: part(task.key) })
})

test('the worked facts pass the checks, a state and an event', () => {
  expect(checkFacts(part('facts'), talk, { language: 'en' })).toMatchObject({
    facts: [
      { says: 'is', predicate: 'lives in', object: 'Bergen' },
      { event: true, object: 'boat', when: 'in May' },
    ],
    refused: 0,
  })
})

test('the worked instructions and documents pass the checks', () => {
  const checked = checkStanding(part('instructions'), talk)
  expect('asked' in checked ? checked.asked.map((one) => !isAttack(one)) : checked).toEqual([true])
  expect(checkDocuments(part('documents'), talk)).toMatchObject({ facts: [{ subject: 'boat' }], refused: 0 })
})
