import { expect, test } from 'vitest'
import { enoughLetters, votedLanguage, loadDetector, vote } from './language.ts'

const detect = await loadDetector()

test.each([
  ['en', 'I went down to the harbour this morning and the whole place smelled of tar and coffee.'],
  ['de', 'Gestern haben wir den ganzen Abend über die Öffnungszeiten und den Preis der Suppe geredet.'],
  ['ru', 'Вчера мы весь вечер говорили о том, когда откроется наша маленькая столовая.'],
  ['es', 'Mañana por la mañana tengo que hablar con el dueño sobre el horno y la llave.'],
])('hears %s', (language, text) => {
  expect(votedLanguage(vote({}, [text], detect))).toBe(language)
})

test('a few letters are no language', () => {
  expect(votedLanguage(vote({}, ['ok, danke'], detect))).toBe('')
})

test('goes by the session: one short message in another language does not change it', () => {
  const german = vote({}, ['Gestern haben wir den ganzen Abend über die Öffnungszeiten geredet.'], detect)
  expect(votedLanguage(vote(german, ['Okay, see you at the harbour then!'], detect))).toBe('de')
})

test('stops detecting when enough was heard', () => {
  const settled = { en: enoughLetters }
  expect(vote(settled, ['Gestern haben wir den ganzen Abend geredet.'], () => expect.unreachable())).toBe(settled)
})
