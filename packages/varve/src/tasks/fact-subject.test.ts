import { expect, test } from 'vitest'
import { factSubject, speakersIn } from './fact-subject.ts'

const isadora = { seq: 2, role: 'user', origin: 'person', name: 'Isadora Roe', at: 0, text: 'I sing in a choir.' } as const
const speakers = speakersIn([isadora, { ...isadora, name: 'Charles' }], [])

test.each([
  ['Isa', isadora.text, ''],
  ['Issy', isadora.text, 'Issy'],
  ['Isadora', isadora.text, ''],
  ['isa', 'My dog sings.', ''],
  ['Isa', 'She sings in a choir.', 'Isa'],
  ['Isa', 'I know that Isa sings.', 'Isa'],
  ['Isa', 'J’ai un chien.', ''],
  ['Me', 'I sing.', ''],
  ['Bo', 'I sing.', 'Bo'],
  ['Charlie', 'No worries, Charlie! You sing.', undefined],
  ['Charlie', 'My son Charlie sings.', 'Charlie'],
  ['Charles', 'My son Charles sings.', undefined],
])('%s, said by Isadora with %j, is %j', (subject, text, expected) => {
  expect(factSubject(subject, { ...isadora, text }, speakers)).toBe(expected)
})
