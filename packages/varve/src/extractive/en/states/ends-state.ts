import type { SaidState } from '../../../models/writer.ts'
import { apart, awayAfter, awayBefore, commonWords, cues, others, singleKinds, severalKinds, street } from './attributes.ts'
import { longestLoose } from './loose-states.ts'
import { compoundHead, headOnly, attributeKey, type Taken, takenApart, plainWordsOf } from './taken-state.ts'
import { workedOutOnce } from '../../worked-out-once.ts'
import { stativeVerbs } from './words.ts'

const numeric = ['price', 'percent', 'day', 'clock', 'version', 'amount']
const plainKinds = new Set([...numeric, 'name', 'quoted', 'command'])
/** The least weight of one statement against another that ends it, and the part that words of a change cannot make up. */
const [leastWeight, leastShared] = [1.9, 0.8]
/** The least weight of the rare words that two statements share, and the part of it that the next best may have. */
const [leastRare, mostOfSecond] = [0.5, 0.6]
/** The least length of the same words before two values. */
const leastOpening = 6

/**
 * Tells whether a later statement ends an earlier one that was said in other words. Both must have a value of the same
 * kind, and speak of the same attribute. Words of a change make the second easier. In doubt both stand.
 */
export function endsState(later: SaidState, earlier: SaidState): boolean {
  if (later.text === earlier.text || later.object.toLowerCase() === earlier.object.toLowerCase()) return false
  const [now, then] = [versionOf(later), versionOf(earlier)]
  if (now !== undefined && now.product === then?.product && now.number !== then.number && (now.isNamed || then.isNamed))
    return !cues.past.test(later.text)
  if (isCountOfSame(later, earlier)) return !cues.past.test(later.text) && !/\b(?:more|another|other|extra)\b/iu.test(later.object)
  const [after, before] = [takenApart(later), takenApart(earlier)]
  if (!isOneKind(after, before) || isPast(after) || isOthers(after, before) || isApart(after, before)) return false
  const isMentioned = mentions(after.text, earlier.object)
  if (!isMentioned && isOfOtherKind(later, earlier)) return false
  if (!isMentioned && (cues.beside.test(after.near) || isSameValue(later, earlier))) return false
  const shared = sharedWeight(after, before)
  if ((later.isLoose === true || earlier.isLoose === true) && !isNear(after, before, shared, earlier.isLoose !== true)) return false
  const weight =
    shared + kindWeight(after, before) + (isMentioned ? 1.2 : 0) + (isOpenedAlike(after, before) && placed.test(after.opening) ? 0.8 : 0)
  return weight >= leastShared && weight + changeWeight(after) + frameWeight(after, before) >= leastWeight
}

/**
 * Gives those of the earlier statements that a later one ends. One that tells a change in its own words ends the earlier one
 * that shares the rarest words with it, where no other comes near.
 */
export function statesEndedBy(later: SaidState, earlier: readonly SaidState[]): readonly SaidState[] {
  const sure = earlier.filter((one) => endsState(later, one))
  const after = takenApart(later)
  if (sure.length > 0 || !isUpdate(after)) return sure
  const shares = new Map<string, number>()
  for (const key of earlier.flatMap((one) => [...keysOf(takenApart(one))])) shares.set(key, (shares.get(key) ?? 0) + 1)
  const own = keysOf(after)
  const ranked = earlier
    .filter(
      (one) =>
        isComparable(later, one) &&
        isOfOneThing(after, takenApart(one), one.isLoose !== true) &&
        !cues.beside.test(after.near) &&
        !isSameValue(later, one),
    )
    .map((one) => {
      const before = takenApart(one)
      const shared = [...keysOf(before)].filter((key) => own.has(key))
      const rarity = shared.reduce((sum, key) => sum + 1 / (shares.get(key) ?? 1), 0)
      return { one, weight: shared.length === 0 ? 0 : rarity + kindWeight(after, before) / 2 }
    })
    .toSorted((a, b) => b.weight - a.weight)
  const [best] = ranked
  // Other statements of one sentence are no rivals.
  const second = ranked.find((other) => other.one.text !== best?.one.text)
  if (best === undefined || best.weight < leastRare || (second !== undefined && second.weight > best.weight * mostOfSecond)) return []
  return [best.one]
}

