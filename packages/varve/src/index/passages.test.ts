import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf, nextPassage, type Passage } from './passages.ts'
import { runs } from '../testing/runs.ts'

function passagesOf(text: string, leftOut: readonly Passage[] = []): Passage[] {
  const found: Passage[] = []
  for (let next = nextPassage(text, leftOut); next !== undefined; next = nextPassage(text, leftOut, next)) found.push(next)
  return found
}

const texts = (text: string, leftOut: readonly Passage[] = []): string[] =>
  passagesOf(text, leftOut).map(({ from, to }) => text.slice(from, to))

test('a text that fits is one passage, without the blanks around it', () => {
  expect(texts('  The ferry leaves at nine.\n')).toEqual(['The ferry leaves at nine.'])
  expect(texts(' \n\t ')).toEqual([])
})

test('a long text is cut at sentences, and each passage begins with the last sentence of the one before', () => {
  const sentences = Array.from({ length: 40 }, (_, place) => `Barge ${place} carried gravel down to the lower lock before noon.`)
  const found = texts(sentences.join(' '))
  expect(found.length).toBeGreaterThan(2)
  for (const [place, passage] of found.entries()) {
    expect(passage).toMatch(/^Barge \d+ .*noon\.$/)
    if (place > 0) expect(found[place - 1]).toContain(passage.split('. ')[0])
  }
  for (const sentence of sentences) expect(found.some((passage) => passage.includes(sentence))).toBe(true)
})

test('what is left out is in no passage', () => {
  const text = 'We sail on Monday. <memory>old words</memory> Bring the rope.'
  const leftOut = [{ from: text.indexOf('<'), to: text.lastIndexOf('>') + 1 }]
  expect(texts(text, leftOut)).toEqual(['We sail on Monday.', 'Bring the rope.'])
})

test('covers every word of any text, ends, and never costs more than the model sees', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('lock', 'gate.', '船', 'a'.repeat(900), '🛶'.repeat(150)),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), (words) => {
      const text = words.join(' ')
      const found = passagesOf(text)
      const covered = new Uint8Array(text.length)
      let last = -1
      for (const { from, to } of found) {
        expect(to).toBeGreaterThan(last)
        expect(text.slice(from, to).isWellFormed() || !text.isWellFormed()).toBe(true)
        expect(costOf(text.slice(from, to))).toBeLessThanOrEqual(202)
        covered.fill(1, from, to)
        last = to
      }
      for (const [at, seen] of covered.entries()) if (text.charAt(at).trim() !== '') expect(seen).toBe(1)
    }),
    { numRuns: runs(60) },
  )
})

test('a text of a megabyte is read to its last line', () => {
  const text = `${'The gauge at the weir was read again. '.repeat(27_000)}The spare key hangs behind the tide table.`
  expect(texts(text).at(-1)).toContain('The spare key hangs behind the tide table.')
})
