import type { StatedFact } from '../../../packages/varve/src/models/writer.ts'
import type { KeptFact } from './kept-case.ts'

type Read = Pick<StatedFact, 'says' | 'subject' | 'predicate' | 'object'>

/** Predicates that say the same. A reader's word for a relation is as good as the writer's. */
const equivalents: readonly (readonly string[])[] = [
  [
    'lives in',
    'lives',
    'home',
    'dwelling',
    'based in',
    'moved to',
    'resides in',
    'location',
    'works from',
    'stays in',
    'is',
    'is based in',
  ],
  [
    'works as',
    'works',
    'job',
    'profession',
    'occupation',
    'role',
    'status',
    'employment',
    'works in',
    'is',
    'does',
    'teaches',
    'runs',
    'drives',
  ],
  [
    'works at',
    'works for',
    'workplace',
    'employer',
    'works',
    'works in',
    'started at',
    'job',
    'volunteers at',
    'runs',
    'plans to',
    'manages',
  ],
  ['studies at', 'studied at', 'graduated from', 'school', 'attends', 'goes to', 'studies', 'is in', 'started at'],
  ['studies', 'studied', 'learning', 'is learning', 'degree', 'major', 'has', 'does', 'is in'],
  ['has', 'owns', 'got', 'has condition', 'diagnosed with', 'suffers from', 'savings', 'bought', 'is'],
  ['has pet', 'pet', 'dog', 'cat', 'rabbit', 'greyhound', 'puppy', 'has', 'name', 'named', 'pet name', 'dog name'],
  ['child', 'son', 'daughter', 'stepdaughter', 'has child', 'has', 'kids', 'family'],
  ['married to', 'wife', 'husband', 'spouse', 'partner'],
  ['partner', 'relationship status', 'married to', 'girlfriend', 'boyfriend', 'family', 'is'],
  [
    'uses',
    'runs on',
    'is on',
    'works on',
    'deploys with',
    'built with',
    'written in',
    'is',
    'is with',
    'shoots on',
    'uses for',
    'runs',
    'ci',
  ],
  ['budget', 'is'],
  ['drives', 'car', 'has'],
  ['likes', 'loves', 'enjoys', 'hobby', 'interest', 'is into', 'is', 'does'],
  ['dislikes', 'hates', 'does not like'],
  ['does not eat', 'does not have', 'intolerant to', 'allergic to', 'avoids', 'diet', 'dislikes'],
  ['plays', 'does', 'hobby', 'likes', 'goes', 'swims'],
  ['collects', 'likes', 'has'],
  ['drinks', 'likes', 'smokes', 'does', '*'],
  ['takes', 'medication', 'is on', 'uses'],
  ['plans to', 'has appointment', 'appointment', 'plan', 'date', 'wedding date', 'deadline', 'due', 'is', 'works at', 'lives in'],
  ['decided to', 'decided on', 'decision', 'chose', 'uses', 'plans to'],
  ['decided against', 'decided to', 'decided not to'],
  ['comes from', 'grew up in', 'originally from', 'from', 'lives in'],
  ['speaks', 'native language', 'language', 'is learning', 'learning', 'is'],
  ['name', 'is called', 'likes to be called', 'called', 'nickname', 'is'],
  ['earns', 'salary', 'income', 'is'],
  ['phone number', 'phone', 'number'],
  ['mother', 'mum', 'mom'],
  ['birthday', 'born', 'was born on', 'date of birth'],
  ['volunteers at', 'volunteers', 'does'],
  ['prefers', 'likes', 'wants'],
  ['rent', 'rents', 'pays'],
  ['lives with', 'shares flat with', 'shares a flat with'],
  ['at', 'is', 'is at', 'address', 'url', 'lives at'],
]

/** Words of an object or a predicate that carry nothing. */
const bare = /^(?:the|an?|my|our|his|her|their|your|some|about|around|is|are|at|in|on|of|to|with|for|i|we|this|new|now)$/u
/** Words with which a further modifier begins. */
const modifier = /^(?:in|at|for|on|of|with|to|from|near|every|after|since|over|by|called|as|around|because|outside|running|twice|a|per)$/u
const mostModifier = 7

