import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredPage, PageKey } from '../storage/pages/pages.ts'
import { lineagesFrom } from '../storage/pages/page-revisions.ts'
import type { Program } from '../storage/program.ts'
import { descriptionStanding, pageDescription, indexPagesInTurns, pageLanguage, passagesAtOnce } from './index-page.ts'
import { letGoInTurns } from './let-go.ts'
import { type Lineage, PageInChange, type PageWork, PreparedWork } from './page-work.ts'
import type { PagePort } from './port.ts'
import { inTurns } from './turns.ts'

/** The most attempts to work on a page that others change meanwhile. Within a process they wait for each other. */
const mostTries = 8

/** The number of lineages that are read at once. */
const lineagesAtOnce = 16

/** Characters of text that add one to a transaction's weight. */
const charsPerWeight = 1_000

/** The last running work on each page, by store: the key is the function that writes there. */
const lanes = new WeakMap<PagePort['write'], Map<string, Promise<unknown>>>()

/**
 * Writes pages with the long work done ahead. `prepare` reads, works, and returns the weight of the transaction;
 * `program` looks the results up.
 *
 * When a page changed in between, all is done again. Further work on a page then runs in transactions of its own.
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

/** The new content of a page, as far as it must be known ahead. */
export interface Draft {
  readonly content: string
  readonly description: string | undefined
  /** The line authors of a revision that is restored. */
  readonly authors?: string
}

/** The place of a page, new or old; its partition may not exist yet. */
export type DraftPlace = Pick<StoredPage, 'kind' | 'name' | 'session_id'> & { readonly partition_id: number | undefined }

/** Prepares some revisions of a page, one after another. Returns the weight of writing them. */
export async function prepareDrafts(
  here: PagePort,
  work: PreparedWork,
  { place, old, drafts }: { place: DraftPlace; old: StoredPage | undefined; drafts: readonly Draft[] },
): Promise<number> {
  if (old !== undefined) {
    work.rest(old, await lineagesInTurns(here, old))
    work.stand(old.authors)
  }
  let stands: Pick<StoredPage, 'content' | 'authors' | 'description'> | undefined = old
  let revision = old?.revision ?? 0
  let chars = old?.content.length ?? 0
  for (const { content, authors, description = pageDescription(content) } of drafts) {
    chars += content.length
    // Equal content is no new revision. A single draft may change the cap.
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

async function lineagesInTurns(here: PagePort, page: PageKey): Promise<readonly Lineage[]> {
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
