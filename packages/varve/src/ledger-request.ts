import { givenObject, inRange, timeOption } from './scope/options.ts'
import { projectName } from './scope/partition.ts'
import { mostListedItems } from './storage/listed.ts'

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
    from: from === undefined ? 0 : timeOption('from', from),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : timeOption('to', to),
    limit: inRange('limit', limit ?? 1_000, 1, mostListedItems, true),
  }
}