function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'s\b/gu, '')
    .replaceAll(/[^\p{L}\p{N}$€£@.+#'/:-]+/gu, ' ')
  return plain
    .split(' ')
    .map((word) => word.replace(/^[.:'-]+|[.:'-]+$/gu, ''))
    .filter((word) => word !== '')
}

/** Drops articles and possessives, and the endings of verbs and plurals. */
function plain(text: string): string[] {
  const kept = wordsOf(text).filter((word) => !bare.test(word))
  return kept.map((word) => (word.length > 4 ? word.replace(/(?:ning|ing|es|s|ed)$/u, '') : word))
}

/** `fly to Lisbon` and `travel to Lisbon`, `dentist appointment` and `have an appointment with the dentist` are one plan. */
const planVerbs = /^(?:(?:travel|fly|flying|go|going|move|moving) to|have an? (?:appointment (?:with|at)(?: the)?)?|get)(?= )/iu

/** Tells whether two objects are one up to articles, case, and what is added behind one of them. */
export function isSameObject(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one.replace(planVerbs, '')), wordsOf(other.replace(planVerbs, ''))]
  if (plain(one).join(' ') === plain(other).join(' ')) return true
  const [short = [], long = []] = [dropLead(a), dropLead(b)].sort((x, y) => x.length - y.length)
  const rest = long.slice(short.length)
  const begins = short.length > 0 && short.every((word, at) => word === long[at])
  return begins && rest.length <= mostModifier && modifier.test(rest[0] ?? '') && !bareEnd.test(long.at(-1) ?? '')
}

const bareEnd = /^(?:the|an?|my|our|at|in|on|of|to|with|for|from|by|and|or|but|that|which|who|if|when|because|so)$/u

function dropLead(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^(?:the|an?|my|our|his|her|their|your|some|about)$/u.test(word))
  return words.slice(Math.max(0, first))
}

function isSamePredicate(wanted: string, read: string): boolean {
  const [one, other] = [finite(wanted), finite(read)]
  if (one === other || plain(one).join(' ') === plain(other).join(' ')) return true
  return equivalents.some(([first, ...rest]) => (first === one || rest.includes(one)) && (first === other || rest.includes(other)))
}

/** `take` and `takes`, `am learning` and `is learning` are one. */
function finite(predicate: string): string {
  const [verb = '', ...rest] = predicate.toLowerCase().split(' ')
  const third = verb === 'am' ? 'is' : verb === 'have' ? 'has' : verb === 'do' ? 'does' : verb === 'study' ? 'studies' : verb
  const isBase = /^(?:take|use|drive|play|live|work|collect|speak|run|teach|own|enjoy|prefer|earn|manage|volunteer|deploy|rent)$/u.test(
    third,
  )
  return [isBase ? `${third}${third === 'teach' ? 'e' : ''}s` : third, ...rest].join(' ')
}

/** `our backend`, `uses` and `the backend's stack`, `is`: the thing may stand in the subject or in the predicate. */
function isAbout(wanted: KeptFact, read: Read): boolean {
  const [one, other] = [plain(wanted.subject).join(' '), plain(read.subject).join(' ')]
  if (one === other) return isSamePredicate(wanted.predicate, read.predicate) || isNear(wanted, read)
  return isNear(wanted, read)
}

/** All words of the wanted thing stand in what was read of it, or the other way round. */
function isNear(wanted: KeptFact, read: Read): boolean {
  const [one, other] = [new Set(plain(`${wanted.subject} ${wanted.predicate}`)), new Set(plain(`${read.subject} ${read.predicate}`))]
  const thing = plain(wanted.subject === '' ? wanted.predicate : wanted.subject)
  return one.isSubsetOf(other) || other.isSubsetOf(one)
    ? other.size > 0
    : wanted.subject !== '' && thing.length > 0 && thing.every((word) => other.has(word))
}

/** Tells whether what was read is the wanted fact. */
export function isSameFact(wanted: KeptFact, read: Read): boolean {
  if ((wanted.says ?? 'is') !== read.says) return false
  const objects = typeof wanted.object === 'string' ? [wanted.object] : wanted.object
  const isEnd = read.says !== 'is' && (read.object === '' || objects.includes(''))
  const isFound = read.predicate === '*' || isAbout(wanted, read)
  return isFound && (isEnd || objects.some((object) => isSameObject(object, read.object)))
}
