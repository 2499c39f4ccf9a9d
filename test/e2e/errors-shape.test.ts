import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { openMemory, VarveError } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

const secret = 'correct-horse-battery-4711'
const odd: readonly unknown[] = [
  secret,
  [secret],
  { [secret]: secret },
  { secret },
  Number.parseInt('4000123456789017', 10),
  ` ${secret}\0`,
  new Map([[secret, secret]]),
  (): string => secret,
]

type Call = (value: unknown) => unknown

/** Calls a method as a host without types would: with anything. */
function untyped(of: object, method: string): (...given: readonly unknown[]) => unknown {
  return (...given) => Reflect.apply(Reflect.get(of, method), of, given)
}

test('an error tells the shape of a value in the wrong place, and none of its content', async () => {
  const memory = await openForTest({ embeddingModel: false })
  const ada = memory.for('ada')
  await ada.append('one', { role: 'user', content: 'The tern nests on the barge.' })
  const calls: Readonly<Record<string, Call>> = {
    role: (value) => untyped(ada, 'append')('one', { role: value, content: 'x' }),
    content: (value) => untyped(ada, 'append')('one', { role: 'user', content: { value } }),
    at: (value) => untyped(ada, 'append')('one', { role: 'user', content: 'x', at: value }),
    metadata: (value) => untyped(ada, 'append')('one', { role: 'user', content: 'x', metadata: [value] }),
    limit: (value) => untyped(ada, 'messages')('one', { limit: value }),
    cursor: (value) => untyped(ada.sessions, 'list')({ cursor: String(value) }),
    query: (value) => untyped(ada, 'recall')('tern', { limit: value }),
    maxTokens: (value) => untyped(ada, 'context')({ query: 'tern', maxTokens: value }),
    blockName: (value) => untyped(ada.blocks, 'set')(`\n${String(value)}`, 'x'),
    blockChars: (value) => untyped(ada.blocks, 'set')('plan', 'x', { maxChars: value }),
    document: (value) => untyped(ada.documents, 'edit')('Tern', [{ tool: value }]),
    fact: (value) => untyped(ada.facts, 'add')({ subject: { value }, predicate: 'is', object: 'x' }),
    forget: (value) => untyped(ada, 'forget')({ before: value }),
    compact: (value) => untyped(ada, 'compact')([{ role: 'user', value }], { session: 'one', maxTokens: 100 }),
    settings: (value) => untyped(memory.project('default').settings, 'set')({ timeZone: value }),
  }
  let refused = 0
  for (const [name, call] of Object.entries(calls)) {
    for (const value of odd) {
      const outcome = await Promise.resolve()
        .then(() => call(value))
        .catch((error: unknown) => error)
      if (!(outcome instanceof Error)) continue
      refused += 1
      const told = inspect(outcome, { depth: 10, showHidden: true, maxStringLength: null })
      expect(VarveError.is(outcome), `${name}: ${told}`).toBe(true)
      for (const part of ['correct-horse', '4711', '4000123456789017']) expect(told, name).not.toContain(part)
    }
  }
  expect(refused).toBeGreaterThan(60)
})

test('a setting of the memory in the wrong place is told by its shape', async () => {
  for (const setting of ['isolation', 'languageModel', 'embeddingModel', 'upkeep', 'modelWindow', 'layers']) {
    const error = await rejection(Promise.resolve(untyped({ openMemory }, 'openMemory')({ store: 'memory:', [setting]: secret })))
    expect(inspect(error, { depth: 10 }), setting).not.toContain('correct-horse')
    expect(String(error), setting).toMatch(/a string/)
  }
})
