import { expect, test } from 'vitest'
import { markOf } from '../messages/fence.ts'
import type { SourceMessage } from '../models/writer.ts'
import { checkDocuments } from './check-documents.ts'
import { askedSubjectFact, documentsTask, maxSubjectFacts } from './documents-task.ts'
import { factsTask } from './facts-task.ts'
import { spanPrompt } from './span-prompt.ts'
import { gistTask } from './text-tasks.ts'

const talk: SourceMessage[] = [
  { seq: 1, role: 'user', origin: 'person', name: 'Ada', at: Date.UTC(2026, 4, 8), text: 'Our bakery opens at 7.' },
]
const prompt = (layers: Parameters<typeof spanPrompt>[1]) => spanPrompt(talk, layers, { mark: markOf('key', '0badcafe') })

test('the example is an answer, and each of its fields is told of in the task', () => {
  expect(askedSubjectFact.safeParse(JSON.parse(documentsTask.example)).success).toBe(true)
  expect(checkDocuments([JSON.parse(documentsTask.example)], talk)).toMatchObject({ refused: 1 })
  for (const name of Object.keys(askedSubjectFact.shape)) expect(documentsTask.task).toContain(`"${name}"`)
  expect(documentsTask.task).toContain(`at most ${maxSubjectFacts}`)
})

test('documents are read for in the one call of a span, beside the other layers', () => {
  const { schema, prompt: asked, instructions, maxOutputTokens } = prompt([gistTask, factsTask, documentsTask])
  expect(schema).toMatchObject({
    required: ['gist', 'facts', 'documents'],
    properties: {
      documents: { type: 'array', items: { required: ['from', 'quote', 'subject', 'fact'], additionalProperties: false } },
      facts: { items: { required: expect.arrayContaining(['predicate']) } },
    },
  })
  expect(asked).toContain('Now write "gist" and "facts" and "documents".')
  expect(instructions).toContain(`- "documents": ${documentsTask.task}`)
  expect(maxOutputTokens).toBe(1600 + factsTask.maxOutputTokens + documentsTask.maxOutputTokens)
})

test('no document that exists is named in the prompt, whatever there is: a span is all that is read', () => {
  const { schema, prompt: asked, instructions } = prompt([documentsTask])
  expect(asked.split('\n').slice(2, -2)).toEqual(['Fri, 08 May 2026 00:00', '[1] Ada: Our bakery opens at 7.'])
  expect(JSON.stringify(schema) + instructions).not.toContain('bakery')
})
