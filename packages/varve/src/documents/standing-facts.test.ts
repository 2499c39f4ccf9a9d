import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEdits } from '../tasks/parse-edits.ts'
import type { DatedFact } from './bullets.ts'
import { standsIn, withAllFacts } from './standing-facts.ts'

const page = '# Boat\n\n- lies in Bergen (since 2026-05-10)\n- costs 900 crowns a year\n\n# Garden\n\nApples and plums.\n'

test.each([
  ['The boat lies in Bergen.', true],
  ['Ada keeps the boat in Bergen', true],
  ['The boat costs 900 crowns.', true],
  ['The boat costs 700 crowns.', false],
  ['There are plums in the garden.', true],
  ['The cat is called Pixel.', false],
  ['船はベルゲンにあります。', false],
])('%s', (fact, stands) => {
  expect(standsIn(page, fact)).toBe(stands)
})

test('the facts that an editor left out are added with their days; those that stand are not', () => {
  const facts: DatedFact[] = [
    { fact: 'The boat lies in Bergen.', day: '2026-05-10' },
    { fact: 'The cat is called Pixel.', day: '2026-05-11' },
  ]
  expect(withAllFacts(page, facts)).toBe(`${page}- 2026-05-11: The cat is called Pixel.\n`)
  expect(withAllFacts('', facts)).toBe('- 2026-05-10: The boat lies in Bergen.\n- 2026-05-11: The cat is called Pixel.\n')
})

const word = fc.constantFrom('boat', 'lies', 'Bergen', 'cat', 'Pixel', 'garden', 'plums', '900', 'crowns', 'red', 'Mira', '船')
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((some) => some.join(' '))
const facts = fc.array(fc.record({ fact: words, day: fc.constant('2026-05-10') }), { minLength: 1, maxLength: 5 })
const number = fc.nat(9)
const call = fc.record({
  tool: fc.constantFrom('append', 'replace_lines', 'delete_lines', 'replace_section', 'replace_text'),
  section: fc.constantFrom('', 'Boat', 'Garden'),
  from: number,
  to: number,
  old: fc.constantFrom('', 'Apples'),
  text: words,
})

test('whatever an editor answers, no fact counts as worked in that stands nowhere', () => {
  fc.assert(
    fc.property(facts, fc.array(call, { maxLength: 3 }), fc.constantFrom('', page), (some, calls, content) => {
      const edited = parseEdits({ description: '', calls }, { name: 'Boat', description: '', content }, some, 1_000)
      const stands = 'content' in edited ? withAllFacts(edited.content, some) : undefined
      if (stands !== undefined) expect(some.filter(({ fact }) => !standsIn(stands, fact))).toEqual([])
    }),
    { numRuns: 300 },
  )
})
