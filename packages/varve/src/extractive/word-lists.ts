/** Returns the words of a text that has one space between two of them. */
export function spacedWords(text: string): readonly string[] {
  return text.split(' ')
}

/** Returns the same words as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(spacedWords(text))
}

/** Phrases with a comma and a space between two of them. Each is the source of a regular expression. */
export function phrases(text: string): readonly string[] {
  return text.split(', ')
}

/** Returns a table: `kids: child, sons: son`. Its words and its values may have blanks. */
export function wordTable(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(phrases(text).map((entry): [string, string] => [entry.split(': ')[0] ?? '', entry.split(': ')[1] ?? '']))
}
