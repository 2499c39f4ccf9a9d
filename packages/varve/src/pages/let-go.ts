import { VarveError } from '../errors/varve-error.ts'
import { pageState } from '../storage/pages/page-state.ts'
import { replaceSources, type PageKey } from '../storage/pages/pages.ts'
import { dropPageRevision, letRevisionGo, lineagesFrom, lineagesOf, type LineageRow } from '../storage/pages/page-revisions.ts'
import { authorsIn, spansIn } from '../storage/pages/authors.ts'
import type { Program } from '../storage/program.ts'
import { pageRevisionsKept } from './page-bounds.ts'
import type { PagePort } from './port.ts'

/** The interval of revisions at which old ones are dropped. */
const lookEvery = 20

/** The number of revisions that are read or dropped at once: each may have a MB. */
const revisionsAtOnce = 8

/** Returns the newest revision that may be dropped after another is stored; undefined between the intervals. */
export function letGoUpTo(revision: number): number | undefined {
  return revision > pageRevisionsKept && revision % lookEvery === 0 ? revision - pageRevisionsKept : undefined
}

/** A revision that may be dropped, or that may have lines of a dropped one. */
interface Known {
  readonly revision: number
  readonly isLetGo: boolean
  readonly sessions: readonly number[]
}

/** The oldest revisions: those to drop, and those to keep. */
class Letting {
  readonly #upTo: number
  /** The first revision gave the page its name. */
  readonly #needed = new Set([1])
  readonly #all: Known[] = []

  constructor(upTo: number) {
    this.#upTo = upTo
  }

  add(row: LineageRow): void {
    this.#all.push({ revision: row.revision, isLetGo: row.isLetGo === 1, sessions: [...new Set(spansIn(row).map(([session]) => session))] })
    if (row.revision <= this.#upTo) return
    this.#needed.add(row.described_by)
    for (const [revision] of authorsIn(row)) this.#needed.add(revision)
  }

  get old(): readonly Known[] {
    return this.#all.filter(({ revision }) => revision <= this.#upTo)
  }

  /** Drops the words of old revisions. Where a later revision has lines of theirs, their sources are kept. */
  *letGo(page: PageKey, some: readonly Known[]): Program<void> {
    for (const { revision, isLetGo } of some) {
      if (!this.#needed.has(revision)) yield* dropPageRevision(page, revision)
      else if (!isLetGo) yield* letRevisionGo(page, revision)
    }
  }

  get sessions(): ReadonlySet<number> {
    return new Set(
      this.#all.filter(({ revision }) => revision > this.#upTo || this.#needed.has(revision)).flatMap(({ sessions }) => sessions),
    )
  }
}

/** Drops old revisions in one transaction. */
export function* letGo(page: PageKey, upTo: number): Program<void> {
  const letting = new Letting(upTo)
  for (const row of yield* lineagesOf(page)) letting.add(row)
  yield* letting.letGo(page, letting.old)
  yield* replaceSources(page, letting.sessions)
}

/**
 * Drops old revisions of written pages, in as many transactions as needed. When a page changes meanwhile, or the store
 * refuses, the next round does the rest.
 */
export async function letGoInTurns(here: PagePort, written: readonly (PageKey & { readonly revision: number })[]): Promise<void> {
  const due = new Map(written.flatMap((page) => (letGoUpTo(page.revision) === undefined ? [] : [[page.id, page] as const])))
  try {
    for (const page of due.values()) await letGoOf(here, page, page.revision - pageRevisionsKept)
  } catch (error) {
    if (!VarveError.is(error)) throw error
  }
}

async function letGoOf(here: PagePort, key: PageKey, upTo: number): Promise<void> {
  const page = await here.read(pageState(key.partition_id, key.id))
  if (page === undefined) return
  const letting = new Letting(upTo)
  for (let after = 0; ;) {
    const some = await here.read(lineagesFrom(key, after, revisionsAtOnce))
    for (const row of some) letting.add(row)
    after = some.at(-1)?.revision ?? after
    if (some.length < revisionsAtOnce) break
  }
  const whileStanding = (program: () => Program<void>) =>
    here.write(function* (): Program<void> {
      if ((yield* pageState(key.partition_id, key.id))?.revision === page.revision) yield* program()
    }, 100)
  for (let at = 0; at < letting.old.length; at += revisionsAtOnce)
    await whileStanding(() => letting.letGo(key, letting.old.slice(at, at + revisionsAtOnce)))
  await whileStanding(() => replaceSources(key, letting.sessions))
}
