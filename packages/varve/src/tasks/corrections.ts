import { predicateKey } from '../facts/predicates.ts'
import type { AnsweredFact, readFact } from './answered-fact.ts'
import { folded } from './folded.ts'

type Item = ReturnType<typeof readFact>

/**
 * Folds a correction, which is answered as two facts of one message: the wrong object as `never`, the right one as
 * `state`. The state then says what it replaces, and holds since that did. Gives undefined in the place of the other.
 */
export function withCorrections(items: readonly Item[]): (Item | undefined)[] {
  const facts = items.filter((item) => typeof item !== 'string')
  const wrongOf = (state: AnsweredFact): AnsweredFact | undefined =>
    state.kind === 'state' && state.instead === '' ? facts.find((one) => isCorrected(one, state)) : undefined
  const wrong = new Set<Item | undefined>(facts.map(wrongOf))
  return items.map((item) => {
    if (typeof item === 'string') return item
    const replaced = wrongOf(item)
    return wrong.has(item) ? undefined : replaced === undefined ? item : { ...item, instead: replaced.object }
  })
}

function isCorrected(one: AnsweredFact, state: AnsweredFact): boolean {
  return (
    one.kind === 'never' &&
    one.object.trim() !== '' &&
    folded(one.object) !== folded(state.object) &&
    one.from.some((number) => state.from.includes(number)) &&
    folded(one.subject) === folded(state.subject) &&
    predicateKey(one.predicate) === predicateKey(state.predicate)
  )
}
