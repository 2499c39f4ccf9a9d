import type { CountedBullet, EntryViews } from './entry-views.ts'
import { type Group, kidsEnd, type Ladder } from './ladder.ts'

/**
 * Gives the lines of a group's finer groups, the coarsest rung first. In each rung the first lines of all groups come
 * first, since they weigh most; of these, the newest.
 */
export function* linesBelow(ladder: Ladder, views: EntryViews, group: Group): Generator<CountedBullet, void> {
  const at = ladder.rungs[group.rung]?.indexOf(group) ?? 0
  let [from, to] = [at, at + 1]
  for (let rung = group.rung; rung > 0; rung -= 1) {
    ;[from, to] = [kidsEnd(ladder, rung, from), kidsEnd(ladder, rung, to)]
    const newestFirst = (ladder.rungs[rung - 1] ?? []).slice(from, to).toReversed()
    const bullets = newestFirst.map((kid) => views.of(kid).bullets)
    const most = bullets.reduce((length, some) => Math.max(length, some.length), 0)
    for (let place = 0; place < most; place += 1) for (const some of bullets) yield* some.slice(place, place + 1)
  }
}
