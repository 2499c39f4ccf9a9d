import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { VarveError } from '../errors/varve-error.ts'
import { messageWithoutPlace } from '../errors/without-place.ts'
import { defusedLines } from '../messages/defused.ts'

/** Runs some work. An error of Varve's reaches the client in its own words. Any other is our fault, and its words stay here. */
export async function inProtocolsWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (VarveError.is(error)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, defusedLines(messageWithoutPlace(error)))
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'the memory failed in an unexpected way')
  }
}
