import { type Case, is } from '../../../facts/label.sentences.ts'

/** Ages and heights. */
export const traitsSentences: readonly Case[] = [
  ['age', "I'm 41 years old.", is('age', '41')],
  ['age', 'I just turned 30.', is('age', '30')],
  ['age', "I'm 52, not 53.", is('age', '52', { instead: '53' })],
  ['age', 'My son Aksel is 4.', is('son', 'Aksel'), is('age', '4', { subject: 'Aksel' })],
  ['height', "I'm 182 cm tall and I weigh 80 kg.", is('height', '182 cm'), is('weight', '80 kg')],
  ['age', 'im 20 now!!', is('age', '20')],
  ['trap: age', 'im 20 minutes away'],
  ['trap: age', "I'm 3 minutes late."],
  ['trap: age', "I'm 5th in the queue."],
  ['trap: age', "I'm 50 pages in."],
  ['trap: age', "I'm 2."],
  ['trap: age', 'I feel 90 years old today.'],
  ['trap: age', 'I turned 3 pages.'],
]
