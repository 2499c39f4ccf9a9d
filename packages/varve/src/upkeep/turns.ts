import type { Leases, LeasedWork } from './leased.ts'
import type { UpkeepTurn } from './loop.ts'
import type { TalliedLimits } from './work-tally.ts'

/**
 * Does due work of one kind until none is due, or the limits come first. Each turn does at least one piece, so that
 * work goes on however short the time is. `due` looks anew each time: nothing is queued.
 */
export async function turnOf<Due, Result>(
  leases: Leases,
  work: LeasedWork<Due, Result>,
  due: () => Promise<readonly Due[]>,
  limits: TalliedLimits,
): Promise<UpkeepTurn> {
  let done = 0
  let hasBegun = false
  const failed = new Set<number>()
  for (;;) {
    const list = await due()
    if (list.length === 0) return { done, settled: true }
    for (const one of list) limits.tally?.due(work.kind, work.piece(one))
    let moved = false
    for (const one of list) {
      if (limits.signal.aborted || work.isSpent?.(limits) === true || (hasBegun && performance.now() >= limits.until))
        return { done, settled: false }
      const tried = await leases.tried(work, one, limits)
      if (tried === 'failed') {
        // It was put off, so the next look does not find it. One that it finds all the same moves nothing.
        const { ref } = work.piece(one)
        moved ||= !failed.has(ref)
        failed.add(ref)
        hasBegun = true
        continue
      }
      const progress = work.progress(tried.result, limits)
      done += progress.done
      if (progress.moved) limits.tally?.done(work.kind, work.piece(one))
      if (progress.ends) return { done, settled: false }
      moved ||= progress.moved
      hasBegun ||= moved
    }
    // Others hold them, they changed during the work, or the limits came first: another turn looks again.
    if (!moved) return { done, settled: false }
  }
}
