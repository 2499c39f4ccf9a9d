import { type Case, type Label, ends, is } from '../../facts/label.sentences.ts'

function unchosen(what: string): Label[] {
  return [ends('decided to', `use ${what}`), ends('decided on', what), ends('uses', what)]
}

/** Habits that end, and things that are sold or dropped. */
export const habitsSentences: readonly Case[] = [
  ['gave up', 'I gave up fencing.', ends('likes', 'fencing')],
  ['gave up', "I've given up coffee.", ends('likes', 'coffee')],
  ['gave up', "I've given up coffee at last.", ends('likes', 'coffee')],
  [
    'gave up',
    'I stopped drinking coffee in May.',
    ends('likes', 'coffee', { when: 'in May' }),
    ends('drinks', 'coffee', { when: 'in May' }),
    is('does not drink', 'coffee', { when: 'in May' }),
  ],
  ['gave up', 'I stopped rowing.', ends('likes', 'rowing')],
  ['gave up', "I'm off sugar.", ends('likes', 'sugar')],
  ['gave up', "I don't do archery any more.", ends('likes', 'archery')],
  ['gave up', "I don't play the cello any more.", ends('likes', 'cello'), ends('plays', 'cello')],
  ['gave up', 'I stopped using Emacs.', ends('*', 'Emacs')],
  ['gave up', 'I no longer use Emacs.', ends('*', 'Emacs')],
  ['sold', 'I sold the Volvo.', ends('has', 'Volvo'), ends('drives', 'Volvo')],
  ['sold', 'We gave away our piano.', ends('has', 'piano')],
  ['sold', "I don't have a dog any more.", ends('has', 'dog'), ends('dog')],
  ['dropped', "We're not using Foxglove any more.", ends('*', 'Foxglove')],
  ['correction', 'My dog is called Max, not Rex.', is('dog', 'Max', { instead: 'Rex' })],
  ['correction', 'My sister is called Hannah not Hanna.', is('sister', 'Hannah', { instead: 'Hanna' })],
  ['dropped', 'We dropped Foxglove.', ...unchosen('Foxglove')],
  ['dropped', 'We decided not to use Foxglove.', ...unchosen('Foxglove')],
  ['dropped', 'We decided against Foxglove.', is('decided against', 'Foxglove'), ...unchosen('Foxglove')],
  ['dropped', 'We decided to use Larkspur instead of Foxglove.', is('decided to', 'use Larkspur'), ...unchosen('Foxglove')],
  ['moved', 'I moved the spare key to the shed.', is('is kept', 'in the shed', { subject: 'spare key' })],
  ['cancelled', 'The Lisbon trip is off.', ends('plans to', 'travel to Lisbon')],
  ['trap: no habit', 'I gave up my seat.'],
  ['trap: no habit', 'I gave up on the second page.'],
  ['trap: no habit', 'I stopped by the bakery.'],
  ['trap: no habit', "I'm off to bed."],
  ['trap: no habit', "I'm off work tomorrow."],
  ['trap: no habit', 'I dropped my phone.'],
  ['trap: no habit', 'We dropped the price.'],
  ['trap: no habit', 'We dropped Bo off at school.'],
  ['trap: no habit', 'I stopped at the lights.'],
  ['trap: for a time', "I'm off coffee today."],
  ['trap: for a time', 'I gave up sugar for Lent.'],
  ['trap: for a time', 'I stopped drinking coffee until Easter.'],
  ["trap: a day's end", 'I stopped working at noon.'],
  ['trap: wish', 'I want to give up coffee.'],
]
