import { type Case, type Label, type More, ends, is } from '../../facts/label.sentences.ts'

/** Labels an end for both predicates: the partner may have been called a wife or a husband before. */
function parted(object = '', more: More = {}): Label[] {
  return [ends('married to', object, more), ends('partner', object, more)]
}

/** Partings and deaths, of partners and of others. */
export const partingsSentences: readonly Case[] = [
  ['partner', 'Pelle and I split up.', ...parted('Pelle')],
  ['partner', 'Big news, Pelle and I are splitting up.', ...parted('Pelle')],
  ['partner', 'Me and Pelle broke up in May.', ...parted('Pelle', { when: 'in May' })],
  ['partner', 'My husband Pelle and I separated last month.', ...parted('Pelle', { when: 'last month' })],
  ['partner', 'My wife and I are getting divorced.', ...parted()],
  ['partner', 'We broke up.', ...parted()],
  ['partner', "We've split up.", ...parted()],
  ['partner', "I'm divorced.", ...parted()],
  ['partner', "I'm single again.", ...parted()],
  ['partner', 'The divorce is final.', ...parted()],
  ['partner', 'I broke up with Runa.', ...parted('Runa')],
  ['partner', 'My girlfriend left me.', ...parted()],
  ['partner', 'Runa is not my girlfriend any more.', ...parted('Runa')],
  ['partner', 'Runa is my ex-wife.', ...parted('Runa')],
  ['partner', "I'm no longer with Runa.", ...parted('Runa')],
  ['partner', 'Gro is no longer my boss.', ends('boss', 'Gro')],
  ['trap: not parted', 'We split up the chores.'],
  ['trap: not parted', 'We broke up into groups.'],
  ['trap: not parted', 'The band broke up.'],
  ['trap: not parted', 'My sister and I split up the inheritance.'],
  ['trap: not parted', 'Runa left me a note.'],
  ['trap: not parted', "Runa is not my girlfriend any more, she's my wife!"],
  ['trap: not parted', "I'm single-handedly painting the hull."],
  ['trap: question', 'Did Pelle and I split up?'],
  ['trap: hypothetical', 'If Pelle and I split up, who keeps the boat?'],
  ['dead', 'My dog Bosun died last night.', ends('dog', 'Bosun', { when: 'last night' })],
  ['dead', 'My dog died.', ends('dog'), ends('has', 'dog')],
  ['dead', 'My husband Pelle died in 2019.', ...parted('Pelle', { when: 'in 2019' })],
  ['dead', 'Bosun passed away on Sunday.', ends('dog', 'Bosun', { when: 'on Sunday' }), ends('cat', 'Bosun', { when: 'on Sunday' })],
  ['dead', 'We had to put Bosun down.', ends('dog', 'Bosun'), ends('cat', 'Bosun')],
  ['past', 'My ex-husband Pelle lives in Ghent.', ...parted('Pelle'), is('lives in', 'Ghent', { subject: 'Pelle' })],
  ['past', 'My former boss Gro hates noise.', ends('boss', 'Gro'), is('dislikes', 'noise', { subject: 'Gro' })],
  ['past', 'My late wife Runa loved the sea.', ...parted('Runa')],
  ['trap: no person', 'My phone died.'],
  ['trap: no person', 'Pixel died in the sink.'],
  ['trap: no person', 'The battery died on Sunday.'],
  ['trap: reported', 'My mum said her parrot Polly died.'],
  ['trap: figure', 'I died laughing.'],
  ['boss', 'My boss is Gro now.', is('boss', 'Gro')],
  ['boss', 'My new boss is called Gro.', is('boss', 'Gro')],
]
