import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proseSentences } from './sentences.ts'

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })

/** Gives sentences without the blanks around them. */
const trimmed = (sentences: readonly string[]): string[] =>
  sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')

const own = (text: string): string[] => trimmed(proseSentences(text).map(({ from, to }) => text.slice(from, to)))
const byLibrary = (text: string): string[] => trimmed([...segmenter.segment(text)].map(({ segment }) => segment))

test.each([
  ['One. Two!  Three?', ['One.', 'Two!', 'Three?']],
  ['It took 3.14 s, e.g. less. (All of it.) "Fine." she said.', ['It took 3.14 s, e.g. less.', '(All of it.)', '"Fine." she said.']],
  ['Really?! Yes... no. The U.S. Army.', ['Really?!', 'Yes... no.', 'The U.S.', 'Army.']],
  ['a title\nand a line\r\n\r\n- a point', ['a title', 'and a line', '- a point']],
  ['猫が好き。犬も。本当？', ['猫が好き。', '犬も。', '本当？']],
  ['', []],
])('%j is cut as Intl.Segmenter does', (text, sentences) => {
  expect(own(text)).toEqual(sentences)
  expect(byLibrary(text)).toEqual(sentences)
})

test('agrees with Intl.Segmenter on prose and code', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcXYZäÖßжЩñ'), minLength: 1, maxLength: 6 })
  const piece = fc.oneof(word, fc.integer({ min: 0, max: 999 }).map(String), fc.constantFrom('猫', 'が', 'U', 'e', 'Dr', 'a.b', '3.5'))
  const mark = fc.constantFrom(
    ...[' ', ' ', ' ', '. ', '.', '! ', '?', '...', '… ', ', ', ': ', ' – ', '\n', '\r\n', '\n\n', '\u2029', '. "', '." ', "!', '", '.) '],
    ...['。', '！', '」', ' (', '.; ', '.  ', '\t', '.\n', '!?', "('", "');\n", '‼️ ', '؟ ', '؟،', '.\u200F ', '!\u200B', '．', '。；'],
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, mark), { maxLength: 30 }), (pieces) => {
      const text = pieces.flat().join('')
      expect(own(text)).toEqual(byLibrary(text))
    }),
    { numRuns: 2_000 },
  )
})

test('leaves out nothing of a long text of stops', () => {
  const hostile = ['.', '. ', '."', '.\n', '?)', '.1', 'a.', '... '].map((stops) => stops.repeat(50_000))
  for (const text of hostile)
    expect(
      proseSentences(text)
        .map(({ from, to }) => text.slice(from, to))
        .join(''),
    ).toBe(text)
})
