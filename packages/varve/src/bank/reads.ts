import type { PartitionId } from '../scope/partition.ts'
import { tokenizerIn } from '../models/tokenizer.ts'
import type { Here } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'
import { bankStats, correctionFits, listBank, pinFits, renderedBank } from './bank-of.ts'
import { shownBanksIn } from './shown-banks.ts'

/** The reads of banks. */
export const bankReads = {
  entries: plain(listBank),
  stats: async (here: Here, partition: PartitionId) =>
    here.read(bankStats(shownBanksIn(here), partition, here.now, await tokenizerIn(here))),
  render: async (here: Here, partition: PartitionId, maxTokens: number | undefined) =>
    here.read(renderedBank(shownBanksIn(here), partition, { maxTokens, now: here.now }, await tokenizerIn(here))),
  pinFits: async (here: Here, partition: PartitionId, id: string) => here.read(pinFits(partition, id, await tokenizerIn(here))),
  correctionFits: async (here: Here, partition: PartitionId, id: string, lines: readonly string[]) =>
    here.read(correctionFits(partition, id, lines, await tokenizerIn(here))),
}
