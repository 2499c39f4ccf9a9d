import type { PageKey } from '../storage/pages/pages.ts'
import { dropContextsOfPage } from '../storage/erase/contexts-ahead.ts'
import { PageTelling, type ToldPage } from '../storage/erase/page-erasure.ts'
import type { Needles } from '../storage/needles.ts'
import { pageState, textsOfRevisions } from '../storage/pages/page-state.ts'
import type { PagePort } from './port.ts'
import { inTurns } from './turns.ts'
import { unindexInTurns } from './unindex.ts'

/**
 * Prepares the deletion of a page, so that its transaction is short. It drops the contexts that showed the page, takes
 * its passages out of the index, and reads all its revisions, one a turn.
 */
export async function readyToDelete(here: PagePort, key: PageKey, needles: Needles): Promise<ToldPage | undefined> {
  await dropContextsOfPage(here, key, needles)
  await unindexInTurns(here, [key], needles)
  const page = await here.read(pageState(key.partition_id, key.id))
  if (page === undefined) return undefined
  const telling = new PageTelling()
  for (let after = 0; ;) {
    const [one] = await here.read(textsOfRevisions(key.partition_id, key.id, after, 1))
    if (one === undefined) return telling.told(page.revision)
    after = one.revision
    await inTurns(
      (function* () {
        yield
        telling.add(one)
      })(),
    )
  }
}
