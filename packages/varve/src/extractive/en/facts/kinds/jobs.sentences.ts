import { type Case, is } from '../../../facts/label.sentences.ts'

/** Offices, duties and fields of work. */
export const jobsSentences: readonly Case[] = [
  ['job', "I'm the CFO of Pellworm Ferries.", is('works as', 'CFO'), is('works at', 'Pellworm Ferries')],
  ['job', "I'm head of design at Kelp Farm.", is('works as', 'head of design'), is('works at', 'Kelp Farm')],
  ['job', 'I teach physics.', is('teaches', 'physics')],
  ['job', 'I do bookkeeping for Fjord Radio.', is('works in', 'bookkeeping'), is('works at', 'Fjord Radio')],
  ['job', 'I joined Skagen Fish as a driver in May.', is('works at', 'Skagen Fish', { when: 'in May' })],
  ['job', 'I work at Fjord Radio as a technician.', is('works at', 'Fjord Radio'), is('works as', 'technician')],
  ['job', 'I work in logistics.', is('works in', 'logistics')],
  ['job', 'I work at a bakery.', is('workplace', 'bakery')],
  ['job', 'I work at a bakery called Krumm.', is('works at', 'Krumm')],
  ['job', 'I live in a tiny houseboat.', is('dwelling', 'tiny houseboat')],
  ['trap: job', "I'm the best at chess."],
  ['trap: job', 'I joined Tom for lunch.'],
  ['trap: job', 'I joined the queue.'],
  ['trap: job', "I'm the head of a large family."],
  ['trap: job', 'I do support you.'],
  ['trap: job', 'I work in silence.'],
]
