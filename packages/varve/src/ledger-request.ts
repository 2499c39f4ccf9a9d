import { InvalidOption } from './errors/invalid-option.ts'
import { milliseconds } from './messages/time.ts'
import { givenObject, inRange } from './recall/request.ts'
import { shown } from './scope/name.ts'
import { projectName } from './scope/partition.ts'

/** Which requests to language models are told of. */
export interface LedgerOptions {
  readonly project?: string
  /** Begun at or after, and at or before: Date, ISO 8601 with offset, or UTC milliseconds. */
  readonly from?: Date | string | number
  readonly to?: Date | string | number
  /** Default 1,000. */
  readonly limit?: number
}

export function ledgerRequest(options: LedgerOptions): { project: string | undefined; from: number; to: number; limit: number } {
  const { project, from, to, limit } = givenObject('options', options)
  return {
    project: project === undefined ? undefined : projectName(project),
    from: from === undefined ? 0 : time('from', from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : time('to', to),
    limit: inRange('limit', limit ?? 1_000, 1, 1_000_000, true),
  }
}

function time(option: string, received: unknown): number {
  const parsed = milliseconds(received)
  if (parsed === undefined) throw new InvalidOption({ option, received: shown(received), expected: 'a Date, ISO 8601 with an offset, or UTC milliseconds' })
  return parsed
}
