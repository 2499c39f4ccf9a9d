import { type Case, is } from '../../facts/label.sentences.ts'

/** Second thoughts. */
export const retractionsSentences: readonly Case[] = [
  ['second thought', 'I live in Kiel. Ok no, I live in Plön.', is('lives in', 'Plön')],
  ['second thought', 'I have three cats... ok two cats. I live in Ulm.', is('lives in', 'Ulm')],
  ['second thought', 'My birthday is 5 May. No wait, my birthday is 6 May.', is('birthday', '6 May')],
  ['second thought', "I'm vegan. No, I don't eat honey either.", is('diet', 'vegan'), is('does not eat', 'honey')],
  ['second thought', 'I live in Bath. No problem at all.', is('lives in', 'Bath')],
  ['second thought', 'I live in Bath. Wait until you see it.', is('lives in', 'Bath')],
  ['second thought', 'I live in Bath, can you check? No, leave it.', is('lives in', 'Bath')],
  ['second thought', 'I live in Bath. No, I meant Wells, not Bath.', is('lives in', 'Wells', { instead: 'Bath' })],
  ['second thought', 'I work at Fjord Radio. Well, anyway, thanks.', is('works at', 'Fjord Radio')],
  ['trap: second thought', 'I work as a baker. wait no'],
  ['trap: second thought', 'I hate coriander. well, hate is a bit strong'],
  ['trap: second thought', 'I live in Wells. Scratch that.'],
  ['trap: second thought', 'I live in Wells, no wait, further out'],
  ['trap: second thought', 'I speak Finnish. Well, not really.'],
  ['trap: second thought', 'I like figs, not really'],
  ['trap: second thought', 'I have two boats. Actually no.'],
  ['trap: second thought', 'I love figs. Nah.'],
]
