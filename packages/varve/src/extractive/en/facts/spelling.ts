import { matchesOf } from '../../../messages/matches-of.ts'
import { regex, source, wordSet, wordTable } from '../../word-lists.ts'
import { givenNames, initials, isGiven, knownPlaces, noCalling, noFirms, noPlaces, placePrefixes, wordsAndNames } from './known-names.ts'
import type { Reading } from '../../facts/reading.ts'
import { isLanguage, isPeople, noNames, relations } from './words.ts'

/** The words that a talk shows with a capital, and the names that it shows. All are in lower case here. */
export interface Capitals {
  readonly names: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

/** The most words with a capital that are taken from other messages. */
const maxWords = 1_000
const within = /(?<=[\p{Ll}\p{N},;)] )\p{Lu}[\p{Ll}-]{2,29}(?![\p{L}\p{N}])/gu

/** Returns the words with a capital that do not begin a sentence. */
export function capitalsIn(text: string): string[] {
  const words = (text.slice(0, 16_000).match(within) ?? []).slice(0, maxWords).map((word) => word.toLowerCase())
  return words.filter((word) => !noNames.has(word))
}

const respelt = wordTable(`i: I, im: I'm, ive: I've, dont: don't, doesnt: doesn't, didnt: didn't, cant: can't, wont: won't, isnt: isn't,
  arent: aren't, wasnt: wasn't, werent: weren't, havent: haven't, hasnt: hasn't, hadnt: hadn't, couldnt: couldn't, wouldnt: wouldn't,
  shouldnt: shouldn't, weve: we've, youre: you're, youve: you've, theyre: they're, hes: he's, shes: she's, thats: that's, whats: what's,
  wheres: where's, whos: who's, hows: how's, gonna: going to, pls: please, plz: please, u: you, ur: your, bday: birthday, fav: favourite,
  fave: favourite, roomate: roommate, thx: thanks, rly: really, gluten free: gluten-free, pescetarian: pescatarian,
  lactose-intolerant: lactose intolerant`)
const hasty = regex('giu')`(?<![\p{L}\p{N}@./_'-])(?:${Object.keys(respelt).join('|')})(?![\p{L}\p{N}@_-]|\.\p{L}|'(?!m\b|ve\b|ll\b|d\b))`
const kin = source`(?:(?:older|younger|little|big|elder|twin|eldest|oldest|youngest|middle|best|dear|new|good|old|
  ex) )?(?:${relations.join('|')}|gf|bf|hubby|sis)`
