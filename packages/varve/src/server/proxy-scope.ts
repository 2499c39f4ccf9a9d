import { Forbidden } from '../errors/forbidden.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { CallerKey } from '../keys/caller-key.ts'
import { actingAs, anonymousUser, reaches } from '../keys/reach.ts'
import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { appendOperation } from '../operations/append.ts'
import { withinOrigins } from '../operations/claimed-words.ts'
import { defaultProject } from '../scope/scope.ts'
import { decodedHeader, type KeyDoorkeeper, refusal, userIn } from './doorkeeper.ts'
import { problemOf } from './problem.ts'
import type { ProxyScope } from './proxy/proxy-means.ts'

/**
 * Tells whose memory a proxied call uses. The key says it; where the key reaches more, the headers Varve-Project and
 * Varve-User do. Without them it is the anonymous user of the project `default`.
 */
export function proxyScopeOf(memory: Memory, doorkeeper: KeyDoorkeeper, newId: () => string) {
  return async (request: Request): Promise<ProxyScope | Response> => {
    try {
      return scopeOf(memory, await doorkeeper.identify(request), request)
    } catch (error) {
      if (!VarveError.is(error)) throw error
      return problemOf(error, newId())
    }
  }
}

function scopeOf(memory: Memory, identified: CallerKey, request: Request): ProxyScope {
  const named = userIn(request)
  // Another key than a gateway's may name any user that it reaches: that narrows it.
  const acting = identified.impersonate ? actingAs(identified, named) : identified
  if (typeof acting === 'string') throw refusal(acting)
  const header = request.headers.get('varve-project')
  const project = header === null ? (acting.project ?? defaultProject) : decodedHeader(header)
  const user = acting.user ?? named ?? anonymousUser
  if ((named !== undefined && named !== user) || !reaches(acting, { on: 'user', project, user })) throw refusal('out-of-reach')
  const handle = memory.for(user === anonymousUser ? { project } : { project, user })
  return {
    ...{ project, keyId: acting.id, may: { read: true, write: acting.access !== 'read' } },
    ...(user === anonymousUser ? {} : { user }),
    memory: claiming(handle, acting),
  }
}

/** Keeps what is stored of a reply to the origins that its key may claim. */
function claiming(handle: UserMemory, { origins }: CallerKey): Pick<UserMemory, 'context' | 'append'> {
  return {
    context: (options) => handle.context(options),
    append: (session, messages, options) => {
      if (withinOrigins(origins, appendOperation, { messages }) === undefined)
        throw new Forbidden({ reason: 'this key may not write such words' })
      return handle.append(session, messages, options)
    },
  }
}
