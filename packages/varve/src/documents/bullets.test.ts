import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addBullets, descriptionOf } from './bullets.ts'
import { maxContentCharacters, maxDescriptionCharacters } from './limits.ts'

const numRuns = Number(process.env['VARVE_RUNS'] ?? 300)

const roomy = maxContentCharacters
const red = { fact: 'The bike is red.', day: '2026-05-08' }

describe('dated bullets', () => {
  test('begin a document, and are appended to what stands there, in the order of their days', () => {
    expect(addBullets('', [red], roomy).content).toBe('- 2026-05-08: The bike is red.\n')
    expect(addBullets('# Bike\n\nBy hand.\n', [red, { fact: 'It was\n  $1,000, in Paris, France.', day: '2026-05-01' }], roomy).content).toBe('# Bike\n\nBy hand.\n- 2026-05-01: It was $1,000, in Paris, France.\n- 2026-05-08: The bike is red.\n')
  })

  test('say nothing twice, on whatever day and in whatever spelling', () => {
    const { content } = addBullets('', [red], roomy)
    expect(addBullets(content, [{ fact: 'the bike is RED', day: '2026-06-01' }, red, { fact: ' ', day: '2026-06-01' }], roomy)).toEqual({ content, added: 0, gaveWay: 0, leftOut: 0 })
    expect(addBullets('* The bike is red\n', [red], roomy).added).toBe(0)
  })

  test('that differ in a sign alone are two', () => {
    expect(addBullets('', [{ fact: 'The freezer is at -5.', day: '2026-05-08' }, { fact: 'The freezer is at 5.', day: '2026-05-09' }], roomy).added).toBe(2)
  })

  test('over the cap take the place of the oldest dated ones, and of nothing that was written otherwise', () => {
    const content = '- 2026-01-02: b\nBy hand.\n- 2026-01-01: a\n'
    expect(addBullets(content, [{ fact: 'c', day: '2026-01-03' }], content.length)).toEqual({ content: '- 2026-01-02: b\nBy hand.\n- 2026-01-03: c\n', added: 1, gaveWay: 1, leftOut: 0 })
    expect(addBullets('By hand.\n', [red], 20)).toEqual({ content: 'By hand.\n', added: 0, gaveWay: 0, leftOut: 1 })
  })

  test('never make a document longer than it may be, and never touch its other lines', () => {
    const line = fc.constantFrom('# A', 'By hand.', '- x', '- 2026-01-01: a', '- 2026-02-01: b', '')
    const fact = fc.record({ fact: fc.constantFrom('a', 'b', 'c d', '$1,000'), day: fc.constantFrom('2026-01-01', '2026-03-01') })
    fc.assert(fc.property(fc.array(line, { maxLength: 6 }), fc.array(fact, { maxLength: 4 }), fc.integer({ min: 0, max: 200 }), (lines, facts, most) => {
      const content = lines.map((one) => `${one}\n`).join('')
      const result = addBullets(content, facts, most)
      expect(result.content.length).toBeLessThanOrEqual(Math.max(content.length, most))
      const others = (text: string): string[] => text.split('\n').filter((one) => !/^- \d/.test(one))
      expect(others(result.content)).toEqual(others(content))
      expect(addBullets(result.content, facts, Math.max(most, result.content.length)).content.length).toBeLessThanOrEqual(Math.max(most, result.content.length))
      if (result.gaveWay === 0 && result.leftOut === 0) expect(addBullets(result.content, facts, most)).toEqual({ content: result.content, added: 0, gaveWay: 0, leftOut: 0 })
    }), { numRuns })
  })
})

describe('a description', () => {
  test('follows the content: its beginning, then what is newest', () => {
    expect(descriptionOf('Bike', '# My bike\n- **red**\n- 2026-01-01: sold once.\n- 2026-02-01: bought back\n')).toBe('Bike: My bike; red; bought back; sold once')
    expect(descriptionOf('Bike', '')).toBe('Bike')
  })

  test('is bounded, and changes when the content does', () => {
    const long = Array.from({ length: 80 }, (_, at) => `- thing ${at}`).join('\n')
    expect(descriptionOf('Things', long).length).toBeLessThanOrEqual(maxDescriptionCharacters)
    expect(descriptionOf('Things', `${long}\n- another`)).not.toBe(descriptionOf('Things', long))
    expect(descriptionOf('n'.repeat(900), long)).toHaveLength(maxDescriptionCharacters)
  })
})
