import type { SaidState } from '../../models/writer.ts'

/** Tells whether a later statement ends an earlier one that was said in other words. */
export function endsState(later: SaidState, earlier: SaidState): boolean {
  return later.object !== earlier.object && later.predicate === 'never' && earlier.predicate === 'never'
}
