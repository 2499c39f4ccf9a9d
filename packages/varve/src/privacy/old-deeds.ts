import { eraseOldDeeds, oldDeeds } from '../storage/deeds/old-deeds.ts'
import type { WritingHere } from '../storage/here.ts'
import { erasuresIn } from './pending-erasures.ts'

/** Erases the words of changes by hand that are too old to be taken back, some in each transaction. */
export async function eraseDeedsInTurns(here: WritingHere): Promise<void> {
  while ((await here.read(oldDeeds(here.now))).length > 0) {
    const { receipt, needles } = await here.write(() => eraseOldDeeds(here.now))
    erasuresIn(here).remember(receipt, needles)
  }
}
