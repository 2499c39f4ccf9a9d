import { change, type Program, runList } from '../program.ts'
import type { PartTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { dropParts, partsOf } from './parts.ts'

/** A part as it was before its words were taken out. */
export type RestoredPart = Pick<
  PartTable,
  'session_id' | 'layer' | 'from_seq' | 'to_seq' | 'content' | 'sources' | 'writer' | 'provisional' | 'written_at'
> & { readonly partition_id?: number }

const retell = statement<Pick<PartTable, 'id' | 'content' | 'sources' | 'writer' | 'provisional' | 'written_at'> & { partition: number }>()(
  (db, p, d) =>
    db
      .updateTable('part')
      .set({
        content: p('content'),
        sources: p('sources'),
        writer: p('writer'),
        provisional: p('provisional'),
        written_at: p('written_at'),
      })
      .where('id', '=', p('id'))
      .$call(d.within(p('partition'))),
)

type Range = readonly [from: number, to: number]

/**
 * Gives blanked parts of a session their words again, and has messages of `spans` that were blanked without a text read
 * again. Returns false, and changes nothing, when any of the messages was read again since.
 */
export function* restoreParts(
  partition: number,
  session: number,
  layer: number,
  kept: readonly RestoredPart[],
  spans: readonly Range[],
): Program<boolean> {
  const standing = (yield* partsOf(partition, session)).filter((part) => part.layer === layer)
  const ranges: readonly Range[] = [...spans, ...kept.map(({ from_seq: from, to_seq: to }) => [from, to] as const)]
  const under = standing.filter((part) => ranges.some(([from, to]) => part.from_seq <= to && part.to_seq >= from))
  if (under.some(({ content }) => content !== null)) return false
  const back = under.flatMap((part) => {
    const same = kept.find((one) => one.from_seq === part.from_seq && one.to_seq === part.to_seq)
    return same === undefined ? [] : [{ part, same }]
  })
  yield* runList(
    back.map(({ part: { id }, same: { content, sources, writer, provisional, written_at } }) =>
      change(retell, { partition, id, content, sources, writer, provisional, written_at }),
    ),
  )
  const told = new Set(back.map(({ part }) => part.id))
  const within = (part: PartTable): boolean => spans.some(([from, to]) => part.from_seq <= to && part.to_seq >= from)
  yield* dropParts(under.filter((part) => !told.has(part.id) && within(part)))
  return true
}
