import type { PartitionId } from '../scope/partition.ts'
import { tokenizerIn } from '../models/tokenizer.ts'
import type { Here } from '../storage/here.ts'
import type { ListRequest } from '../storage/listed.ts'
import { plain } from '../storage/offer.ts'
import { deedToRestore, listChanges } from './read-deeds.ts'
import { readSharing } from './sharing-report.ts'
import { correctionFits, listBank, pinFits } from './bank-of.ts'

/** The reads of banks. Those that render one are the context's: they mark states that have ended. */
export const bankReads = {
  entries: plain(listBank),
  history: (here: Here, partition: PartitionId, entry: string | undefined, request: ListRequest) =>
    listChanges(partition, entry, request, here.now),
  deed: plain(deedToRestore),
  sharingReport: plain(readSharing),
  pinFits: async (here: Here, partition: PartitionId, id: string) => here.read(pinFits(partition, id, await tokenizerIn(here))),
  correctionFits: async (here: Here, partition: PartitionId, id: string, lines: readonly string[]) =>
    here.read(correctionFits(partition, id, lines, await tokenizerIn(here))),
}
