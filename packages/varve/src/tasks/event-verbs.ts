import { isRegistered, predicateKey } from '../facts/predicates.ts'
import { folded } from './folded.ts'

/** Past forms of verbs that tell what happened once. Regular ones end in "ed". */
const happened = listed(
  'went met bought sold made won lost saw ran gave got took built wrote broke caught drove flew found fell held rode sang sent spent ' +
    'swam taught told threw ate drank came left paid drew bit',
)

/** Forms in "ed" that tell a state, or the begin of one. */
const states = listed(
  'named called engaged divorced retired interested based employed supposed used allowed located related involved addicted devoted ' +
    'dedicated qualified certified trained skilled need needed wanted lived worked studied loved liked hated preferred owned stayed ' +
    'belonged started joined adopted inherited',
)

function listed(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/**
 * Tells whether a predicate in the past tense is an event, whatever its writer called it: "painted a lake sunrise" holds on
 * its day alone. A predicate that Varve knows keeps its kind.
 */
export function tellsEvent(predicate: string): boolean {
  const [first = ''] = folded(predicate).split(/\s+/)
  if (isRegistered(predicateKey(predicate)) || states.has(first)) return false
  return happened.has(first) || /^\p{L}{2,}ed$/u.test(first)
}
