import { wordsOf } from '../index/words.ts'
import { nameKey } from './names.ts'

/**
 * The least cosines at which a subject means a document: the subject's name beside its description, the facts beside
 * its passages. Measured with the built-in model: names had 0.48 to 0.71 with a description of the same thing, and 0.24
 * at most with another. Passages in the same words on another matter come near to 0.5, so passages need more.
 */
export const leastSimilar = { description: 0.45, passage: 0.6 } as const

/** The least lead of the best over the second: of two that are as near, neither is meant. */
export const leastAhead = 0.1

export interface KnownDocument<Id> {
  readonly id: Id
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
}

/** The nearness of a subject to a document: cosines, where there are vectors. */
export interface Nearness {
  readonly description?: number
  readonly passage?: number
}

export interface Match<Id> {
  readonly id: Id
  readonly by: 'name' | 'alias' | 'description' | 'passage'
}

/**
 * Finds the document that a subject means: by its name, else by an alias, else the clearly nearest. Undefined when it
 * means none. A subject with a name or a number that a document lacks is not near to it.
 */
export function matchDocument<Id>(
  subject: string,
  known: readonly KnownDocument<Id>[],
  nearness: ReadonlyMap<Id, Nearness> = new Map(),
): Match<Id> | undefined {
  const key = nameKey(subject)
  if (key === '') return undefined
  const named = known.find(({ name }) => nameKey(name) === key)
  if (named !== undefined) return { id: named.id, by: 'name' }
  const alias = known.find(({ aliases }) => aliases.some((one) => nameKey(one) === key))
  if (alias !== undefined) return { id: alias.id, by: 'alias' }
  const like = known.filter((document) => mayMean(subject, document))
  return nearest(like, nearness, 'description') ?? nearest(like, nearness, 'passage')
}

function nearest<Id>(known: readonly KnownDocument<Id>[], nearness: ReadonlyMap<Id, Nearness>, by: keyof Nearness): Match<Id> | undefined {
  const [first, second] = known
    .flatMap(({ id }) => {
      const score = nearness.get(id)?.[by]
      return score === undefined || Number.isNaN(score) ? [] : [{ id, score }]
    })
    .toSorted((a, b) => b.score - a.score)
  if (first === undefined || first.score < leastSimilar[by]) return undefined
  return second !== undefined && first.score - second.score < leastAhead ? undefined : { id: first.id, by }
}

const exact = /(?<![\p{L}\p{N}])(?:\p{Lu}|\p{L}*\p{N})[\p{L}\p{M}\p{N}]*/gu

/**
 * Tells whether a subject may mean a document at all. Bo's bike is not Ada's, however alike they are, and the second
 * quarter is not the first.
 */
function mayMean(subject: string, { name, aliases, description }: KnownDocument<unknown>): boolean {
  const words = new Set([name, ...aliases, description].flatMap(wordsOf).map(({ text }) => plain(text)))
  const numbers = numbersIn(name)
  const said = (subject.match(exact) ?? []).flatMap((word) => wordsOf(word)).every(({ text }) => words.has(plain(text)))
  return said && (numbers.length === 0 || numbers.join() === numbersIn(subject).join())
}

function numbersIn(name: string): string[] {
  return name.normalize('NFKC').match(/\p{N}+/gu) ?? []
}

function plain(word: string): string {
  return word.replace(/'s$/, '')
}
