import { matchesOf } from '../../../../messages/matches-of.ts'
import { regex, wordTable } from '../../../word-lists.ts'
import type { Acquaintances } from '../../../facts/acquaintances.ts'
import { personIn } from '../objects.ts'
import type { SentencePassage } from '../passages.ts'
import { is, type Reader, type Said } from '../../../facts/said.ts'
import { type Spoken, thirdForms } from '../subjects.ts'
import { relations } from '../words.ts'

const name = "\\p{Lu}[\\p{Ll}'-]*\\p{Ll}"
const kind = '(?:(?:older|younger|little|big|elder|twin|eldest|oldest|youngest|middle|best|dear|new|good|old|lovely|beloved) )?'
const role = `(${relations.toSorted((a, b) => b.length - a.length).join('|')})`

/** The singular of words for several persons or animals. */
const each = wordTable(`kids: child, children: child, twins: child, triplets: child, sons: son, boys: son, daughters: daughter,
  girls: daughter, sisters: sister, brothers: brother, cats: cat, kittens: cat, dogs: dog, puppies: dog, horses: horse, rabbits: rabbit,
  nieces: niece, nephews: nephew, cousins: cousin, grandchildren: grandchild, grandkids: grandchild, granddaughters: granddaughter,
  grandsons: grandson, flatmates: flatmate, roommates: roommate, colleagues: colleague, friends: friend, neighbours: neighbour,
  neighbors: neighbor, uncles: uncle, aunts: aunt`)
const named = `${name}(?: \\(\\d{1,2}\\))?`
const several = regex('gu')`(?:^|[\s,;.])(?:(?:[Mm]y|[Oo]ur|[Tt]he|have|got) (?:two |three |four |five |\d |both )?(?:\p{Ll}{3,8} )?|
  (?=[Kk]ids are))(${Object.keys(each).join('|')})(?<link> are called| are named| are| called| named|,|
  :)? (${named}(?:, ${named}){0,5},? and ${named})(?!\p{L})`

