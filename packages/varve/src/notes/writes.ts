import { receipted, timed } from '../storage/offer.ts'
import { deleteNotes, editNotes, restoreNotes, storeNotes } from './write-notes.ts'

/** What can be changed of notes. */
export const notesWrites = { edit: timed(editNotes), restore: timed(restoreNotes), delete: receipted(deleteNotes), store: timed(storeNotes) }
