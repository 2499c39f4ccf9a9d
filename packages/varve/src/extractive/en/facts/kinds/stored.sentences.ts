import { type Case, is } from '../../../facts/label.sentences.ts'

/** Places where things are kept. */
export const storedSentences: readonly Case[] = [
  ['place of a thing', 'The scissors are in the top drawer.', is('is kept', 'in the top drawer', { subject: 'scissors' })],
  ['place of a thing', 'The SSH keys are in 1Password.', is('is kept', 'in 1Password', { subject: 'SSH keys' })],
  ['place of a thing', 'I keep my passport in the safe.', is('is kept', 'in the safe', { subject: 'my passport' })],
  ['place of a thing', 'I moved the ladder to the garage.', is('is kept', 'in the garage', { subject: 'ladder' })],
  ['place of a thing', "Passport's in the tin above the fridge.", is('is kept', 'in the tin above the fridge', { subject: 'passport' })],
  [
    'place of a thing',
    'The spare keys are with Mrs Holm at number 9.',
    is('is kept', 'with Mrs Holm at number 9', { subject: 'spare keys' }),
  ],
  ['place of a thing', 'Spare key under the pot.', is('is kept', 'under the pot', { subject: 'spare key' })],
  ['trap: place of a thing', 'The key is with practice.'],
  ['trap: place of a thing', 'The key is under discussion.'],
  ['trap: place of a thing', 'The password is in the wrong format.'],
  ['trap: place of a thing', 'I keep my word in the end.'],
  ['trap: place of a thing', 'Where are the scissors?'],
]
