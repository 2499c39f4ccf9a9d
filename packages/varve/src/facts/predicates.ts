import { fold } from '../index/words.ts'

/** The number of objects that a subject may have of a predicate at a time. */
export type Valued = 'single' | 'multi'

interface Known {
  readonly valued: Valued
  /** Other ways to say it. */
  readonly also?: readonly string[]
  /** True for plans, which hold until their time is over. */
  readonly isPlan?: boolean
}

/**
 * The known predicates, in their usual form. Any other has several objects, unless its writers or a project's settings
 * say otherwise.
 */
const registry: Readonly<Record<string, Known>> = {
  name: { valued: 'single', also: ['is named', 'is called', 'named', 'called', 'has name', 'full name', 'first name'] },
  'lives in': {
    valued: 'single',
    also: [
      'live in',
      'lives at',
      'resides in',
      'reside in',
      'residence',
      'home',
      'home city',
      'city',
      'based in',
      'is based in',
      'moved to',
      'location',
      'lives near',
    ],
  },
  address: { valued: 'single', also: ['home address', 'postal address'] },
  'comes from': { valued: 'single', also: ['is from', 'from', 'born in', 'was born in', 'grew up in', 'birthplace', 'hometown'] },
  'stays in': { valued: 'single', also: ['is staying in'] },
  nationality: { valued: 'single' },
  'works at': {
    valued: 'single',
    also: ['work at', 'works for', 'work for', 'employed at', 'employed by', 'is employed by', 'employer', 'company', 'job at'],
  },
  'works as': { valued: 'single', also: ['work as', 'job', 'occupation', 'profession', 'job title', 'role', 'title'] },
  'studies at': { valued: 'single', also: ['study at', 'school', 'university'] },
  'married to': { valued: 'single', also: ['is married to', 'spouse', 'husband', 'wife'] },
  partner: {
    valued: 'single',
    also: ['girlfriend', 'boyfriend', 'fiancé', 'fiancée', 'engaged to', 'is engaged to', 'dating', 'is dating', 'is seeing'],
  },
  'relationship status': { valued: 'single', also: ['marital status'] },
  mother: { valued: 'single', also: ['mum', 'mom', 'mummy', 'mommy'] },
  father: { valued: 'single', also: ['dad', 'daddy'] },
  boss: { valued: 'single', also: ['manager', 'supervisor'] },
  landlord: { valued: 'single' },
  landlady: { valued: 'single' },
  birthday: { valued: 'single', also: ['date of birth', 'born on', 'was born on', 'birth date', 'birthdate'] },
  age: { valued: 'single' },
  height: { valued: 'single' },
  weight: { valued: 'single' },
  'phone number': { valued: 'single', also: ['phone', 'telephone', 'mobile', 'mobile number'] },
  email: { valued: 'single', also: ['e mail', 'email address', 'e mail address'] },
  diet: { valued: 'single', also: ['eats', 'is on diet'] },
  'time zone': { valued: 'single', also: ['timezone'] },
  pronouns: { valued: 'single' },
  drives: { valued: 'single', also: ['car', 'vehicle'] },
  uses: { valued: 'multi' },
  takes: { valued: 'multi', also: ['is taking', 'takes medication', 'medication'] },
  status: { valued: 'single' },
  price: { valued: 'single' },
  deadline: { valued: 'single', also: ['due', 'due on', 'is due on', 'due by', 'is due by', 'due date'], isPlan: true },
  'is on': { valued: 'single', also: ['takes place on', 'is held on', 'happens on'], isPlan: true },
  likes: { valued: 'multi', also: ['like', 'loves', 'love', 'enjoys', 'enjoy', 'is fond of', 'is a fan of'] },
  dislikes: { valued: 'multi', also: ['dislike', 'hates', 'hate', 'does not like', 'avoids'] },
  prefers: { valued: 'multi', also: ['prefer'] },
  'allergic to': { valued: 'multi', also: ['is allergic to', 'allergy', 'has allergy to'] },
  'intolerant to': { valued: 'multi', also: ['is intolerant to', 'intolerance', 'has intolerance to', 'cannot eat'] },
  'does not eat': { valued: 'multi', also: ['avoids eating'] },
  speaks: { valued: 'multi', also: ['speak', 'speaks language'] },
  has: { valued: 'multi', also: ['have', 'owns', 'own', 'possesses'] },
  'has pet': { valued: 'multi', also: ['pet'] },
  knows: { valued: 'multi', also: ['know', 'friend', 'friends with', 'is friends with'] },
  sister: { valued: 'multi' },
  brother: { valued: 'multi' },
  child: { valued: 'multi', also: ['son', 'daughter'] },
  'member of': { valued: 'multi', also: ['is a member of', 'belongs to'] },
  'decided to': { valued: 'multi', also: ['decided', 'decision', 'has decided to'] },
  'plans to': { valued: 'multi', also: ['plan', 'plan to', 'is planning to', 'intends to', 'is going to', 'will'], isPlan: true },
  'has appointment': { valued: 'multi', also: ['appointment', 'has an appointment with'], isPlan: true },
  'asked to remember': { valued: 'multi' },
}

