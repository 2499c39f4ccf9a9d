import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { Span } from '../lineage/span.ts'
import { cursorTo, type Listed, type ListRequest, mostListedBytes, placeOf } from '../storage/listed.ts'
import { sessionsUnderPage, type StoredPage } from '../storage/pages/pages.ts'
import { pageRevisions } from '../storage/pages/page-revisions.ts'
import { spansIn } from '../storage/pages/authors.ts'
import type { PageRevisionTable } from '../storage/page-tables.ts'
import type { Program } from '../storage/program.ts'
import { changesLookedFor } from './line-changes.ts'
import { linesOf } from './lines.ts'
import { named } from './lineage.ts'

/** A revision of a page. Times are UTC milliseconds. */
export interface PageRevision {
  readonly revision: number
  /**
   * `person`, an agent's name, a model's, `extractive`; `template` for the headings of notes; `forgetting` after a
   * forget took lines out.
   */
  readonly writer: string
  readonly at: number
  readonly description: string
  /** Absent once its words were dropped. */
  readonly content?: string
  /** The changes since the revision before, as a unified diff; absent when the words of either are dropped. */
  readonly diff?: string
  /** The messages on which its writer's lines rest; empty for a page that a project shares. */
  readonly lineage: readonly Span[]
}

/** The number of revisions that are read at once: one may have a million bytes. */
const rowsAtOnce = 16

/** Returns the revisions of a page, the newest first. */
export function* revisionsOf(
  page: Pick<StoredPage, 'id' | 'partition_id' | 'name'>,
  request: ListRequest,
  isShared: boolean,
): Program<Listed<PageRevision>> {
  const names = isShared ? new Map<number, string>() : yield* sessionsUnderPage(page)
  const found: PageRevision[] = []
  let before = Number(placeOf('revision', request, /(\d{1,15})/)?.[0] ?? Number.MAX_SAFE_INTEGER)
  for (let room = mostListedBytes; ;) {
    // One more, for the difference.
    const rows = yield* pageRevisions(page, rowsAtOnce + 1, before)
    for (const [place, row] of rows.slice(0, rowsAtOnce).entries()) {
      const goesOn = { items: found, cursor: cursorTo('revision', row.revision + 1) }
      if (found.length === request.limit) return goesOn
      const one = revisionOf(row, rows[place + 1], names, page.name || 'notes')
      room -= (one.content?.length ?? 0) + (one.diff?.length ?? 0)
      if (room < 0 && found.length > 0) return goesOn
      found.push(one)
      before = row.revision
    }
    if (rows.length <= rowsAtOnce) return { items: found }
  }
}

function revisionOf(
  row: PageRevisionTable,
  before: PageRevisionTable | undefined,
  names: ReadonlyMap<number, string>,
  name: string,
): PageRevision {
  const old = row.revision === 1 ? '' : before?.revision === row.revision - 1 ? before.content : null
  return {
    revision: row.revision,
    writer: row.writer,
    at: row.written_at,
    description: row.description,
    ...(row.content === null ? {} : { content: row.content }),
    ...(row.content === null || old === null ? {} : { diff: unifiedDiff(old, row.content, name, row.revision) }),
    lineage: named(spansIn(row), names),
  }
}

/** Makes a unified diff; a page with too many changes is reported as rewritten. */
function unifiedDiff(old: string, now: string, name: string, revision: number): string {
  const patch = createTwoFilesPatch(name, name, ended(old), ended(now), `revision ${revision - 1}`, `revision ${revision}`, {
    context: 2,
    maxEditLength: changesLookedFor(linesOf(old).length + linesOf(now).length),
    headerOptions: FILE_HEADERS_ONLY,
  })
  return patch ?? `--- ${name}\n+++ ${name}\n(rewritten: ${old.split('\n').length} lines before, ${now.split('\n').length} now)\n`
}

/** Ends a page with a line end: the diff does not report a missing one. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
