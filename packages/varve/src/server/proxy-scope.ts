import { VarveError } from '../errors/varve-error.ts'
import type { CallerKey } from '../keys/caller-key.ts'
import { actingAs, anonymousUser, reaches } from '../keys/reach.ts'
import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { appendOperation } from '../operations/append.ts'
import { withinOrigins } from '../operations/claimed-words.ts'
import { contextOperation } from '../operations/context.ts'
import { defaultProject } from '../scope/scope.ts'
import { arrivalOf } from './arrival.ts'
import type { CallerAct } from './caller.ts'
import { decodedHeader, type KeyDoorkeeper, refusal, userIn } from './doorkeeper.ts'
import { problemOf, statusFor } from './problem.ts'
import type { ProxyScope } from './proxy/proxy-means.ts'

/**
 * Tells whose memory a proxied call uses. The key says it; where the key reaches more, the headers Varve-Project and
 * Varve-User do. Without them it is the anonymous user of the project `default`.
 */
export function proxyScopeOf(memory: Memory, doorkeeper: KeyDoorkeeper) {
  return async (request: Request): Promise<ProxyScope | Response> => {
    try {
      return scopeOf(memory, doorkeeper, await doorkeeper.identify(request), request)
    } catch (error) {
      if (!VarveError.is(error)) throw error
      return problemOf(error, arrivalOf(request).requestId)
    }
  }
}

/** A key as a request narrows it, and the user whose memory the request is about; `~` is the anonymous one. */
export interface ActingKey {
  readonly acting: CallerKey
  readonly project: string
  readonly user: string
}

/**
 * Tells whose memory a request without a path for it is about. Throws Forbidden where the key does not reach it.
 */
export function actingKeyOf(identified: CallerKey, request: Request): ActingKey {
  const named = userIn(request)
  // Another key than a gateway's may name any user that it reaches: that narrows it.
  const acting = identified.impersonate ? actingAs(identified, named) : identified
  if (typeof acting === 'string') throw refusal(acting)
  const header = request.headers.get('varve-project')
  const project = header === null ? (acting.project ?? defaultProject) : decodedHeader(header)
  const user = acting.user ?? named ?? anonymousUser
  if ((named !== undefined && named !== user) || !reaches(acting, { on: 'user', project, user })) throw refusal('out-of-reach')
  return { acting, project, user }
}

function scopeOf(memory: Memory, doorkeeper: KeyDoorkeeper, identified: CallerKey, request: Request): ProxyScope {
  const { acting, project, user } = actingKeyOf(identified, request)
  const handle = memory.for(user === anonymousUser ? { project } : { project, user })
  return {
    ...{ project, keyId: acting.id, may: { read: true, write: acting.access !== 'read' } },
    ...(user === anonymousUser ? {} : { user }),
    memory: audited(handle, doorkeeper, { caller: { key: acting }, whose: { project, user }, requestId: arrivalOf(request).requestId }),
  }
}

type Called = Pick<CallerAct, 'caller' | 'whose' | 'requestId'>

/** Keeps what is stored of a reply to the origins that its key may claim, and notes what was read and stored. */
function audited(handle: UserMemory, doorkeeper: KeyDoorkeeper, called: Called): Pick<UserMemory, 'context' | 'append'> {
  const noted = async <Output>(operation: CallerAct['operation'], run: () => Promise<Output>): Promise<Output> => {
    const note = (status: number, output: unknown) => doorkeeper.note({ ...called, operation, status, fields: {}, output })
    try {
      const output = await run()
      await note(200, output)
      return output
    } catch (error) {
      if (VarveError.is(error)) await note(statusFor(error), undefined)
      throw error
    }
  }
  return {
    context: (options) => noted(contextOperation, () => handle.context(options)),
    append: (session, messages, options) =>
      noted(appendOperation, async () => {
        if (withinOrigins(called.caller.key.origins, appendOperation, { messages }) === undefined) throw refusal('origin')
        return handle.append(session, messages, options)
      }),
  }
}
