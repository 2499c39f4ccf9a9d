import { below, type Random, seeded } from '../shared/random.ts'
import { makeVocabulary } from '../shared/vocabulary.ts'

/** A statement about a subject; times are UTC milliseconds. */
export interface MadeUp {
  readonly says: 'is' | 'ends'
  /** '' for the user. */
  readonly subject: string
  readonly predicate: string
  readonly object: string
  /** The object that it corrects. */
  readonly instead?: string
  readonly validFrom?: number
  /** The time when it was said and recorded. */
  readonly at: number
  /** The place of the statement that it rests on. */
  readonly restsOn?: number
}

/** Predicates with one object at a time, which changes over the years. */
export const singles = ['lives in', 'works at', 'works as', 'phone number', 'status'] as const
/** Predicates with several objects at a time; no registry knows the last ones. */
export const multis = [
  'likes',
  'has',
  'knows',
  'dislikes',
  'prefers',
  'speaks',
  'allergic to',
  'has pet',
  'member of',
  'decided to',
  'plans to',
  'uses',
  'asked to remember',
  'visited',
  'reads',
  'cooks',
  'grows',
  'collects',
  'repairs',
  'sings',
] as const

const otherSubjects = 3_000
const objects = 10_000
const day = 86_400_000
export const twoYears = 730 * day
/** The time of the last statement. */
export const end = Date.UTC(2026, 5, 1)

const shares = {
  user: 1 / 3,
  single: 0.15,
  singleOfUser: 0.01,
  repeated: 0.08,
  corrected: 0.01,
  ended: 0.02,
  backdated: 0.05,
  resting: 0.004,
} as const

/**
 * Makes statements of two years in the order of saying, the same for each seed. A third are about the user. The others
 * are about 3,000 people whom the user knows, some of them much more often.
 */
export function madeUp(count: number, seed = 7): MadeUp[] {
  const random = seeded(seed)
  const words = makeVocabulary()
  const things = Array.from({ length: objects }, () => `${words.content(random)} ${words.content(random)}`)
  const said: MadeUp[] = []
  for (let place = 0; place < count; place += 1)
    said.push(statement(random, said, things, end - twoYears + Math.round((place / count) * twoYears)))
  return said
}

/** Returns a name that no other subject has. */
export function nameOf(place: number): string {
  return `${makeName(place % 60)} ${makeName(60 + Math.floor(place / 60))}`
}

const vocabulary = makeVocabulary()
const names = new Map<number, string>()

function makeName(place: number): string {
  const name = names.get(place) ?? vocabulary.name(place)
  names.set(place, name)
  return name
}

/** Picks a subject; the first ones come most often. */
function someone(random: Random): string {
  return nameOf(Math.floor(otherSubjects * random() ** 2))
}

function some<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[below(random, items.length)]
  if (item === undefined) throw new RangeError('there is nothing to choose from')
  return item
}

function statement(random: Random, said: readonly MadeUp[], things: readonly string[], at: number): MadeUp {
  const draw = random()
  const earlier = said.length > 100 ? some(random, said) : undefined
  if (earlier !== undefined && earlier.says === 'is') {
    const { subject, predicate, object } = earlier
    if (draw < shares.repeated) return { says: 'is', subject, predicate, object, at }
    if (draw < shares.repeated + shares.ended) return { says: 'ends', subject, predicate, object, at }
    if (draw < shares.repeated + shares.ended + shares.corrected)
      return { says: 'is', subject, predicate, object: some(random, things), instead: object, at }
  }
  const subject = random() < shares.user ? '' : someone(random)
  const predicate = some(random, random() < (subject === '' ? shares.singleOfUser : shares.single) ? singles : multis)
  const object = predicate === 'knows' ? someone(random) : (things[Math.floor(things.length * random() ** 1.5)] ?? '')
  const validFrom = random() < shares.backdated ? { validFrom: at - below(random, twoYears) } : {}
  const rests = said.length > 100 && random() < shares.resting ? { restsOn: below(random, said.length) } : {}
  return { says: 'is', subject, predicate, object, at, ...validFrom, ...rests }
}
