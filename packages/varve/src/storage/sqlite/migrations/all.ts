import { log } from './0001-log.ts'
import { contextsAndReceipts } from './0002-contexts-and-receipts.ts'
import { embeddings } from './0003-embeddings.ts'
import { layers } from './0004-layers.ts'
import { known } from './0005-known.ts'
import { pages } from './0006-pages.ts'
import { longRows } from './0007-long-rows.ts'
import { instructionTable } from './0008-instructions.ts'
import { asides } from './0009-asides.ts'
import { forgottenIds } from './0010-forgotten-ids.ts'
import { books } from './0011-books.ts'
import { deeds } from './0011-deeds.ts'
import { imports } from './0011-imports.ts'
import { notedInSession } from './0011-noted-in.ts'
import { shownRecords } from './0011-past-contexts.ts'
import { saidIndex } from './0011-said.ts'
import { sharedFrom } from './0011-shared-from.ts'
import { signedReceipts } from './0011-signed-receipts.ts'
import { doors } from './0012-doors.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** Forward only: a migration that has landed is never edited (its checksum is stored and compared). */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'log', sql: log },
  { version: 2, name: 'contexts-and-receipts', sql: contextsAndReceipts },
  { version: 3, name: 'embeddings', sql: embeddings },
  { version: 4, name: 'layers', sql: layers },
  { version: 5, name: 'known', sql: known },
  { version: 6, name: 'pages', sql: pages },
  { version: 7, name: 'long-rows', sql: longRows },
  { version: 8, name: 'instructions', sql: instructionTable },
  { version: 9, name: 'asides', sql: asides },
  { version: 10, name: 'forgotten-ids', sql: forgottenIds },
  {
    version: 11,
    name: 'exports-and-books',
    sql: books + deeds + imports + notedInSession + shownRecords + saidIndex + sharedFrom + signedReceipts,
  },
  { version: 12, name: 'doors', sql: doors },
]

/** The newest schema that this Varve knows. */
export const schemaVersion = migrations.length
