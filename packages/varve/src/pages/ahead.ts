import { setImmediate as nextTurn } from 'node:timers/promises'
import { lineagesFrom, type StoredPage } from '../storage/pages/pages.ts'
import type { Program } from '../storage/program.ts'
import { descriptionStanding, pageDescription, indexPagesInTurns, pageLanguage, passagesAtOnce } from './index-page.ts'
import { letGoInTurns } from './let-go.ts'
import { type Lineage, PageInChange, type PageWork, PreparedWork } from './page-work.ts'
import type { PagePort } from './port.ts'
import { inTurns } from './turns.ts'

/** How often a page is read and worked on anew that others change meanwhile. Within a process they wait for each other. */
const mostTries = 8

/** Lineages that are read in one go. */
const lineagesAtOnce = 16

/** Text that counts as one in a transaction's weight, in characters. */
const charsPerWeight = 1_000

/** For each store, by the function that writes there, the last work on each page that is under way. */
const lanes = new WeakMap<PagePort['write'], Map<string, Promise<unknown>>>()

/**
 * Writes pages with all that takes long done ahead: `prepare` reads and works out, and says what the transaction
 * weighs; `program` looks up what was worked out. What came between is noticed, and all of it is done again. What
 * else is to be done for a page then is done in transactions of its own.
 */
export async function writeAhead<Result>(
  here: PagePort,
  lane: string,
  steps: {
    readonly prepare: (work: PreparedWork) => Promise<number>
    readonly program: (work: PageWork) => Program<Result>
    readonly now: number
  },
): Promise<{ readonly result: Result; readonly written: PreparedWork['written'] }> {
  const done = await inLane(here, lane, () => tryAhead(here, steps))
  await letGoInTurns(here, done.written)
  await indexPagesInTurns(here, steps.now)
  return done
}

async function tryAhead<Result>(
  here: PagePort,
  {
    prepare,
    program,
  }: { readonly prepare: (work: PreparedWork) => Promise<number>; readonly program: (work: PageWork) => Program<Result> },
) {
  for (let tries = 1; ; tries += 1) {
    const work = new PreparedWork()
    const weight = await prepare(work)
    try {
      const result = await here.write(() => {
        work.begin()
        return program(work)
      }, weight)
      return { result, written: work.written }
    } catch (error) {
      if (!(error instanceof PageInChange) || tries === mostTries) throw error
    }
  }
}

async function inLane<Result>(here: PagePort, lane: string, work: () => Promise<Result>): Promise<Result> {
  const all = lanes.get(here.write) ?? new Map<string, Promise<unknown>>()
  lanes.set(here.write, all)
  const mine = (all.get(lane) ?? Promise.resolve()).then(work, work)
  all.set(lane, mine)
  try {
    return await mine
  } finally {
    if (all.get(lane) === mine) all.delete(lane)
  }
}

/** What is to stand on a page, as far as it has to be known ahead. */
export interface Draft {
  readonly content: string
  readonly description: string | undefined
  /** Of a revision that is to stand again. */
  readonly authors?: string
}

/** Where a page stands or is to stand; its partition may not be there yet. */
export type DraftPlace = Pick<StoredPage, 'kind' | 'name' | 'session_id'> & { readonly partition_id: number | undefined }

/** Works out all that is needed to write some revisions of a page, one after another; gives back what writing them weighs. */
export async function prepareDrafts(
  here: PagePort,
  work: PreparedWork,
  { place, old, drafts }: { place: DraftPlace; old: StoredPage | undefined; drafts: readonly Draft[] },
): Promise<number> {
  if (old !== undefined) {
    work.rest(old, await lineagesInTurns(here, old.id))
    work.stand(old.authors)
  }
  let stands: Pick<StoredPage, 'content' | 'authors' | 'description'> | undefined = old
  let revision = old?.revision ?? 0
  let chars = old?.content.length ?? 0
  for (const { content, authors, description = pageDescription(content) } of drafts) {
    chars += content.length
    // What is there already is no new revision. One alone may change the cap.
    if (drafts.length > 1 && stands?.content === content && stands.description === description) continue
    revision += 1
    if (authors !== undefined) work.stand(authors)
    stands = { content, description, authors: authors ?? (await inTurns(work.write(stands, content, revision))).row }
  }
  const last = drafts.at(-1)
  const found =
    last === undefined
      ? []
      : await inTurns(
          work.find(
            {
              ...place,
              ...last,
              description: descriptionStanding({ ...place, ...last, description: last.description ?? pageDescription(last.content) }),
            },
            await languageAt(here, place),
          ),
        )
  return Math.ceil(chars / charsPerWeight) + Math.min(found.length, passagesAtOnce)
}

async function languageAt(here: PagePort, { partition_id: partition, session_id: session }: DraftPlace): Promise<string> {
  return partition === undefined ? '' : here.read(pageLanguage({ partition_id: partition, session_id: session }))
}

async function lineagesInTurns(here: PagePort, page: number): Promise<readonly Lineage[]> {
  const found: Lineage[] = []
  for (let after = 0; ;) {
    const some = await here.read(lineagesFrom(page, after, lineagesAtOnce))
    for (const { revision, spans, described_by } of some) found.push({ revision, spans, described_by })
    await nextTurn()
    const last = some.at(-1)
    if (last === undefined || some.length < lineagesAtOnce) return found
    after = last.revision
  }
}
