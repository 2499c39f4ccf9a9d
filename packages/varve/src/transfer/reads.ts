import { plain } from '../storage/offer.ts'
import { beginExport } from './begin.ts'
import { readSection } from './sections.ts'

/** The reads of an export. */
export const transferReads = { begin: plain(beginExport), section: plain(readSection) }
