import type { AuditNote } from '../observe/audit-entry.ts'
import { noteAudit } from '../storage/doors/audit.ts'
import { createKey, noteKeyUse, revokeKey } from '../storage/doors/caller-keys.ts'
import type { WritingHere } from '../storage/here.ts'
import { timed } from '../storage/offer.ts'

/** The writes of callers' keys, and of what callers did. */
export const callerWrites = {
  createKey: timed(createKey),
  revokeKey: timed(revokeKey),
  noteUse: timed(noteKeyUse),
  noteAudit: (here: WritingHere, notes: readonly AuditNote[]) => here.write(() => noteAudit(notes, here.now), notes.length),
}
