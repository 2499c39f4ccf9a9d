import { redact } from '../redaction/redact.ts'
import type { Here } from '../storage/here.ts'
import { shownAt, plain } from '../storage/offer.ts'
import { dueOfSession, listNotes, notesRevisions, ownerOfNotes, readNotes, sessionToNote } from './read-notes.ts'

/** The reads of notes. */
export const notesReads = {
  read: plain(readNotes),
  get: shownAt(readNotes),
  list: plain(listNotes),
  revisions: plain(notesRevisions),
  due: plain(dueOfSession),
  toNote: plain(sessionToNote),
  owner: plain(ownerOfNotes),
  /** Gives a text without its secrets, as it may stand in a file. */
  shown: async (_here: Here, content: string): Promise<string> => {
    const {
      texts: [harmless = ''],
    } = await redact([content], 'model')
    return harmless
  },
}
