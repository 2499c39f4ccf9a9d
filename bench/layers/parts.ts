import { bankPart } from './bank-part.ts'
import { beginningsPart } from './beginnings-part.ts'
import { costPart } from './cost-part.ts'
import { factsPart } from './facts-part.ts'
import { gistsPart } from './gists-part.ts'
import { fusingPart } from './fusing-part.ts'
import { documentsPart, notesPart } from './pages-part.ts'
import type { LayerPart } from './part.ts'
import { profilePart } from './profile-part.ts'
import { timesPart } from './times-part.ts'

/** The parts of bench:layers on each talk, in the order of printing. A new part is a line here. */
export const layerParts: readonly LayerPart[] = [
  timesPart,
  beginningsPart,
  gistsPart,
  bankPart,
  profilePart,
  factsPart,
  documentsPart,
  notesPart,
  costPart,
]

/** The parts that need no talk: a scripted model reads a made-up one. They are measured once. */
export const scriptedParts: readonly LayerPart[] = [fusingPart]
