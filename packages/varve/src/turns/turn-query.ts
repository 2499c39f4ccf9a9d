/** The most characters of a question: the begin and the end of a long message. */
const maxQueryCharacters = 8_000

/** Makes the question to memory from the words of a message. */
export function turnQuery(said: string): string {
  const words = said.replaceAll('\0', ' ')
  if (words.length <= maxQueryCharacters) return words.toWellFormed()
  const half = maxQueryCharacters / 2
  return `${words.slice(0, half)}\n${words.slice(-half)}`.toWellFormed()
}
