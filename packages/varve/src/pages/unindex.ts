import type { PageKey } from '../storage/pages/pages.ts'
import { eraseItemsAt } from '../storage/derived/item-erasure.ts'
import type { Needles } from '../storage/needles.ts'
import { pageState, pageUnindexed, passageOrdinals } from '../storage/pages/page-state.ts'
import { findDerivedOf, savePartition, nearTo } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { passagesAtOnce } from './index-page.ts'
import type { PagePort } from './port.ts'

interface Passage {
  readonly page: PageKey
  readonly ord: number
}

/**
 * Takes passages of pages out of the index before the pages or their lines are erased. It takes as many transactions as
 * needed, until few enough are left for the erasing one.
 *
 * A page with passages out counts as not indexed, so that they may be put in again until then.
 */
export async function unindexInTurns(here: PagePort, pages: readonly PageKey[], needles: Needles): Promise<void> {
  const passages: Passage[] = []
  for (const page of pages) for (const ord of await here.read(ordinalsOf(page))) passages.push({ page, ord })
  for (let at = 0; at + passagesAtOnce < passages.length; at += passagesAtOnce) {
    await here.write(() => unindex(passages.slice(at, at + passagesAtOnce), needles), passagesAtOnce)
  }
}

function* unindex(passages: readonly Passage[], needles: Needles): Program<void> {
  for (const some of Map.groupBy(passages, ({ page }) => page.id).values()) {
    const key = some[0]?.page
    const page = key === undefined ? undefined : yield* pageState(key.partition_id, key.id)
    const owner = page === undefined ? undefined : yield* findDerivedOf(page.partition_id)
    if (owner === undefined || page === undefined) continue
    yield* pageUnindexed(page.partition_id, page.id)
    owner.epoch += 1
    yield* eraseItemsAt(
      owner,
      some.map(({ ord }) => ord),
      needles,
    )
    yield* savePartition(owner)
  }
}

function* ordinalsOf({ id, partition_id: partition }: PageKey): Program<readonly number[]> {
  return yield* passageOrdinals(yield* nearTo(partition), id)
}
