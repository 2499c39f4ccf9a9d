import type { Span } from '../lineage/span.ts'
import { sessionsUnderPage, type StoredPage } from '../storage/pages/pages.ts'
import { lineagesOf, type LineageRow } from '../storage/pages/page-revisions.ts'
import { authorsIn, spansIn, type StoredSpan } from '../storage/pages/authors.ts'
import type { Program } from '../storage/program.ts'
import { mergedSpans } from './spans.ts'

/** The line authors of a page and their sources. */
interface KnownLineage {
  /** Returns the revisions that wrote the present lines. */
  standing(authors: string): ReadonlySet<number>
  lineages(
    page: Pick<StoredPage, 'id' | 'partition_id' | 'uuid' | 'revision' | 'content'>,
  ): Program<readonly Pick<LineageRow, 'revision' | 'spans'>[]>
}

const asStored: KnownLineage = { standing: standingIn, lineages: (page) => lineagesOf(page) }

export function standingIn(authors: string): ReadonlySet<number> {
  return new Set(authorsIn({ authors }).map(([revision]) => revision))
}

/** Returns the messages on which the present text of a page rests. */
export function* lineageOfPage(page: StoredPage, known: KnownLineage = asStored): Program<readonly Span[]> {
  const standing = new Set([...known.standing(page.authors), page.described_by])
  const spans = (yield* known.lineages(page)).filter(({ revision }) => standing.has(revision)).flatMap((one) => spansIn(one))
  return named(mergedSpans(spans), yield* sessionsUnderPage(page))
}

/** Gives spans their sessions' names, and leaves out sessions that are gone. */
export function named(spans: readonly StoredSpan[], names: ReadonlyMap<number, string>): Span[] {
  return spans.flatMap(([id, from, to]) => {
    const session = names.get(id)
    return session === undefined ? [] : [{ session, from, to }]
  })
}
