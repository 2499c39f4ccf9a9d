import { stem } from '../index/stem.ts'
import { wordsOf } from '../index/words.ts'
import { says } from '../storage/known/assertions.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { predicateWords, smallWords } from './predicates.ts'

type Aimed = Pick<AssertionTable, 'says' | 'predicate_key' | 'object_key'>

/**
 * Turns ends without a predicate into ends of the objects of one predicate that they are about. Such an end is about an
 * object when each of its words stands in the object or is a word of the predicate.
 */
export function aimedEnds<Row extends Aimed>(ends: readonly Row[], rows: readonly Row[], predicate: string): Row[] {
  if (ends.length === 0) return []
  const ofPredicate = tellingWords(predicateWords(predicate))
  const objects = new Map(
    rows.filter((row) => row.says === says.is).map((row) => [row.object_key, new Set([...ofPredicate, ...wordsOfObject(row)])]),
  )
  return ends.flatMap((end) => {
    const topic = wordsOfObject(end)
    const about = topic.length === 0 ? [] : [...objects].filter(([, words]) => topic.every((word) => words.has(word)))
    return about.map(([object]) => ({ ...end, predicate_key: predicate, object_key: object }))
  })
}

/** Turns ends that are about a whole subject into ends of all objects of one predicate of it. */
export function endsOfAll<Row extends Aimed>(ends: readonly Row[], rows: readonly Row[], predicate: string): Row[] {
  const objects = new Set(rows.filter((row) => row.says === says.is).map(({ object_key: object }) => object))
  return ends.flatMap((end) => [...objects].map((object) => ({ ...end, predicate_key: predicate, object_key: object })))
}

/** By statement. A question compares the same statements and ends with each other many times. */
const ofObjects = new WeakMap<Aimed, readonly string[]>()

function wordsOfObject(row: Aimed): readonly string[] {
  const known = ofObjects.get(row)
  if (known !== undefined) return known
  const words = tellingWords(row.object_key)
  ofObjects.set(row, words)
  return words
}

/** Gives the stems of the words that tell something; of a text of small words alone, all of them. */
function tellingWords(text: string): readonly string[] {
  const words = wordsOf(text)
  const telling = words.filter(({ text: word }) => !smallWords.has(word))
  return (telling.length > 0 ? telling : words).map((word) => stem(word, 'en'))
}
