/** The longest description, in UTF-16 code units. */
export const maxDescriptionCharacters = 300
