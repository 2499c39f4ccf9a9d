/** The longest page of notes, in characters, whatever its tokens come to. */
export const maxNotesChars = 400_000