/** `jazz,blues`, `York.I work` */
const close = /(?<=\p{L}),(?=\p{L})|(?<=\p{Ll})[.!](?=(?:I|I'm|I've|My|We|We're) )/gu
const short = wordTable('gf: girlfriend, bf: boyfriend, hubby: husband, sis: sister')
const joining = /(?<=\p{Ll} )(?:n|w)(?= \p{L}{2})/gu
const shortKin = /(?<=\bmy )(?:gf|bf|hubby|sis)(?='?s?\b)/giu
const possessive = regex('giu')`(?<=\bmy (?:${relations.join('|')}|name))s(?= (?:name is|name's|called|named) )|
  (?<=\bmy name)s(?= (?!are|have|were|and|in|on|for|of|to|is)\p{L})`
const word = /(?<![\p{L}\p{N}@./_#'-])\p{Ll}{2,30}(?![\p{L}\p{N}@_-]|\.\p{L})/gu
const determined = /(?:^|[^\p{L}])(?:an?|the|some|this|that|these|any|no|each|every|more|of|another) $/iu

const named = regex('giu')`\b(?:my (?:full |first |real )?name(?:'s| is)|(?:${relations.join('|')}|puppy|kitten|hamster|child|kid|he|
  she)(?:'s|s| is| was)? (?:called|named)|(?:${relations.join('|')}|his|her|their)(?:'s)? name(?:'s| is)|I'm (?:called|
  named)) (\p{Ll}[\p{Ll}-]{1,20}(?: \p{Ll}[\p{Ll}-]{1,20})?)(?= ?(?:$|[.,!?;:)\n…–—])| (?:[(–—:;=-]|and|but|so|who|btw|lol|haha|he|she|I|
  it)(?!\p{L}))`
const thirds = source`(?:is|isn't|has|hasn't|lives|works|loves|likes|hates|speaks|moved|doesn't|just moved|prefers|enjoys|comes|owns|
  can't|used to|no longer|never)`
const doing = new RegExp(`^ ${thirds} `, 'u')
/** Roles after which a word is often no name: `my cat food`, `my boss fight`. */
const loose = wordSet('dog cat horse puppy kitten rabbit parrot boss friend partner colleague landlord landlady neighbour neighbor')
const kinThen = new RegExp(`\\b[Mm]y ${kin},? (\\p{Ll}[\\p{Ll}-]{1,20})(?= ${thirds} |'s |,| who| ?(?:[.!\\n]|$)| and )`, 'gu')
const subject = new RegExp(`(?:^|[.,!?;:\\n] ?|\\band )(\\p{Ll}{3,20})(?= ${thirds} |'s )`, 'gu')
const callMe = /\bcall me (\p{Ll}{2,20})(?= ?(?:$|[.,!\n]))/giu
const aged = /(?:^|[.!,?] |\b(?:hi|hey|hello|hiya|yo) )I'm (\p{Ll}{2,20})(?=, \d\d(?:,|[.!]|$| (?:years?|yo|y\/o)))/giu
const greeted = /\b(?:hi|hey|hello|hiya|yo|morning)(?: there| all)?[,.!]{0,3} I'm (\p{Ll}{2,20})(?= ?(?:$|[.,!\n])| and )/giu
const livesIn = /\b(?:live|lives|living|lived|based|settled|born(?: and raised)?)(?: now)? in (?=\p{Ll})/giu
const goesTo = /\b(?:in|to|from|near|outside|leaving|visiting|left) (?=\p{Ll})/giu
const worksAt = regex('giu')`\b(?:(?:work|works|working|worked|employed) (?:at|for|by)|job (?:at|
  with)) (?:the )?(\p{Ll}[\p{Ll}-]{1,25})(?= ?(?:$|[.,!?;:)\n…])| (?:[(–—:;=-]|as|since|in|and|now|but|so|on|for|these|atm|rn|btw|lol|
  haha|until|till|with|because|anymore|any more|any longer|currently|again)(?!\p{L}))`

type Edit = readonly [from: number, to: number, text: string]

/**
 * Spells out a message that was typed in a hurry: `im katie, i dont live in leeds`. The places of the reading still point into
 * the message.
 */
export function spelled(reading: Reading, capitals: Capitals): Reading {
  let found = reading
  for (const edits of [hastyIn, namesIn, framesIn]) found = edited(found, edits(found.text, capitals))
  return found
}

const spoken = /^ (?:\p{Ll}|\d{1,3}(?![\d.]\S|\. \p{Lu}))/u

function hastyIn(text: string): Edit[] {
  const words = matchesOf(text, hasty).flatMap(({ index, 0: typed }): Edit[] => {
    const next = text.slice(index + typed.length, index + typed.length + 24)
    // German: `Im Sommer`.
    const isMine = /^ \p{Lu}/u.test(next) ? isGiven(/^ (\p{L}+)/u.exec(next)?.[1] ?? '') : spoken.test(next)
    if (/^im$/iu.test(typed) && !isMine) return []
    const right = respelt[typed.toLowerCase()] ?? typed
    return [[index, index + typed.length, /^\p{Lu}/u.test(typed) ? capital(right) : right]]
  })
  const long = (typed: string): string => short[typed.toLowerCase()] ?? typed
  const kins = matchesOf(text, shortKin).map(({ index, 0: typed }): Edit => [index, index + typed.length, long(typed)])
  const spaces = matchesOf(text, close).map(({ index, 0: sign }): Edit => [index, index + 1, `${sign} `])
  const owners = matchesOf(text, possessive).map(({ index }): Edit => [index, index + 1, "'s"])
  const joins = matchesOf(text, joining).map(({ index, 0: typed }): Edit => [index, index + 1, typed === 'n' ? 'and' : 'with'])
  return [...words, ...joins, ...kins, ...owners, ...spaces]
}

/** Gives names and languages their capital, wherever they stand, if they are rarely any other word. */
function namesIn(text: string, { names }: Capitals): Edit[] {
  return matchesOf(text, word).flatMap(({ index, 0: typed }): Edit[] => {
    const isTold =
      names.has(typed) && (!wordsAndNames.has(typed) || doing.test(text.slice(index + typed.length, index + typed.length + 16)))
    const isName = (givenNames.has(typed) || isTold) && !determined.test(text.slice(Math.max(0, index - 9), index))
    return isName || (typed !== 'polish' && (isLanguage(typed) || isPeople(typed))) ? [[index, index + typed.length, capital(typed)]] : []
  })
}

const noFirm = /(?:ing|ness|tion|ment|ly)$/u

/** Gives a word its capital where only a name can stand. */
function framesIn(text: string, { words }: Capitals): Edit[] {
  const take = (pattern: RegExp, isName: (lower: string, match: RegExpExecArray) => boolean): Edit[] =>
    matchesOf(text, pattern).flatMap((match): Edit[] => {
      const typed = match[1] ?? ''
      const to = match.index + match[0].length
      return isName(typed, match) ? [[to - typed.length, to, typed.split(' ').map(capital).join(' ')]] : []
    })
  const isName = (one: string): boolean => isGiven(one) || (!noCalling.has(one.toLowerCase()) && !one.endsWith('ly'))
  const places = (pattern: RegExp, isOpen: boolean): Edit[] =>
    matchesOf(text, pattern).flatMap(({ index, 0: { length } }) => placeAt(text, index + length, words, isOpen))
  return [
    ...take(named, (typed) => typed.split(' ').every(isName)),
    ...take(kinThen, (typed, match) => isGiven(typed) || words.has(typed) || isCalled(typed, match)),
    ...take(subject, (typed) => words.has(typed)),
    ...take(callMe, isGiven),
    ...take(greeted, isGiven),
    ...take(aged, (typed) => isGiven(typed) || !noCalling.has(typed)),
    ...places(livesIn, true),
    ...places(goesTo, false),
    ...take(worksAt, (typed) => words.has(typed) || initials.has(typed) || (!noFirms.has(typed) && !noFirm.test(typed))),
  ]
}

/** Verbs that tell a name before them: `my sister zora lives`, but not `my mother must never`. */
const dwells = /^ (?:lives|works|moved|speaks) /u

/**
 * Tells whether the word between a role and a verb is a name: `my sister zora lives`. After an animal it may be a
 * thing: `my cat food is`.
 */
function isCalled(typed: string, { 0: found, index, input }: RegExpExecArray): boolean {
  if (!dwells.test(input.slice(index + found.length, index + found.length + 16))) return false
  return !noCalling.has(typed) && !/(?:ly|s|ed)$/u.test(typed) && !loose.has(found.split(/,? /u).at(-2) ?? '')
}

const after = regex('u')`^(?: ?(?:$|[.,!?;:)\n…–—])| (?:[(–—:;=-]|with|and|now|since|near|because|but|so|for|at|these|atm|rn|btw|too|
  alone|by|on|until|till|where|which|as|in|again|lol|haha|from|next|last|this|currently|anyway|though|tho|already|permanently|together|
  after|before|when|while|right|I|we|my|it|any|anymore|not|\d+)(?!\p{L}))`
const abstract = /(?:ness|tions?|ments?|ship|hood|ism|ity|ful|less|ous|ly)$/u
const joined = regex('u')`^(?:(?:san|santa|los|las|tel|abu|hong|costa|puerto|sri|united|saudi|buenos) |(?:new (?:zealand|orleans)|
  south africa|cape town)$)`

function placeAt(text: string, from: number, words: ReadonlySet<string>, isOpen: boolean): Edit[] {
  const [, the = '', first = '', second = ''] =
    /^(the )?(\p{Ll}[\p{Ll}'-]*)(?: (\p{Ll}[\p{Ll}'-]*))?/u.exec(text.slice(from, from + 70)) ?? []
  const at = from + the.length
  const ends = (to: number): boolean => after.test(text.slice(to, to + 16))
  const both = at + first.length + 1 + second.length
  if (initials.has(first) || (the !== '' && first === 'us')) return [[at, at + first.length, first.toUpperCase()]]
  const isOne = knownPlaces.has(second) || (isOpen && ends(both) && !ends(at + first.length)) || joined.test(`${first} ${second}`)
  if (isOne && second !== '' && placePrefixes.has(first) && !noPlaces.has(second))
    return [[at, both, `${capital(first)} ${capital(second)}`]]
  const isKnown = knownPlaces.has(first) || words.has(first)
  // `york uk`
  if ((isKnown && knownPlaces.has(second) && ends(both)) || ((isKnown || isOpen) && !noPlaces.has(first) && initials.has(second)))
    return [[at, both, `${capital(first)}, ${capital(second)}`]]
  if (isKnown || (isOpen && the === '' && first.length > 2 && ends(at + first.length) && !noPlaces.has(first) && !abstract.test(first)))
    return [[at, at + first.length, capital(first)]]
  return []
}

function capital(typed: string): string {
  return initials.has(typed) ? typed.toUpperCase() : typed.charAt(0).toUpperCase() + typed.slice(1)
}

/** Returns the reading after the edits. Where edits overlap, the first one counts. */
function edited({ text, raw, places }: Reading, edits: readonly Edit[]): Reading {
  let done = 0
  let written = ''
  const standing: number[] = []
  for (const [from, to, right] of edits.toSorted((a, b) => a[0] - b[0])) {
    if (from < done) continue
    written += text.slice(done, from) + right
    for (let at = done; at < from; at += 1) standing.push(places[at] ?? 0)
    for (let at = 0; at < right.length; at += 1) standing.push(places[at === right.length - 1 ? to - 1 : Math.min(from + at, to - 1)] ?? 0)
    done = to
  }
  for (let at = done; at < text.length; at += 1) standing.push(places[at] ?? 0)
  return { text: written + text.slice(done), raw, places: standing }
}
