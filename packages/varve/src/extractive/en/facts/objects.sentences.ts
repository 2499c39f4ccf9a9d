import { type Case, is } from '../../facts/label.sentences.ts'

/** Lists of things. */
export const objectsSentences: readonly Case[] = [
  ['trap: lists', 'I like mine well done.'],
  ['trap: lists', 'I like opera well enough at Christmas.'],
  ['lists', 'I love ska, surf rock and polka.', is('likes', 'ska'), is('likes', 'surf rock'), is('likes', 'polka')],
  ['lists', 'I like fish and chips.', is('likes', 'fish and chips')],
  ['lists', 'I hate traffic and noise.', is('dislikes', 'traffic'), is('dislikes', 'noise')],
  ['lists', 'I love old and rare books.', is('likes', 'old and rare books')],
  ['lists', 'I like rowing better than running.', is('prefers', 'rowing to running')],
  ['lists', 'I love rowing and hate running.', is('likes', 'rowing'), is('dislikes', 'running')],
  ['trap: lists', 'I have nothing against goats.'],
]
