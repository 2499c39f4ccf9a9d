import type { SaidState } from '../../../models/writer.ts'
import {
  apart,
  awayAfter,
  awayBefore,
  besideCue,
  changeCue,
  commonWords,
  others,
  ownKinds,
  pastCue,
  severalKinds,
  street,
  wrongCue,
} from './attributes.ts'
import { head, headOnly, keyOf, type Taken, takenApart, wordsOf } from './taken-state.ts'

const numeric = ['price', 'percent', 'day', 'clock', 'version', 'amount']
const plainKinds = new Set([...numeric, 'name', 'quoted', 'command'])
/** The least weight of one statement against another that ends it, and the part that words of a change cannot make up. */
const [leastWeight, leastShared] = [2, 0.8]

/**
 * Tells whether a later statement ends an earlier one that was said in other words. Both must have a value of the same
 * kind, and speak of the same attribute. Words of a change make the second easier. In doubt both stand.
 */
export function endsState(later: SaidState, earlier: SaidState): boolean {
  if (later.object.toLowerCase() === earlier.object.toLowerCase() || later.text === earlier.text) return false
  const [after, before] = [takenApart(later), takenApart(earlier)]
  if (!isOneKind(after, before) || pastCue.test(after.near) || isOthers(after, before) || isApart(after, before)) return false
  const isMentioned = mentions(after.text, earlier.object)
  if (besideCue.test(after.near) && !isMentioned) return false
  const weight = sharedWeight(after, before) + kindWeight(after, before) + (isMentioned ? 1.2 : 0)
  return weight >= leastShared && weight + changeWeight(after) + frameWeight(after, before) >= leastWeight
}

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
  return about.has(keyOf('address') ?? '')
}

function mainKind({ kinds }: Taken): string {
  const isName = [...kinds].some((kind) => !numeric.includes(kind))
  return numeric.find((kind) => kinds.has(kind) && !(isName && (kind === 'version' || kind === 'amount'))) ?? 'text'
}

/** Tells whether the two are states of different persons: somebody else, or the speaker. */
function isOthers(after: Taken, before: Taken): boolean {
  const [now, then] = [after, before].map(ownerOf)
  return now !== undefined && then !== undefined && now !== then
}

function ownerOf({ near, kinds }: Taken): string | undefined {
  const words = wordsOf(near.split('|', 1)[0] ?? '').map((text) => text.replace(/'s$/u, ''))
  const isName = kinds.has('name') && [...kinds].every((kind) => plainKinds.has(kind))
  const other = words.find((word) => others.has(word) && !(isName && keyOf(word) !== undefined))
  if (other !== undefined) return other
  if (words.some((word) => /^(?:his|her|their|he|she)$/u.test(word))) return undefined
  return words.some((word) => /^(?:i|we|my|our|i'm|i've|we've|we're|mine|ours)$/u.test(word)) ? 'self' : undefined
}

/** Tells whether two words that exclude each other tell the statements apart: staging and production, first and second. */
function isApart(after: Taken, before: Taken): boolean {
  return apart.some((classes) => {
    const [now, then] = [after, before].map(({ words }) => new Set([...words].flatMap((word) => classes.get(word) ?? [])))
    return now !== undefined && then !== undefined && now.size > 0 && then.size > 0 && now.isDisjointFrom(then)
  })
}

/** Tells whether a text says of an earlier value that it is no more: `instead of coffee`, `Jana left`. */
function mentions(text: string, object: string): boolean {
  const words = wordsOf(object)
  const rare = words.filter((word) => !commonWords.has(word) && (word.length > 3 || /\p{N}/u.test(word)))
  const names = rare.length > 0 ? rare : words.filter((word) => word.length > 5)
  return names.some((word) => {
    const name = word.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
    return new RegExp(`\\b${awayBefore} (?:[\\p{L}']+ ){0,3}${name}\\b|\\b${name}\\b (?:\\p{L}+ )?${awayAfter}\\b`, 'iu').test(text)
  })
}

function sharedWeight(after: Taken, before: Taken): number {
  let [weight, own] = [0, 0]
  for (const [key, beside] of after.about) {
    const other = before.about.get(key)
    if (other === undefined) weight += before.far.has(key) ? 0.4 : 0
    else if (key.startsWith('own ') || key.startsWith('unit ')) own += isCompoundApart(beside, other) ? 0 : 1.5
    else weight += likeness(beside, other)
  }
  for (const key of before.about.keys()) if (!after.about.has(key) && after.far.has(key)) weight += 0.4
  const [now, then] = [new Set(after.about.keys()), new Set(before.about.keys())]
  const isOwnKind = [...after.kinds].some((kind) => before.kinds.has(kind) && ownKinds.has(kind))
  const isDoubtful = own === 0 && !isOwnKind && now.difference(then).size > 0 && then.difference(now).size > 0
  const isSame = now.size > 0 && now.symmetricDifference(then).size === 0
  return weight + own - (isDoubtful ? 0.4 : 0) + (isSame ? 0.5 : 0)
}

/** Tells whether a word stands before two others: `deploy branch`, `deploy command`. */
function isCompoundApart(after: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  return !after.has(head) && !before.has(head) && after.isDisjointFrom(before)
}

/** How far one word names the same thing in two clauses. The words beside it may tell another thing: of a compound, the last. */
function likeness(after: ReadonlySet<string>, before: ReadonlySet<string>): number {
  const [now, then] = [after.difference(headOnly), before.difference(headOnly)]
  if (isCompoundApart(after, before)) return 0
  if (now.size > 0 && then.size > 0 && now.isDisjointFrom(then)) return -0.8
  return after.has(head) === before.has(head) ? 1.2 : 0.3
}

function kindWeight(after: Taken, before: Taken): number {
  const shared = [...after.kinds].filter((kind) => before.kinds.has(kind) && !plainKinds.has(kind))
  return shared.length === 0 ? 0 : shared.every((kind) => severalKinds.has(kind)) ? 0.6 : 1.2
}

function changeWeight({ window, text }: Taken): number {
  return changeCue.test(window) || wrongCue.test(text) ? 0.8 : changeCue.test(text) ? 0.5 : 0
}

/** Two sentences that begin with the same words, up to their values, tell of the same attribute. */
function frameWeight(after: Taken, before: Taken): number {
  return after.left !== '' && after.left === before.left ? 1 : 0
}
