import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { VarveError } from '../errors/varve-error.ts'
import { messageWithoutPlace } from '../errors/without-place.ts'
import { defusedLines } from '../messages/defused.ts'

/** Does a work. Gives an error in words of Varve's own. What is none of Varve's is a fault of ours: its words are not for a client. */
export async function inProtocolsWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (VarveError.is(error)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, defusedLines(messageWithoutPlace(error)))
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'the memory failed in an unexpected way')
  }
}
