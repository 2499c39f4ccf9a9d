import type { PartitionMeans } from '../../operations/means.ts'
import type { Fields, OperationOf } from '../../operations/operation.ts'
import type { Calls } from './calls.ts'

/** Makes a call whose answer comes in pieces. The call is made when the first piece is asked for. */
export async function* streamed<Input extends Fields, Piece>(
  calls: Calls<PartitionMeans>,
  operation: OperationOf<PartitionMeans, Input, AsyncIterable<Piece>>,
  options: object,
): AsyncGenerator<Piece, void> {
  yield* await calls.call(operation, {}, options)
}
