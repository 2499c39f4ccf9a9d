import { setImmediate as nextTurn } from 'node:timers/promises'
import { inChunks } from '../chunks.ts'
import type { Search, Weighed } from './meant.ts'
import { noteTurn } from './receipts.ts'
import { type ShownUnder, shownOfPage, shownUnder } from './shown.ts'
import { sessionsUnder, type ErasureInTurns, turnBounds } from './turns.ts'
import type { WritingHere } from '../here.ts'
import { type ContextKey, contextsAmong, type ContextsOf, contextsOf, dropContexts, takeFromContexts } from '../log/contexts.ts'
import type { Needles } from '../needles.ts'
import type { PageKey } from '../pages/pages.ts'
import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { uuidText } from '../uuid-bytes.ts'

// A transaction that erases something looks through all contexts that may have shown it. Many contexts are looked
// through ahead, some at a time. The transaction then looks only at newer ones.

type Port = Pick<WritingHere, 'read' | 'write'>

/** Drops contexts that showed an erased item or message, ahead of the transactions that erase it. */
export async function dropContextsUnder(
  here: Port,
  turns: ErasureInTurns,
  search: Search,
  meant: readonly Weighed[],
  rewritten: ReadonlySet<string> = new Set(),
): Promise<void> {
  const {
    owner: { id: partition, project_id: project },
    selection,
  } = search
  // When all of a user goes, the contexts are gone already.
  const isMuch = selection.all !== true && (await hasMany(here, { partition }, turns.bounds.contexts))
  const isMuchOfAll = await hasMany(here, { project }, turns.bounds.contexts)
  if (!isMuch && !isMuchOfAll) return
  const shown = await shownUnderAll(here, turns, search, meant)
  const ids = new Set([...meant.map(({ uuid }) => uuidText(uuid)), ...shown.flatMap((one) => one.ids)])
  if (isMuch)
    await dropShown(
      here,
      { partition },
      ids,
      shown.some(({ isMerged }) => isMerged),
      turns,
      (contexts, isAll) =>
        isAll
          ? dropAndNote(turns, contexts.all, contexts.shown.length)
          : takeAndNote(turns, contexts.shown, contexts.shown.length, ids, rewritten),
    )
  if (isMuchOfAll && shown.some(({ isShared }) => isShared))
    await dropShown(here, { project }, ids, false, turns, ({ shown: contexts }) => takeAndNote(turns, contexts, 0, ids, rewritten))
}

/** Drops contexts that showed some items, ahead of the items' erasure. */
export async function dropContextsOfItems(
  here: Port,
  where: ContextsOf,
  items: readonly Pick<ItemTable, 'uuid'>[],
  needles: Needles,
): Promise<void> {
  if (!(await hasMany(here, where, turnBounds.contexts))) return
  const ids = new Set(items.map(({ uuid }) => uuidText(uuid)))
  await dropShown(here, where, ids, false, { needles, bounds: turnBounds }, ({ shown }) => takeFromContexts(shown, ids))
}

/** Drops contexts that showed a page, ahead of its erasure. */
export async function dropContextsOfPage(here: Port, page: PageKey, needles: Needles): Promise<void> {
  const shown = await here.read(shownOfPage(page))
  if (shown !== undefined) await dropContextsOfItems(here, shown.where, shown.items, needles)
}

/** Drops all contexts except the few that one transaction takes. */
export async function dropAllContexts(
  here: Port,
  where: ContextsOf,
  turns: Pick<ErasureInTurns, 'receipt' | 'now' | 'bounds'>,
): Promise<void> {
  const {
    bounds: { contexts: atOnce },
  } = turns
  while (await hasMany(here, where, atOnce)) {
    await here.write(function* () {
      const some = yield* contextsOf(where, atOnce)
      yield* dropAndNote(turns, some, some.length)
    }, atOnce)
  }
}

async function hasMany(here: Port, where: ContextsOf, many: number): Promise<boolean> {
  return (await here.read(contextsOf(where, many + 1))).length > many
}

async function shownUnderAll(
  here: Port,
  { bounds }: ErasureInTurns,
  search: Search,
  meant: readonly Weighed[],
): Promise<readonly ShownUnder[]> {
  const shown: ShownUnder[] = []
  for (const some of inChunks(await here.read(sessionsUnder(search, meant)), bounds.sessions)) {
    await nextTurn()
    shown.push(await here.read(shownUnder(search, some, shown.length === 0)))
  }
  return shown
}

/** Some contexts that were searched, and those of them that showed something. */
interface Searched {
  readonly all: readonly ContextKey[]
  readonly shown: readonly ContextKey[]
}

/**
 * Takes some ids out of the contexts that showed them, some contexts at a time. With `isAll`, `take` is told of contexts
 * that did not show them as well.
 */
async function dropShown(
  here: Port,
  where: ContextsOf,
  ids: ReadonlySet<string>,
  isAll: boolean,
  { needles, bounds }: Pick<ErasureInTurns, 'needles' | 'bounds'>,
  take: (contexts: Searched, isAll: boolean) => Program<void>,
): Promise<void> {
  const keys = await here.read(contextsOf(where))
  for (const some of inChunks(keys, bounds.contexts)) {
    await nextTurn()
    const searched = { all: some, shown: await here.read(contextsAmong(some, ids)) }
    const doomed = isAll ? some : searched.shown
    if (doomed.length > 0) await here.write(() => take(searched, isAll), doomed.length)
  }
  needles.contexts.add(
    where,
    ids,
    keys.reduce((newest, { id }) => Math.max(newest, id), 0),
  )
}

function* dropAndNote(
  { receipt, now }: Pick<ErasureInTurns, 'receipt' | 'now'>,
  contexts: readonly ContextKey[],
  counted: number,
): Program<void> {
  yield* dropContexts(contexts)
  yield* noteTurn(receipt, { message: 0, ...(counted > 0 ? { context: counted } : {}) }, now)
}

function* takeAndNote(
  { receipt, now }: Pick<ErasureInTurns, 'receipt' | 'now'>,
  contexts: readonly ContextKey[],
  counted: number,
  gone: ReadonlySet<string>,
  rewritten: ReadonlySet<string>,
): Program<void> {
  yield* takeFromContexts(contexts, gone, rewritten)
  yield* noteTurn(receipt, { message: 0, ...(counted > 0 ? { context: counted } : {}) }, now)
}
