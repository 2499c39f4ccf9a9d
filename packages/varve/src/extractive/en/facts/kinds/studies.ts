import { regex, wordSet } from '../../../word-lists.ts'
import { workplaceIn } from '../objects.ts'
import { is, type Reader, type Said } from '../../../facts/said.ts'
import { isLanguage } from '../words.ts'
import { isTool } from './tool-names.ts'
import { toolIn } from './tools.ts'

const subjects = wordSet(`accounting acoustics agriculture anatomy anthropology arabic archaeology architecture art arts astronomy
  biochemistry biology botany business chemistry chinese cinema classics computing criminology dance dentistry design drama dutch ecology
  economics education electronics engineering english ethics fashion film finance forestry french geography geology german greek hebrew
  history informatics italian japanese journalism latin law linguistics literature management marketing mathematics maths math mechanics
  medicine meteorology midwifery music neuroscience nursing nutrition optics pharmacology pharmacy philosophy photography physics
  physiotherapy politics portuguese psychology religion russian science sciences sociology spanish statistics swedish theatre theology
  turkish veterinary zoology sport sports studies`)
const instruments = wordSet(`accordion banjo bass bassoon bagpipes cello clarinet cornet drums fiddle flute guitar harmonica harp horn
  keyboard lute mandolin oboe organ piano recorder saxophone sax tuba trombone trumpet ukulele viola violin`)
const games = wordSet(`badminton baseball basketball bridge chess cricket football go golf handball hockey lacrosse rugby soccer squash
  tennis volleyball darts pool poker`)

const studying = regex('u')`^(?:study|am studying|have been studying|major in|am majoring in|am doing (?:a|my) (?:degree|bachelor's|
  master's|masters|phd|PhD) in) (.+)$`
const student = /^am an? (?:[\p{L}-]{2,20} ){0,2}student (?:at|of) (.+)$/u
const teaching = /^(?:teach|am teaching) (.+)$/u
const learning = /^am (?:currently )?learning (?:how to play |to play |to speak |to )?(.+)$/u
const playing = /^play (?:the )?(.+)$/u
const end = / (?:at|in|with|on|from|for|to|every|since|because|now|part-time|full-time|again|by|via|these|as|together|after|before) ?.*$/u

/** Reads the subjects, instruments and games that somebody studies, teaches, learns or plays, and where. */
export const studies: Reader = (phrase, { who }) => {
  if (who === 'we') return []
  const at = student.exec(phrase)
  if (at !== null) return / student at /u.test(phrase) ? is('studies at', workplaceIn(at[1] ?? '')) : is('studies', subjectIn(at[1] ?? ''))
  const studied = studying.exec(phrase)?.[1]
  if (studied !== undefined) return [...is('studies', subjectIn(studied)), ...place('studies at', studied)]
  const taught = teaching.exec(phrase)?.[1]
  if (taught !== undefined) return [...is('teaches', subjectIn(taught)), ...place('works at', taught)]
  const learnt = learning.exec(phrase)?.[1]
  if (learnt !== undefined) return is('is learning', learntIn(learnt))
  const played = playing.exec(phrase)?.[1]?.replace(end, '').toLowerCase() ?? ''
  return instruments.has(played.split(' ').at(-1) ?? '') || games.has(played) ? is('plays', played) : []
}

const major = /^my major(?:'s| is)(?: now)? (.+)$/iu

/** Reads `my major is geology`. */
export function majorIn(clause: string): Said[] {
  return is('studies', subjectIn(major.exec(clause)?.[1] ?? ''))
}

/** Returns a field of study, by its last word: `marine biology`. */
export function subjectIn(text: string): string | undefined {
  const cut = text.replace(end, '')
  const words = cut.toLowerCase().split(' ')
  const isOther = words.length > 4 || /^(?:my|your|his|her|their|our|the|this|that|some|about|hard|how|these)$/u.test(words[0] ?? '')
  return !isOther && words.every((word) => /^[\p{L}-]+$/u.test(word)) && subjects.has(words.at(-1) ?? '') ? cut : undefined
}

function learntIn(text: string): string | undefined {
  const cut = text.replace(end, '').replace(/^(?:the|some|a bit of|a little) /u, '')
  const isKnown =
    isLanguage(cut) || instruments.has(cut.toLowerCase()) || games.has(cut.toLowerCase()) || (isTool(cut) && toolIn(cut) !== undefined)
  return isKnown ? cut : undefined
}

function place(predicate: string, text: string): ReturnType<typeof is> {
  const at = /(?:^| )at (.+)$/u.exec(text)?.[1]
  return at === undefined || !/^(?:the )?\p{Lu}/u.test(at) ? [] : is(predicate, workplaceIn(at))
}