function keysOf({ about, far }: Taken): ReadonlySet<string> {
  return new Set([...about.keys(), ...far])
}

/** Tells whether two statements have different values of one kind, and are about the same person and time. */
function isComparable(later: SaidState, earlier: SaidState): boolean {
  if (later.text === earlier.text || later.object.toLowerCase() === earlier.object.toLowerCase()) return false
  const [after, before] = [takenApart(later), takenApart(earlier)]
  return isOneKind(after, before) && !isPast(after) && !isOthers(after, before) && !isApart(after, before)
}

const count = /^(?:(?:about|around) )?(?:\d[\d.,]*k?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (\p{L}+?)s?$/iu

/** Two numbers of the same things that one has: `two cats` and `one cat`. */
function isCountOfSame(later: SaidState, earlier: SaidState): boolean {
  const now = countedIn(later)
  return now !== undefined && now === countedIn(earlier)
}

const countedIn = workedOutOnce(({ predicate, object }: SaidState): string | undefined =>
  predicate === 'has' ? count.exec(object)?.[1]?.toLowerCase() : undefined,
)

const isPast = workedOutOnce(({ near }: Taken): boolean => cues.past.test(near))

interface Version {
  readonly product: string
  readonly number: string
  /** True where the statement is about the version: `the Python version is 3.12`, not `the uploader uses Python 3.12`. */
  readonly isNamed: boolean
}

/** Gives the version that a statement tells of a product. */
const versionOf = workedOutOnce(({ predicate, object }: SaidState): Version | undefined => {
  const named = /^(?:\S+ )?(\S+) version$/u.exec(predicate)?.[1]
  const number = /(?:^|\s)v?(\d+(?:\.\d+)*)$/u.exec(object)?.[1]
  if (number === undefined) return undefined
  if (named !== undefined) return { product: named.toLowerCase(), number, isNamed: true }
  const product = /^(\p{L}[\p{L}.+#-]*) v?\d/u.exec(object)?.[1]?.toLowerCase()
  return product === undefined || !/^(?:uses|is (?:on|using|running)|runs? on|run)$/u.test(predicate)
    ? undefined
    : { product, number, isNamed: false }
})

/** Tells whether two values are the same, or one says the other more exactly: `850 euros` and `850 euros a month`. */
function isSameValue(later: SaidState, earlier: SaidState): boolean {
  const [now, then] = [wordsOfValue(later), wordsOfValue(earlier)]
  return now.isSubsetOf(then) || then.isSubsetOf(now)
}

const wordsOfValue = workedOutOnce(
  ({ object }: SaidState): ReadonlySet<string> => new Set(plainWordsOf(object.replaceAll(/\bv(?=\d)/giu, ''))),
)

/** Tells whether two values are of a kind: two prices, two days, two numbers of the same thing, or two names or words. */
function isOneKind(after: Taken, before: Taken): boolean {
  const [now, then] = [mainKind(after), mainKind(before)]
  const isAmount = [now, then].every((kind) => kind === 'amount' || kind === 'version')
  if (isAmount) return after.unit === undefined || before.unit === undefined || after.unit === before.unit
  const [things, others] = [after, before].map(({ kinds }) => [...kinds].filter((kind) => !plainKinds.has(kind)))
  if (now === 'text' && things !== undefined && others !== undefined && things.length > 0 && others.length > 0)
    return now === then && things.some((kind) => others.includes(kind))
  if (now === 'text' && isHome(after) && isHome(before) && street.test(after.value) !== street.test(before.value)) return false
  return now === then || ['price amount', 'amount price', 'day clock', 'clock day'].includes(`${now} ${then}`)
}

function isHome({ about }: Taken): boolean {
  return about.has(attributeKey('address') ?? '')
}

const mainKind = workedOutOnce(({ kinds }: Taken): string => {
  const isName = [...kinds].some((kind) => !numeric.includes(kind))
  return numeric.find((kind) => kinds.has(kind) && !(isName && (kind === 'version' || kind === 'amount'))) ?? 'text'
})

/** Tells whether the two are states of different persons: somebody else, or the speaker. */
function isOthers(after: Taken, before: Taken): boolean {
  const [now, then] = [ownerOf(after), ownerOf(before)]
  return now !== undefined && then !== undefined && now !== then
}

const ownerOf = workedOutOnce(({ near, kinds }: Taken): string | undefined => {
  const said = plainWordsOf(near.split('|', 1)[0] ?? '')
  // `Ida's birthday`, but not `the birthday's on Friday`.
  const possessor = said.find(
    (word, at) => word.endsWith("'s") && attributeKey(word)?.includes(' ') === false && attributeKey(said[at + 1] ?? '') !== undefined,
  )
  if (possessor !== undefined) return possessor.slice(0, -2)
  const words = said.map((word) => word.replace(/'s$/u, ''))
  const isName = kinds.has('name') && [...kinds].every((kind) => plainKinds.has(kind))
  const other = words.find((word) => others.has(word) && !(isName && attributeKey(word) !== undefined))
  if (other !== undefined) return other
  if (words.some((word) => /^(?:his|her|their|he|she)$/u.test(word))) return undefined
  return words.some((word) => /^(?:i|we|my|our|i'm|i've|we've|we're|mine|ours)$/u.test(word)) ? 'self' : undefined
})

/** Tells whether two words that exclude each other tell the statements apart: staging and production, first and second. */
function isApart(after: Taken, before: Taken): boolean {
  const then = classesOf(before)
  return [...classesOf(after)].some(([at, now]) => then.get(at)?.isDisjointFrom(now) === true)
}

const classesByWord = Map.groupBy(
  apart.flatMap((classes, at) => [...classes].map(([word, same]) => ({ word, at, same }))),
  ({ word }) => word,
)

/** Gives the classes of a statement's words, by the place of the list of classes that exclude each other. */
const classesOf = workedOutOnce(({ words }: Taken): ReadonlyMap<number, ReadonlySet<string>> => {
  const found = [...words].flatMap((word) => classesByWord.get(word) ?? [])
  return new Map([...Map.groupBy(found, ({ at }) => at)].map(([at, some]) => [at, new Set(some.map(({ same }) => same))]))
})

/**
 * Tells whether two attributes are of two kinds of one thing: `Python linter` and `JavaScript linter`, or `Sunday breakfast` after
 * `breakfast`.
 */
function isOfOtherKind({ predicate: later, text }: SaidState, { predicate: earlier }: SaidState): boolean {
  const [now, then] = [later, earlier].map((name) => name.split(' ').map((word) => word.replace(/s$/u, '')))
  if (now === undefined || then === undefined || now.at(-1) !== then.at(-1) || later === earlier) return false
  const isMore = now.some((word) => !then.includes(word))
  return isMore && (then.some((word) => !now.includes(word)) || !cues.change.test(text))
}

/** Tells whether a text says of an earlier value that it is no more: `instead of coffee`, `Jana left`. */
function mentions(text: string, object: string): boolean {
  const words = plainWordsOf(object)
  const rare = words.filter((word) => !commonWords.has(word) && word.length > (/\p{N}/u.test(word) ? 2 : 3))
  const names = rare.length > 0 ? rare : words.filter((word) => word.length > 5)
  const lower = text.toLowerCase()
  return names.some((word) => {
    if (!lower.includes(word)) return false
    const name = word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
    return new RegExp(`\\b${awayBefore} (?:[\\p{L}']+ ){0,3}${name}\\b|\\b${name}\\b (?:\\p{L}+ )?${awayAfter}\\b`, 'iu').test(text)
  })
}

/** An attribute that the values themselves name: `night shift` after `early shift`, or `oil heating` and `we heat with …`. */
function nounWeight(after: Taken, before: Taken): number {
  if (after.noun !== undefined && after.noun === before.noun) return 1.5
  const isIn = (noun = '', { about }: Taken): boolean => noun.startsWith('own ') && about.has(noun)
  return isIn(after.noun, before) || isIn(before.noun, after) ? 1.2 : 0
}

function sharedWeight(after: Taken, before: Taken): number {
  let [weight, own] = [0, nounWeight(after, before)]
  for (const [key, beside] of after.about) {
    const other = before.about.get(key)
    if (other === undefined) weight += before.far.has(key) ? 0.4 : 0
    else if (key.startsWith('own ') || key.startsWith('unit ')) own += isCompoundApart(beside, other) ? 0 : 1.5
    else weight += likeness(beside, other)
  }
  for (const key of before.about.keys()) if (!after.about.has(key) && after.far.has(key)) weight += 0.4
  const [now, then] = [new Set(after.about.keys()), new Set(before.about.keys())]
  const isOwnKind = [...after.kinds].some((kind) => before.kinds.has(kind) && singleKinds.has(kind))
  const isDoubtful = own === 0 && !isOwnKind && now.difference(then).size > 0 && then.difference(now).size > 0
  const isSame = now.size > 0 && now.symmetricDifference(then).size === 0
  return weight + own - (isDoubtful ? 0.4 : 0) + (isSame ? 0.5 : 0)
}

/** Tells whether a word stands before two others: `deploy branch`, `deploy command`. */
function isCompoundApart(after: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  return !after.has(compoundHead) && !before.has(compoundHead) && after.isDisjointFrom(before)
}

/** How far one word names the same thing in two clauses. The words beside it may tell another thing: of a compound, the last. */
function likeness(after: ReadonlySet<string>, before: ReadonlySet<string>): number {
  const [now, then] = [after.difference(headOnly), before.difference(headOnly)]
  if (isCompoundApart(after, before)) return 0
  if (after.has(compoundHead) !== before.has(compoundHead)) return 0.3
  return now.size > 0 && then.size > 0 && now.isDisjointFrom(then) ? -0.8 : 1.2
}

function kindWeight(after: Taken, before: Taken): number {
  const shared = [...after.kinds].filter((kind) => before.kinds.has(kind) && !plainKinds.has(kind))
  return shared.length === 0 ? 0 : shared.every((kind) => severalKinds.has(kind)) ? 0.6 : 1.2
}

function changeWeight({ window, text }: Taken): number {
  return cues.change.test(window) || cues.wrong.test(text) ? 0.8 : cues.change.test(text) ? 0.5 : 0
}

/** Tells whether a statement that was read loosely is near enough to another: by the words before its value, or by a change. */
function isNear(after: Taken, before: Taken, shared: number, isSure: boolean): boolean {
  if (isOpenedAlike(after, before)) return true
  return shared >= leastShared && isUpdate(after) && isOfOneThing(after, before, isSure)
}

/**
 * Tells whether two statements share two words that may name an attribute, or one of which a person has one, such as
 * `rent`. In a short sentence any word is enough, except where the earlier statement was read loosely and both values are
 * plain names.
 */
function isOfOneThing(after: Taken, before: Taken, isSure: boolean): boolean {
  if (after.text.length <= longestLoose && (isSure || mainKind(after) !== 'text' || kindWeight(after, before) > 0)) return true
  const shared = [...after.about.keys()].filter((key) => before.about.has(key))
  return shared.length > 1 || shared.some((key) => key.startsWith('own ') || key.startsWith('unit '))
}

function isUpdate({ near, value, text }: Taken): boolean {
  return cues.update.test(near.replace('|', value)) || cues.wrong.test(text)
}

/** Words after which the one value of a thing stands. */
const placed = /(?:\b(?:is|are|with|on|at|in|to|by|from|through|called|costs?|pays?|takes?|weighs?|about|sleep|needs?)|'s)$/u

/** Tells whether two clauses begin with the same words, and some of them name a thing: `the school musical this year is`. */
function isOpenedAlike({ opening: now }: Taken, { opening: then }: Taken): boolean {
  return (
    now === then && now.length >= leastOpening && now.split(' ').some((word) => attributeKey(word) !== undefined || stativeVerbs.has(word))
  )
}

/** Two sentences that begin with the same words, up to their values, tell of the same attribute. Others share a word or two. */
function frameWeight(after: Taken, before: Taken): number {
  if (isOpenedAlike(after, before) || (after.left !== '' && after.left === before.left && !/\band$/u.test(after.left))) return 1
  return Math.min(0.4, after.far.intersection(before.far).size * 0.2)
}
