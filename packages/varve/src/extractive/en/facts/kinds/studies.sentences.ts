import { type Case, is } from '../../../facts/label.sentences.ts'

/** Studies, lessons and instruments. */
export const studiesSentences: readonly Case[] = [
  ['studies', 'I study marine biology at Bergen University.', is('studies', 'marine biology'), is('studies at', 'Bergen University')],
  ['studies', "I'm a student at Trinity College.", is('studies at', 'Trinity College')],
  ['studies', "I'm learning Finnish.", is('is learning', 'Finnish')],
  ['studies', 'My brother Nils studies law in Graz.', is('brother', 'Nils'), is('studies', 'law', { subject: 'Nils' })],
  ['studies', 'I play the cello.', is('plays', 'cello')],
  ['studies', "I'm majoring in marine biology.", is('studies', 'marine biology')],
  ['studies', 'my major is geology now', is('studies', 'geology')],
  ['trap: studies', 'My major is a secret.'],
  ['trap: studies', 'I study the menu.'],
  ['trap: studies', "I'm learning a lot here."],
  ['trap: studies', 'I play along.'],
  ['trap: studies', 'I teach my grandmother to suck eggs.'],
]
