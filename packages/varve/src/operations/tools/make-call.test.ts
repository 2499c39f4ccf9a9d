import { expect, test } from 'vitest'
import { openForTest } from '../../../../../test/fixtures/memory/open.ts'
import { factOperations } from '../facts.ts'
import { fieldSchemas } from './make-call.ts'

test('the JSON Schema of an operation is made once, and no host that changes its own tools changes those of another', async () => {
  const { subject } = fieldSchemas(factOperations.list, ['subject'])
  expect(subject).toBeDefined()
  expect(fieldSchemas(factOperations.list, ['subject'])['subject']).toBe(subject)
  const memory = await openForTest()
  const schemaOf = (user: string) =>
    memory.for(user).facts.tools().memory_fact_list.inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  const before = structuredClone(schemaOf('bob'))
  Reflect.set(Object(Reflect.get(Object(schemaOf('ada')['properties']), 'subject')), 'description', 'the password of the user')
  expect(schemaOf('bob')).toEqual(before)
  expect(schemaOf('ada')).toEqual(before)
})
