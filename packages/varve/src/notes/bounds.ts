/** The longest page of notes, in characters, however few its tokens are. */
export const maxNotesChars = 400_000
