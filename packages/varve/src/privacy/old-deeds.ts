import { eraseOldDeeds, oldDeeds } from '../storage/deeds/old-deeds.ts'
import { endOfTexts, eraseSomeTexts } from '../storage/deeds/kept-by.ts'
import { inChunks } from '../storage/chunks.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import { newReceipt } from '../storage/erase/erases.ts'
import type { WritingHere } from '../storage/here.ts'
import { Needles } from '../storage/needles.ts'
import { erasuresIn } from './pending-erasures.ts'

/** Erases the words of changes by hand that are too old to be taken back, some in each transaction. */
export async function eraseDeedsInTurns(here: WritingHere): Promise<void> {
  while ((await here.read(oldDeeds(here.now))).length > 0) {
    const { receipt, needles } = await here.write(() => eraseOldDeeds(here.now))
    erasuresIn(here).remember(receipt, needles)
  }
}

/** The most changes whose texts one transaction erases. */
const changesAtOnce = 50

/** Erases the texts kept for some changes: a receipt that is replayed says which. */
export async function eraseTextsInTurns(here: WritingHere, ids: readonly string[]): Promise<Erasure> {
  const [receipt, needles] = [newReceipt(here.now, { what: 'kept', ids }), new Needles()]
  for (const some of inChunks(ids, changesAtOnce)) await here.write(() => eraseSomeTexts(some, receipt, here.now, needles), some.length)
  return here.write(() => endOfTexts(receipt, here.now, needles))
}
