/** Returns the words of a text that has blanks or line breaks between two of them. */
export function spacedWords(text: string): readonly string[] {
  return text.trim().split(/\s+/u)
}

/** Returns the same words as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(spacedWords(text))
}

/** Phrases with a comma and a blank between two of them. Each is the source of a regular expression. */
export function phrases(text: string): readonly string[] {
  return text.split(/,\s+/u)
}

/** Returns a table: `kids: child, sons: son`. Its words and its values may have blanks. */
export function wordTable(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(phrases(text).map((entry): [string, string] => [entry.split(': ')[0] ?? '', entry.split(': ')[1] ?? '']))
}

/** Returns the source of a regular expression, as written. A line break in it counts for nothing, nor do the blanks after it. */
export function source({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: raw.map((text) => text.replaceAll(/\n */gu, '')) }, ...parts)
}

/** Makes a regular expression of a source over several lines: see `source`. */
export function regex(flags: string): (template: TemplateStringsArray, ...parts: readonly string[]) => RegExp {
  return (template, ...parts) => new RegExp(source(template, ...parts), flags)
}
