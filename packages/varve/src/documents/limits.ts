/** A document's bounds, in UTF-16 code units: its content fits a small model's window beside what is asked of it. */
export const maxContentCharacters = 16_000
export const maxDescriptionCharacters = 300
