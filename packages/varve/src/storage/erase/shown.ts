import { readersOf } from './page-contexts.ts'
import { blocksIn } from '../derived/blocks.ts'
import { itemsOfPage } from '../derived/items.ts'
import { mergedNames } from '../known/entities.ts'
import type { ContextsOf } from '../log/contexts.ts'
import { pageState } from '../pages/page-state.ts'
import { type PageKey, pageById } from '../pages/pages.ts'
import { findDerivedOf, findKnownOf, nearTo } from '../partitions.ts'
import { abreast, type Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { uuidText } from '../uuid-bytes.ts'
import { derivedFrom } from './derived.ts'
import type { Search } from './meant.ts'
import { allAddedByHand } from './selected.ts'
import type { SaidIn } from './turns.ts'

/** Everything to be erased that contexts may have shown. */
export interface ShownUnder {
  readonly ids: readonly string[]
  /** True when shared content goes: any member of the project may have been shown it. */
  readonly isShared: boolean
  /** True when facts go that may have been shown under another id or name. */
  readonly isMerged: boolean
}

/**
 * Returns everything that rests on some messages, as contexts may have shown it. `hasByHand` adds the facts and
 * instructions that were added by hand.
 */
export function* shownUnder({ owner, selection }: Search, said: readonly SaidIn[], hasByHand: boolean): Program<ShownUnder> {
  const {
    items,
    assertions,
    instructions,
    doomedPages: { pages },
  } = yield* derivedFrom(
    owner.id,
    yield* nearTo(owner.id),
    new Map(said),
    hasByHand ? yield* allAddedByHand(owner, selection) : { facts: [], instructions: [] },
  )
  const whole = said.flatMap(([session, seqs]) => (seqs === undefined ? [{ partition: owner.id, session }] : []))
  const [own, known, states, blocks] = yield* abreast([
    findDerivedOf(owner.id),
    findKnownOf(owner.id),
    abreast(pages.map((page) => pageState(page.partition_id, page.id))),
    abreast(whole.map((scope) => blocksIn(scope, Number.MAX_SAFE_INTEGER))),
  ])
  const merged = known === undefined || assertions.length === 0 ? [] : yield* mergedNames(known.id)
  return {
    ids: [
      ...[...items, ...instructions, ...pages, ...blocks.flat()].map(({ uuid }) => uuidText(uuid)),
      ...assertions.map(({ fact }) => uuidText(fact)),
    ],
    isShared:
      items.some((item) => item.partition_id !== own?.id) || states.some((state) => state !== undefined && state.partition_id !== owner.id),
    isMerged: merged.length > 0,
  }
}

/** Returns a page and its passages, as contexts may have shown them; undefined for a page that is gone. */
export function* shownOfPage(key: PageKey): Program<{ where: ContextsOf; items: readonly Pick<ItemTable, 'uuid'>[] } | undefined> {
  const near = yield* nearTo(key.partition_id)
  const [page, passages] = yield* abreast([pageById(key), itemsOfPage(near, key.id)])
  const where = page === undefined ? undefined : yield* readersOf(page.partition_id)
  return page === undefined || where === undefined ? undefined : { where, items: [page, ...passages] }
}
