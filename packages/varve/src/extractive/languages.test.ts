import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languagePacks } from './languages.ts'

test('every folder of a language is in the list, once', () => {
  const folders = readdirSync(import.meta.dirname).filter((name) => /^[a-z]{2}$/u.test(name))
  expect(languagePacks.map(({ language }) => language).toSorted()).toEqual(folders)
})

test.each(languagePacks.map((pack) => [pack.language, pack] as const))(
  'every phrase is a pattern and matches no empty text: %s',
  (_, pack) => {
    const phrases = [
      ...Object.values(pack.cues).flat(),
      ...pack.smallTalk.interjections,
      ...(pack.smallTalk.afterthoughts ?? []),
      ...pack.abbreviations,
    ]
    expect(phrases.filter((phrase) => new RegExp(`^(?:${phrase})$`, 'iu').test(''))).toEqual([])
    expect(new Set(pack.smallTalk.politeWords.map((word) => word.toLowerCase())).has('')).toBe(false)
  },
)
