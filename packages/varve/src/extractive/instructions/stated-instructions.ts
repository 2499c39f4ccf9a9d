import type { SourceMessage, StatedInstruction } from '../../models/writer.ts'

/** The longest instruction, in UTF-16 code units. */
const mostCharacters = 300

const standing = /(?<=^|[.!?\n]\s*)(?:please )?(?:always|never|from now on|call me) [^.!?\n]+[.!]?/giu

/** Returns the sentences of persons that begin as standing instructions do. */
export function statedInstructions(messages: readonly SourceMessage[]): StatedInstruction[] {
  return messages.flatMap(({ origin, role, text }, message) =>
    origin !== 'person' || role !== 'user'
      ? []
      : [...text.matchAll(standing)]
          .map((match) => ({
            text: match[0].replace(/\s+/g, ' ').trim(),
            message,
            begins: match.index,
            ends: match.index + match[0].length,
            isWithdrawal: false,
          }))
          .filter((one) => one.text.length <= mostCharacters),
  )
}
