import { expect, test } from 'vitest'
import { markOf } from '../messages/fence.ts'
import { readFact } from './answered-fact.ts'
import { askedFact, factsSchema, factsTask, maxFacts } from './facts-task.ts'
import { spanPrompt } from './span-prompt.ts'

test('the schema asks for every field, and for nothing else', () => {
  expect(factsSchema()).toMatchObject({
    required: ['facts'],
    additionalProperties: false,
    properties: { facts: { type: 'array', items: { required: Object.keys(askedFact.shape), additionalProperties: false } } },
  })
})

test('the example is an answer, and each of its fields is told of in the system prompt', () => {
  const examples: unknown = JSON.parse(`[${factsTask.example}]`)
  const read = Array.isArray(examples) ? examples.map((example: unknown) => [askedFact.safeParse(example).success, readFact(example)]) : []
  expect(read).toEqual([
    [true, expect.objectContaining({ kind: 'state' })],
    [true, expect.objectContaining({ kind: 'event' })],
  ])
  const { instructions } = spanPrompt([], [factsTask], { mark: markOf('key', '0badcafe') })
  const [told = ''] = instructions.split('Example:')
  for (const name of Object.keys(askedFact.shape)) expect(told).toContain(`"${name}"`)
  expect(factsTask.task).toContain(`at most ${maxFacts}`)
})
