import { expect, test } from 'vitest'
import { worthOf } from './salience.ts'

const said = { terms: 5, origin: 'person', isOpen: false } as const

test.each([
  ['a decision', 'the team decided for the blue paint', 'the team looked at the blue paint'],
  ['a decision in German', 'das Team hat die blaue Farbe bestellt', 'das Team hat die blaue Farbe gesehen'],
  ['a decision in French', 'le groupe a choisi la peinture bleue', 'le groupe a vu la peinture bleue'],
  ['a decision in Spanish', 'el equipo ha decidido la pintura azul', 'el equipo ha visto la pintura azul'],
  ['a standing wish', 'the cook prefers the blue paint', 'the cook saw the blue paint'],
  ['a date', 'the paint dried on Monday', 'the paint dried on paper'],
  ['an amount', 'the paint costs 30 crowns', 'the paint costs some crowns'],
  ['an identifier', 'the paint is in shed_list', 'the paint is in shed list'],
  ['a name', 'the paint is for Clara and the boat', 'the paint is for her and the boat'],
  ['an assertion', 'the paint is blue', 'is the paint blue?'],
  ['oneself', 'I like the blue paint', 'you like the blue paint'],
])('%s weighs more', (_, more, less) => {
  expect(worthOf(more, said)).toBeGreaterThan(worthOf(less, said))
})

test('a question that nobody answered keeps its worth; an assistant weighs less, a tool still less, the system nothing', () => {
  expect(worthOf('is the paint blue?', { ...said, isOpen: true })).toBe(worthOf('the paint is blue', said))
  const worths = (['person', 'assistant', 'tool', 'system'] as const).map((origin) => worthOf('the paint is blue', { ...said, origin }))
  expect(worths).toEqual([...worths].sort((a, b) => b - a))
  expect(new Set(worths).size).toBe(4)
  expect(worths.at(-1)).toBe(0)
})
