import { plain } from '../storage/offer.ts'
import { beginExport } from './begin.ts'
import { readSection } from './sections.ts'
import { waitingImport, waitingImports } from './waiting-import.ts'

/** The reads of an export, and of imports that wait. */
export const transferReads = {
  begin: plain(beginExport),
  section: plain(readSection),
  imports: plain(waitingImports),
  import: plain(waitingImport),
}
