import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DatedFact, descriptionOf, withBullet } from './bullets.ts'
import { documentChars } from './document.ts'
import { maxDescriptionCharacters } from './limits.ts'
import { runs } from '../testing/runs.ts'

const numRuns = runs(300)

const roomy = documentChars.usual
const red = { fact: 'The bike is red.', day: '2026-05-08' }

const bulleted = (content: string, ...facts: readonly DatedFact[]): string | undefined =>
  facts.reduce((stands: string | undefined, fact) => (stands === undefined ? undefined : withBullet(stands, fact, roomy)), content)

describe('a dated bullet', () => {
  test('begins a document, and is appended to what stands there', () => {
    expect(bulleted('', red)).toBe('- 2026-05-08: The bike is red.\n')
    expect(bulleted('# Bike\n\nBy hand.\n', { fact: 'It was\n  $1,000, in Paris, France.', day: '2026-05-01' }, red)).toBe(
      '# Bike\n\nBy hand.\n- 2026-05-01: It was $1,000, in Paris, France.\n- 2026-05-08: The bike is red.\n',
    )
  })

  test('says nothing twice, on whatever day and in whatever spelling', () => {
    const content = bulleted('', red) ?? ''
    expect(bulleted(content, { fact: 'the bike is RED', day: '2026-06-01' }, red, { fact: ' ', day: '2026-06-01' })).toBe(content)
    expect(bulleted('* The bike is red\n', red)).toBe('* The bike is red\n')
  })

  test('of two speakers the same words are two facts; a line that names nobody tells both', () => {
    const [ann, bob] = ['Ann', 'Bob'].map((speaker) => ({ fact: 'My bike is red.', day: '2026-05-08', speaker }))
    const both = '- 2026-05-08, Ann: My bike is red.\n- 2026-05-08, Bob: My bike is red.\n'
    expect(bulleted('', ann ?? red, bob ?? red, ann ?? red)).toBe(both)
    expect(bulleted(both, { fact: 'My bike is red.', day: '2026-05-08' })).toBe(`${both}- 2026-05-08: My bike is red.\n`)
    expect(bulleted('My bike is red.\n', ann ?? red)).toBe('My bike is red.\n')
  })

  test.each([
    ['I live in Oslo and I work at the ferry office.', 'I live in Oslo.', 1],
    ['I live in Oslo and I work at the ferry office.', 'I work at the ferry office.', 1],
    ['Btw, the bike is red.', 'The bike is red.', 1],
    ['On Mondays, the bakery opens at 7.', 'The bakery opens at 7.', 2],
    ['The bread costs $1,000.', 'The bread costs $1.', 2],
    ['The bread costs $1 and 50 cents.', 'The bread costs $1.', 2],
    ['The margin is 12.5%.', 'The margin is 12.', 2],
  ])('says no clause of a standing bullet again: %s | %s', (first, second, bullets) => {
    const content = bulleted('', { fact: first, day: '2026-05-08' }, { fact: second, day: '2026-05-09' }) ?? ''
    expect(content.match(/^- /gmu)).toHaveLength(bullets)
  })

  test('that differs in a sign alone is another', () => {
    expect(
      bulleted('', { fact: 'The freezer is at -5.', day: '2026-05-08' }, { fact: 'The freezer is at 5.', day: '2026-05-09' })?.split('\n'),
    ).toHaveLength(3)
  })

  test('that would make a document longer than it may be finds no room, and what stands there stays', () => {
    const content = 'By hand.\n- 2026-05-08: The bike is red.\n'
    expect(withBullet('By hand.\n', red, content.length)).toBe(content)
    expect(withBullet('By hand.\n', red, content.length - 1)).toBeUndefined()
    expect(withBullet(content, red, 1)).toBe(content)
  })

  test('never touches another line, and is there when it found room', () => {
    const line = fc.constantFrom('# A', 'By hand.', '- x', '- 2026-01-01: a', '- 2026-02-01: b', '')
    const fact = fc.record({ fact: fc.constantFrom('a', 'b', 'c d', '$1,000'), day: fc.constantFrom('2026-01-01', '2026-03-01') })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fact, fc.integer({ min: 0, max: 200 }), (lines, one, most) => {
        const content = lines.map((each) => `${each}\n`).join('')
        const result = withBullet(content, one, most)
        if (result === undefined) return void expect(content.length + `- ${one.day}: ${one.fact}\n`.length).toBeGreaterThan(most)
        expect(result.startsWith(content)).toBe(true)
        expect(result).toContain(one.fact)
        expect(withBullet(result, one, most)).toBe(result)
      }),
      { numRuns },
    )
  })
})

describe('a description', () => {
  test('follows the content: its beginning, then what is newest', () => {
    expect(descriptionOf('Bike', '# My bike\n- **red**\n- 2026-01-01: sold once.\n- 2026-02-01: bought back\n')).toBe(
      'Bike: My bike; red; bought back; sold once',
    )
    expect(descriptionOf('Bike', '')).toBe('Bike')
  })

  test('is bounded, and changes when the content does', () => {
    const long = Array.from({ length: 80 }, (_, at) => `- thing ${at}`).join('\n')
    expect(descriptionOf('Things', long).length).toBeLessThanOrEqual(maxDescriptionCharacters)
    expect(descriptionOf('Things', `${long}\n- another`)).not.toBe(descriptionOf('Things', long))
    expect(descriptionOf('n'.repeat(900), long)).toHaveLength(maxDescriptionCharacters)
  })
})
