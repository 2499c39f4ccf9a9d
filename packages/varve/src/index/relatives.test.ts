import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TermDictionary } from './dictionary.ts'
import { Relatives } from './relatives.ts'

const encoder = new TextEncoder()

function add(dictionary: TermDictionary, term: string): void {
  const bytes = encoder.encode(term)
  dictionary.intern(bytes, 0, bytes.length)
}

function namesOf(dictionary: TermDictionary, relatives: Relatives, word: string): string[] {
  return relatives
    .of(word)
    .map((term) => dictionary.term(term))
    .toSorted()
}

test('are the terms that begin with a word, and those that it begins with', () => {
  const dictionary = new TermDictionary()
  const relatives = new Relatives(dictionary)
  for (const term of [
    'photo',
    'photographi',
    'photon2',
    'phone',
    'phot',
    'hafen',
    'hafenmeist',
    'лодка',
    'лодкам',
    'лод',
    '12345',
    '123456',
  ])
    add(dictionary, term)
  expect(namesOf(dictionary, relatives, 'photo')).toEqual(['photographi', 'photon2'])
  expect(namesOf(dictionary, relatives, 'photographi')).toEqual(['photo'])
  expect(namesOf(dictionary, relatives, 'hafenstrass')).toEqual(['hafen'])
  expect(namesOf(dictionary, relatives, 'лодка')).toEqual(['лодкам'])
  // Relatives have at least five letters and no digits: 12345 is no relative of 123456.
  for (const word of ['phot', 'phon', 'лодк', '12345', '']) expect(relatives.of(word)).toEqual([])
})

test('are what a look at every term finds, through all growth', () => {
  const term = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'ж', '2'), maxLength: 9 })
  fc.assert(
    fc.property(fc.array(fc.array(term, { maxLength: 60 }), { maxLength: 8 }), term, (batches, word) => {
      const dictionary = new TermDictionary(4)
      const relatives = new Relatives(dictionary)
      const known = new Set<string>()
      for (const batch of batches) {
        for (const one of batch) {
          add(dictionary, one)
          known.add(one)
        }
        const expected = [...known].filter(
          (one) => one !== word && one.length >= 5 && /^\p{L}{5,}$/u.test(word) && (one.startsWith(word) || word.startsWith(one)),
        )
        expect(namesOf(dictionary, relatives, word)).toEqual(expected.toSorted())
      }
    }),
  )
})
