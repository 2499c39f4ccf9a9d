import { VarveError } from '../errors/varve-error.ts'
import { anonymousUser } from '../keys/reach.ts'
import type { Memory } from '../memory/memory.ts'
import { admitted } from '../operations/admission.ts'
import { actOf } from '../operations/rights.ts'
import type { MakeCall } from '../operations/tools/make-call.ts'
import type { KeyDoorkeeper } from './doorkeeper.ts'
import { refusal } from './doorkeeper.ts'
import type { ErasureWatch } from './erasure-watch.ts'
import { statusFor } from './problem.ts'
import type { ActingKey } from './proxy-scope.ts'

/** The means of calls that are no request of their own. */
export interface AuditedMeans {
  readonly memory: Memory
  readonly doorkeeper: Pick<KeyDoorkeeper, 'note'>
  readonly erasures: Pick<ErasureWatch, 'tryLook'>
  /** The deadline of a read that names none: milliseconds. */
  readonly readDeadlineMs: number
}

/**
 * Makes the calls of a key on one user. Each is admitted as a request of its own is: what the key may do, and the origins that it
 * may claim. Each has its entry in the audit.
 */
export function auditedCalls(means: AuditedMeans, { acting, project, user }: ActingKey, requestId: string): MakeCall {
  const { memory, doorkeeper, erasures, readDeadlineMs } = means
  const calls = memory.callsFor(user === anonymousUser ? { project } : { project, user })
  const called = { caller: { key: acting }, whose: { project, user }, requestId }
  return async (operation, given, { signal }: { readonly signal?: AbortSignal }) => {
    const note = (fields: object, status: number, output: unknown) => doorkeeper.note({ ...called, operation, fields, status, output })
    let fields = given
    try {
      const admission = admitted(acting, operation, { on: 'user', project, user }, given)
      if ('refused' in admission) throw refusal(admission.refused)
      fields = admission.input
      // A write goes on when its caller goes.
      const bounds = operation.kind === 'write' ? {} : { deadlineMs: readDeadlineMs, ...(signal === undefined ? {} : { signal }) }
      const output = await calls.call(operation, fields, bounds)
      if (actOf(operation, fields) === 'forget') await erasures.tryLook()
      await note(fields, 200, output)
      return output
    } catch (error) {
      if (VarveError.is(error)) await note(fields, statusFor(error), undefined)
      throw error
    }
  }
}
