import { type Case, ends, is } from '../../facts/label.sentences.ts'

/** Facts about others. */
export const acquaintancesSentences: readonly Case[] = [
  ['others', "Jule isn't allergic to eggs anymore.", ends('allergic to', 'eggs', { subject: 'Jule' })],
  ['others', "Jule doesn't speak Danish.", ends('speaks', 'Danish', { subject: 'Jule' })],
  ['others', 'Iver has moved to Turku.', is('lives in', 'Turku', { subject: 'Iver' })],
  ['others', "Iver's moved to Turku.", is('lives in', 'Turku', { subject: 'Iver' })],
  ['others', 'Iver is moving to Turku next month.', is('plans to', 'move to Turku', { subject: 'Iver', when: 'next month' })],
  ['others', "Runa's allergic to cats.", is('allergic to', 'cats', { subject: 'Runa' })],
  ['others', "Runa hates surprises, so don't tell her.", is('dislikes', 'surprises', { subject: 'Runa' })],
  ['others', 'Runa and I are painting the hull. Runa likes yellow.', is('likes', 'yellow', { subject: 'Runa' })],
  ['others', 'I was wrong about Iver, he lives in Turku not Tampere.', is('lives in', 'Turku', { subject: 'Iver', instead: 'Tampere' })],
  ['trap: who', 'Jule was late and she lives in Ghent.'],
  ['trap: who', "It's been tested and she isn't allergic to eggs anymore."],
  ['trap: not yet', "Jule hasn't moved to Turku."],
  ['trap: whose', "Runa's dog hates surprises."],
  ['trap: a thing', 'Foxglove likes shade.'],
]
