import type { Fact } from './fact.ts'
import { namesPerson, predicateKey } from './predicates.ts'

/** Predicates that tell who a person is, in the order of telling: identity, work, home, kin, health, tools, instructions. */
const telling: readonly string[] = [
  ...['name', 'pronouns', 'age', 'birthday', 'nationality', 'comes from', 'speaks', 'relationship status', 'phone number', 'email'],
  ...['works as', 'works at', 'studies at', 'member of', 'boss'],
  ...['lives in', 'stays in', 'address', 'time zone', 'landlord', 'landlady'],
  ...['married to', 'partner', 'mother', 'father', 'sister', 'brother', 'child', 'has pet'],
  ...['allergic to', 'intolerant to', 'does not eat', 'diet', 'takes', 'height', 'weight'],
  ...['uses', 'drives'],
  'asked to remember',
]
const places = new Map(telling.map((predicate, place) => [predicate, place]))
/** Any other person or animal by name: `doctor`, `dog`. */
const kinPlace = telling.indexOf('has pet')

const tastes: ReadonlySet<string> = new Set(['likes', 'dislikes', 'prefers'])
const tasteOfKind = /^(?:favou?rite|preferred) \S/u

/** The tastes that are told of one person. */
export const mostTastes = 5

/** Of the other facts of one person, as many are told in a context whatever is asked. */
const mostOthers = 5

/**
 * Chooses the facts on one person that come first: who the person is, at most five tastes, and what was added by
 * hand or noted by an agent. All else is told where it is asked for.
 */
export function portrayed(facts: readonly Fact[]): readonly Fact[] {
  const essential = facts.filter((fact) => placeOf(fact) !== undefined).toSorted((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0))
  const liked = facts.filter((fact) => isTaste(fact)).slice(0, mostTastes)
  const others = facts.filter((fact) => fact.sources.length === 0 && placeOf(fact) === undefined && !isTaste(fact))
  return [...essential, ...liked, ...others]
}

/**
 * Adds to the facts that are always told a few others, in their order. A question may ask for one in other words: "which
 * pets?" for "has a tortoise".
 */
export function toldInContext(facts: readonly Fact[]): readonly Fact[] {
  const always = portrayed(facts)
  const others = facts.filter((fact) => !always.includes(fact) && !isTaste(fact))
  return [...always, ...others.slice(0, mostOthers)]
}

function placeOf({ predicate }: Fact): number | undefined {
  const key = predicateKey(predicate)
  return places.get(key) ?? (namesPerson(key) ? kinPlace : undefined)
}

/** Tells whether a fact is a taste that gives way to words that tell more. A preference does not, nor what was added by hand. */
export function givesWay(fact: Fact): boolean {
  return isTaste(fact) && fact.sources.length > 0 && !predicateKey(fact.predicate).startsWith('prefer')
}

function isTaste({ predicate }: Fact): boolean {
  const key = predicateKey(predicate)
  return tastes.has(key) || tasteOfKind.test(key)
}
