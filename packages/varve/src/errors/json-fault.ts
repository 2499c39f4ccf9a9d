const place = /\(line (\d{1,9}) column (\d{1,9})\)|at position (\d{1,9})/

/** Tells where a text stops being JSON, without the words around: JSON.parse quotes them in its error. */
export function jsonFault(error: unknown): string {
  const [, line, column, position] = (error instanceof Error ? place.exec(error.message) : null) ?? []
  if (line !== undefined && column !== undefined) return `at line ${line}, column ${column}`
  return position === undefined ? 'it ends early or is no JSON' : `at position ${position}`
}
