import type { StatedFact } from '../../../models/writer.ts'

/** Predicates with one object at a time: an end need not name the object. */
const single = new Set(['works at', 'married to', 'partner', 'drives'])

/** Returns an end with the object that it means, where the talk names it: Rex for `my dog died`, Hapag-Lloyd for `I left Hapag`. */
export function meantEnd(fact: StatedFact, before: readonly StatedFact[]): StatedFact {
  if (fact.says !== 'ends' || (fact.object === '' && single.has(fact.predicate))) return fact
  const same = before.filter(({ says, subject, predicate }) => says === 'is' && subject === fact.subject && predicate === fact.predicate)
  if (same.some(({ object }) => object.toLowerCase() === fact.object.toLowerCase())) return fact
  const words = wordsOf(fact.object)
  const meant = same.filter(({ object }) => words.every((word) => wordsOf(object).includes(word)))
  const [one] = meant
  if (one === undefined || new Set(meant.map(({ object }) => object.toLowerCase())).size > 1) return fact
  return { ...fact, object: one.object, ...(one.seq === fact.seq ? {} : { also: [...new Set([...(fact.also ?? []), one.seq])] }) }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