const canonical = new Map(Object.entries(registry).flatMap(([name, { also = [] }]) => [name, ...also].map((form) => [form, name] as const)))

/** Gives the key of a predicate: its usual form, if it is known. */
export function predicateKey(text: string): string {
  const folded = fold(text).replaceAll(/[_-]/g, ' ').replace(/\s+/g, ' ').trim()
  const key = folded.endsWith('.') || folded.endsWith(':') ? folded.slice(0, -1) : folded
  return canonical.get(key) ?? (key === '' ? folded : key)
}

/** Words that tell nothing about a thing. */
export const smallWords: ReadonlySet<string> = new Set(
  'a about am an and are as at be by does for has have i in is it me my not of on our that the this to up us was we will with your'.split(
    ' ',
  ),
)

/** Gives the words of a predicate and of other ways to say it: a question may use any of them. */
export function predicateWords(predicate: string): string {
  const other = (registry[predicateKey(predicate)]?.also ?? []).flatMap((form) => form.split(' ')).filter((word) => !smallWords.has(word))
  return [...new Set([...predicate.split(' '), ...predicateKey(predicate).split(' '), ...other])].join(' ')
}

/** Gives the words by which a fact is found. A fact on the user is found by the user's name as well. */
export function wordsOfFact(
  label: string,
  { subject, predicate, object }: { readonly subject: string; readonly predicate: string; readonly object: string },
): string {
  return `${subject === '' ? label : subject} ${predicateWords(predicate)} ${object}`
}

/**
 * Tells whether a known predicate has one object or several; undefined for an unknown one. "favourite …" of a kind has
 * one object.
 */
export function valuedOf(key: string): Valued | undefined {
  return registry[key]?.valued ?? (/^(?:favou?rite|current|preferred) \S/.test(key) ? 'single' : undefined)
}

/** Tells whether a key is a known predicate's, so that its words are Varve's own. */
export function isRegistered(key: string): boolean {
  return Object.hasOwn(registry, key)
}

const opposites: ReadonlyMap<string, string> = new Map([
  ['likes', 'dislikes'],
  ['dislikes', 'likes'],
  ['decided on', 'decided against'],
  ['decided against', 'decided on'],
])

const things: ReadonlySet<string> = new Set([
  'uses',
  'has',
  'drives',
  'takes',
  'diet',
  'status',
  'price',
  'deadline',
  'is on',
  'decided to',
  'plans to',
])

/** Tells whether the object of a predicate is a thing or an arrangement that people drop: no person, home, job or liking. */
export function isReplaceable(key: string): boolean {
  return (registry[key] === undefined && !others.test(key) && !refusals.test(key)) || things.has(key)
}

/** A refusal goes on when its thing is dropped: who decided against a tool does not use it. */
const refusals = /^(?:decided against|decided not to|does not|avoids?)(?: |$)/u

/** Persons and animals that a predicate may name: `dog`, `godmother`, `dog name`. */
const others = new RegExp(
  String.raw`\b(?:dog|cat|horse|pony|puppy|kitten|rabbit|parrot|pet|hen|friend|colleague|neighbou?r|(?:step|grand|god|half-)?(?:mother|` +
    String.raw`father|sister|brother|son|daughter|child|parent)|grandma|grandpa|uncle|aunt|cousin|niece|nephew|girlfriend|boyfriend|` +
    String.raw`fianc\S+|boss|manager|doctor|dentist|teacher|mentor)\b`,
  'u',
)

/** Tells whether a predicate names another person or an animal. */
export function namesPerson(key: string): boolean {
  return others.test(key)
}

/** Gives the predicate that cannot hold of the same object at the same time. */
export function oppositeOf(key: string): string | undefined {
  return opposites.get(key)
}

export const marriage = 'married to'

const rivals: ReadonlyMap<string, string> = new Map([
  [marriage, 'partner'],
  ['partner', marriage],
])

/** Gives the other predicate of a pair that has one object of both at a time. */
export function rivalOf(key: string): string | undefined {
  return rivals.get(key)
}

/** Tells whether the object of a predicate is the day on which it ends. */
export function isDay(key: string): boolean {
  return isPlan(key) && registry[key]?.valued === 'single'
}

export function isPlan(key: string): boolean {
  return registry[key]?.isPlan === true
}

/** The rules of a project's settings for predicates, by their keys. */
export type Valuing = ReadonlyMap<string, Valued>

/** Tells whether a predicate has one object, by settings and the known list. Undefined: its writers decide. */
export function valuedBy(settings: Valuing, key: string): Valued | undefined {
  return settings.get(key) ?? valuedOf(key)
}
