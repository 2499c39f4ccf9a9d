import { dropContextsOfPage } from '../storage/erase/contexts-ahead.ts'
import { PageTelling, type ToldPage } from '../storage/erase/page-erasure.ts'
import type { Needles } from '../storage/needles.ts'
import { pageState, textsOfRevisions } from '../storage/pages/page-state.ts'
import type { PagePort } from './port.ts'
import { inTurns } from './turns.ts'
import { unindexInTurns } from './unindex.ts'

/**
 * Makes the deletion of a page a short transaction: drops the contexts that showed it, takes its passages out of the
 * index, and reads what it ever said, a revision a turn.
 */
export async function readyToDelete(here: PagePort, id: number, needles: Needles): Promise<ToldPage | undefined> {
  await dropContextsOfPage(here, id, needles)
  await unindexInTurns(here, [id], needles)
  const page = await here.read(pageState(id))
  if (page === undefined) return undefined
  const telling = new PageTelling()
  for (let after = 0; ;) {
    const [one] = await here.read(textsOfRevisions(id, after, 1))
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
