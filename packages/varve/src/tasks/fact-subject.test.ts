import { expect, test } from 'vitest'
import { factSubject, speakersIn } from './fact-subject.ts'

const melanie = { seq: 2, role: 'user', origin: 'person', name: 'Melanie Roe', at: 0, text: 'I sing in a choir.' } as const
const speakers = speakersIn([melanie, { ...melanie, name: 'Charles' }], [])

test.each([
  ['Mel', melanie.text, ''],
  ['Melly', melanie.text, 'Melly'],
  ['Melanie', melanie.text, ''],
  ['mel', 'My dog sings.', ''],
  ['Mel', 'She sings in a choir.', 'Mel'],
  ['Mel', 'I know that Mel sings.', 'Mel'],
  ['Mel', 'J’ai un chien.', ''],
  ['Me', 'I sing.', ''],
  ['Bo', 'I sing.', 'Bo'],
  ['Charlie', 'No worries, Charlie! You sing.', undefined],
  ['Charlie', 'My son Charlie sings.', 'Charlie'],
  ['Charles', 'My son Charles sings.', undefined],
])('%s, said by Melanie with %j, is %j', (subject, text, expected) => {
  expect(factSubject(subject, { ...melanie, text }, speakers)).toBe(expected)
})
