import type { CopyingHere } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'
import { beginExport } from './begin.ts'
import { readSection } from './sections.ts'
import { waitingImport, waitingImports } from './waiting-import.ts'

/** The reads of an export, of imports that wait, and of a backup. */
export const transferReads = {
  begin: plain(beginExport),
  section: plain(readSection),
  imports: plain(waitingImports),
  import: plain(waitingImport),
  /** Copies the store into a new file. `at` is the store's time before the copy: what was acknowledged by then is in it. */
  copy: async (here: CopyingHere, file: string) => ({ ...(await here.copyTo(file, here.signal)), at: here.now }),
}