/** Reads kin and animals that are named together: `kids are Oscar (6) and Mabel (3)`. */
function namedTogether(sentence: string): Said[] {
  if (!/ and \p{Lu}/u.test(sentence)) return []
  return matchesOf(sentence, several).flatMap(({ 0: whole, 1: kinds = '', 3: list = '', groups }) => {
    const items = list.split(/, and | and |, /u)
    const persons = items.map((item) => ({ called: personIn(item.replace(/ \(.*$/u, '')), age: /\((\d+)\)/u.exec(item)?.[1] }))
    const isForeign = /(?:^|\s)the /iu.test(whole) && !/^ are\b/u.test(groups?.['link'] ?? '')
    if (isForeign || persons.some(({ called }) => called === undefined || !/^\p{Lu}/u.test(called))) return []
    const kin = each[kinds.toLowerCase()] ?? ''
    return persons.flatMap(({ called = '', age }) => [...is(kin, called), ...is('age', age, { subject: called })])
  })
}

/** Roles that a thing may have in jest: `sleep is my friend`. */
const ofThings = /^(?:friend|boss|partner|neighbou?r|colleague|baby|manager|teacher|doctor|therapist|nanny|accountant|solicitor|vet)$/u
const reversed = regex('gu')`(?:^|[,;:] |\band )(${name}(?: ${name})?)(?:'s| is) (?:my|our) ${kind}${role}(?!['\p{L}-]| (?:of|in|for|to|
  and|or|from|at|when|if|because)\b)`

/** Reads `Anja is my wife`. */
function namedFirst(sentence: string): Said[] {
  return matchesOf(sentence, reversed).flatMap(({ 1: called = '', 2: kin = '' }) =>
    ofThings.test(kin) && !called.includes(' ') ? [] : is(kin, personIn(called)),
  )
}

const beside = regex('gu')`\b(?:have|'ve|got) (?:got )?(?:an?|one) ${kind}${role}, ((?:(?:Dr|Prof|Mrs?|Ms)\.? )?${name})(?=[,.;!]|$| and )|
  \b[Aa] ${role} of mine,? (?:called |named )?(${name})(?=[,.;!]|$| )`

function namedBeside(sentence: string): Said[] {
  if (!/\b(?:have|got|mine)\b|'ve/u.test(sentence)) return []
  const found = matchesOf(sentence, beside)
  return found.flatMap(([, one, called, other, second]) => is(one ?? other ?? '', personIn(called ?? second ?? '')))
}

/** A sentence without one of these words names nobody's kin: this test is cheaper than the others. */
const owning = /\b(?:[Mm]y|[Oo]ur|mine|have|got|[Kk]ids are)\b|'ve/u

/** Reads kin who are named in other ways than `my sister Mira`. */
export function kinIn(sentence: string): Said[] {
  if (!owning.test(sentence)) return []
  return [...namedTogether(sentence), ...namedFirst(sentence), ...namedBeside(sentence)]
}

const men = regex('u')`^(?:brother|father|dad|husband|boyfriend|fiancé|son|uncle|nephew|grandfather|grandpa|grandson|stepson|landlord|
  (?:brother|father|son)[ -]in[ -]law|stepfather|stepbrother)$`
const women = regex('u')`^(?:sister|mother|mum|mom|wife|girlfriend|fiancée|daughter|aunt|niece|grandmother|grandma|granddaughter|
  stepdaughter|landlady|(?:sister|mother|daughter)[ -]in[ -]law|stepmother|stepsister)$`
const naming = regex('iu')`(?:^|[,;.!] |[,;] and |\band )(?:(she|he|it)(?:'s| is|s) (?:called|named)|(her|his|
  its) name(?:'s| is)) (${name})(?=[,.;!?]|$| and\b| - )`
const isOfOne = regex('gu')`\b(?:[Mm]y|[Oo]ur|(?<own>(?:[Ii]|[Ww]e)(?:'ve)? (?:(?:just|finally|now|also) )?(?:have|had|got|adopted|
  bought|got)? ?(?:got )?(?:an?|one))|(?<foreign>(?:has|her|his|their|your|'s)(?: an?)?)) (?:[\p{Ll}-]+ ){0,2}?${role}(?!['’]s (?!\p{Ll}+
  ing\b|been\b|not\b|just\b|over\b|here\b|back\b|in\b|at\b|an?\b|\d{1,3}(?:st|nd|rd|th)\b|birthday\b))(?!\p{L})`

/** Other persons to whom `she` or `he` may refer as well. */
const otherPerson = regex('iu')`\b(?:baby|girl|boy|woman|man|lady|guy|someone|somebody|person|student|patient|client|customer|guest|
  character|singer|actor|actress|author|(?:has|had|with|and|met|saw) (?:an?|the|her|his|their) (?:new )?\p{Ll}+)\b`

/** `Mum` with nothing before is the speaker's own. */
const parent = /(?<=^|[.!?;,] )(?:[Mm]um|[Mm]om|[Dd]ad)(?=['’ ])/gu

/** Reads `We got a cat! She's called Pixel.`: the name belongs to the one person or animal that the words right before name. */
export function namedLater({ text }: SentencePassage, before: string): Said[] {
  const found = text.length > 400 ? null : naming.exec(text)
  if (found === null) return []
  const said = `${before} ${text.slice(0, found.index)}`.slice(-300).replaceAll(parent, (called) => `my ${called.toLowerCase()}`)
  if (otherPerson.test(said)) return []
  const pronoun = (found[1] ?? found[2] ?? '').toLowerCase()
  const other = /^she|^her/u.test(pronoun) ? men : pronoun.startsWith('h') ? women : /^(?!dog|cat|horse|puppy|kitten|rabbit|parrot)/u
  const all = matchesOf(said, isOfOne).map(({ 3: kin = '', groups }) => ({ kin, isForeign: groups?.['foreign'] !== undefined }))
  const spoken = all.filter(({ kin }) => !other.test(kin))
  const [one] = spoken
  return one === undefined || spoken.length > 1 || one.isForeign ? [] : is(one.kin.replaceAll(' in ', '-in-'), personIn(found[3] ?? ''))
}

const pairs = regex('u')`^(?:(${name}) and (?:I|me)|(?:me and|I and) (${name})) (?:are |got |have (?:just )?(?:got )?|just got |
  finally got |have been )?(?:happily )?(married|engaged)$`
const bound = /^(?:(?:have )?(?:just |finally )?(?:got )?(married) (?:to )?|(?:am|got|just got|have got) (engaged) to )(.+)$/u

/** Reads `Anja and I got married`. */
export function pairIn(clause: string): Said[] {
  const [, first, second, state = ''] = pairs.exec(clause) ?? []
  return is(`${state} to`, personIn(first ?? second ?? ''), /\bare\b/u.test(clause) ? {} : { tense: 'past' })
}

/** `got married to Anja`, `am engaged to Callum`. */
export const bonds: Reader = (phrase, { who }) => {
  const [, married = 'engaged', , whom = ''] = who === 'we' ? [] : (bound.exec(phrase) ?? [])
  return is(`${married} to`, personIn(whom), phrase.startsWith('am') ? {} : { tense: 'past' })
}

const unnamed = regex('u')`^(?:[Mm]y|[Oo]ur) ${kind}${role}(?: (${Object.keys(thirdForms).join('|')})|('s)) (?:(?:now|currently|still|
  also|really) )?(.+)$`
/** One has several friends and neighbours: without a name, nobody knows which one is meant. */
const many = /^(?:friend|colleague|neighbou?r|cousin|uncle|aunt|niece|nephew|teacher|doctor|horse)$/u

/** Returns the subject of a clause about kin without a name: the person who is known by name in that role, or `my daughter`. */
export function kinSpoken(clause: string, known: Acquaintances): Spoken | undefined {
  const [, kin = '', verb, short, rest = ''] = unnamed.exec(clause) ?? []
  const form = short === undefined ? thirdForms[verb ?? ''] : 'am'
  const named = known.onlyOne(kin.replaceAll(' in ', '-in-'))
  if (form === undefined || (many.test(kin) && named === undefined)) return undefined
  const spoken = { subject: named?.name ?? `my ${kin}`, who: 'other', phrase: `${form} ${rest}`, isKnown: true } as const
  return named === undefined ? spoken : { namedBy: named.seq, ...spoken }
}
