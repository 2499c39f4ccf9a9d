import type { BankNode } from './bank-node.ts'
import type { CountedBullet, EntryViews } from './entry-views.ts'
import { type Group, kidsEnd, type Ladder } from './ladder.ts'

/** A line of a finer group. */
export interface LineBelow extends CountedBullet {
  readonly from: Group
}

/**
 * Gives the lines of a group's finer groups, the coarsest rung first. In each rung the first lines of all groups come
 * first, since they weigh most; of these, the newest. Nothing is given from below a digest that a person corrected: the
 * person's words stand for it.
 */
export function* linesBelow(ladder: Ladder, views: EntryViews, group: Group): Generator<LineBelow, void> {
  const at = ladder.rungs[group.rung]?.indexOf(group) ?? 0
  let [from, to] = [at, at + 1]
  for (let rung = group.rung; rung > 0; rung -= 1) {
    ;[from, to] = [kidsEnd(ladder, rung, from), kidsEnd(ladder, rung, to)]
    const newestFirst = (ladder.rungs[rung - 1] ?? []).slice(from, to).toReversed()
    const told = newestFirst.filter(({ sources }) => !sources.some(({ node }) => isBelowCorrected(ladder, node)))
    const all = told.map((kid) => ({ kid, bullets: views.of(kid).bullets }))
    const most = all.reduce((length, { bullets }) => Math.max(length, bullets.length), 0)
    for (let place = 0; place < most; place += 1)
      for (const { kid, bullets } of all) for (const bullet of bullets.slice(place, place + 1)) yield { ...bullet, from: kid }
  }
}

function isBelowCorrected(ladder: Ladder, node: BankNode): boolean {
  const above = ladder.coverer(node)
  return above !== undefined && (above.isCorrected === true || isBelowCorrected(ladder, above))
}
