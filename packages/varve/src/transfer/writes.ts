import { plain } from '../storage/offer.ts'
import { applyNext, beginApplying } from './apply/apply-import.ts'
import { discardImport } from './discard.ts'
import { beginImport, dropComing, endStaging, stageLines } from './staging.ts'

/** The writes of an import. */
export const transferWrites = {
  begin: beginImport,
  stage: stageLines,
  end: plain(endStaging),
  accept: plain(beginApplying),
  apply: applyNext,
  /** Drops what was stored of lines that could not be read to their end. */
  drop: dropComing,
  discard: discardImport,
}
