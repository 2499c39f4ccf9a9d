import { InvalidOption } from '../errors/invalid-option.ts'

/** The error for a target whose rows are not those of the source, though they were all moved. */
export function unlikeSource(received: string, difference: string, cause?: unknown): InvalidOption {
  const expected =
    `an empty store: ${difference}. Either somebody wrote to it, or the source was changed after a move that was stopped. ` +
    'Empty it, and move again'
  return new InvalidOption({ option: 'to', received, expected }, { cause })
}

/** The error for rows that the target has already, though the move has not stored them. */
export function rowsAlreadyThere(received: string, table: string, cause: unknown): InvalidOption {
  return unlikeSource(received, `rows of ${table} are there already`, cause)
}
