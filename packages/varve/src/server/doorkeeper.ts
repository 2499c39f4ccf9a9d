import { Forbidden } from '../errors/forbidden.ts'
import { RateLimited } from '../errors/rate-limited.ts'
import { StoreFailed } from '../errors/store-failed.ts'
import { Unauthenticated } from '../errors/unauthenticated.ts'
import { VarveError } from '../errors/varve-error.ts'
import type { CallerKey } from '../keys/caller-key.ts'
import { actingAs, reaches, type Target, type UserRefusal } from '../keys/reach.ts'
import { admitted } from '../operations/admission.ts'
import type { DoorStore } from '../operations/door-store.ts'
import { actOf, callRefusal, type CallRefusal } from '../operations/rights.ts'
import { mostAuditItems } from '../observe/audit-entry.ts'
import { arrivalOf } from './arrival.ts'
import { AuditLog } from './audit/audit-log.ts'
import type { CallerAct, Caller, Doorkeeper, Whose } from './caller.ts'
import { KeyRing } from './keys/key-ring.ts'
import type { RateLimitOptions } from './limits/rate-limit-options.ts'
import { RateLimits } from './limits/rate-limits.ts'
import type { Route } from './routes.ts'

/** What a refused caller learns. It is the same for what exists and what does not. */
const reasons: Readonly<Record<UserRefusal | CallRefusal | 'origin', string>> = {
  'user-needed': 'this key acts for a user whom the header Varve-User names, and there is none',
  'user-not-allowed': 'this key may not name a user in the header Varve-User',
  'user-invalid': 'the header Varve-User names no user that there can be',
  'out-of-reach': 'this key does not reach it',
  'access-needed': 'this key reaches it, and may not do that',
  origin: 'this key may not write the words of such a speaker',
}

/** Lets callers in by their keys, and keeps them to what their keys allow. */
export class KeyDoorkeeper implements Doorkeeper {
  readonly #ring: KeyRing
  readonly #audit: AuditLog
  readonly #limits: RateLimits
  readonly #store: DoorStore

  constructor(store: DoorStore, limits: RateLimitOptions = {}) {
    this.#store = store
    this.#ring = new KeyRing(store)
    this.#audit = new AuditLog(store)
    this.#limits = new RateLimits(limits)
  }

  async admit(request: Request): Promise<Caller> {
    const acting = actingAs(await this.identify(request), userIn(request))
    if (typeof acting === 'string') throw refusal(acting)
    return { key: acting }
  }

  /** Gives the key of a request, before any user is named. Counts the request, or the failure. */
  async identify(request: Request): Promise<CallerKey> {
    const key = await this.#keyOf(request)
    const state = key === undefined ? await this.#limits.failure(arrivalOf(request).remote) : await this.#limits.request(key)
    if (!state.ok) throw new RateLimited({ retryAfterMs: Math.ceil(state.retryAfterMs) })
    if (key === undefined) throw new Unauthenticated()
    return key
  }

  /** Tells whether the key of a request that was let in still opens. */
  async stillStands(request: Request): Promise<boolean> {
    return (await this.#keyOf(request)) !== undefined
  }

  /** Calls back when a key may have ended in this process. Returns a function that ends this. */
  onKeyChange(told: () => void): () => void {
    return this.#store.onKeyChange(told)
  }

  async #keyOf(request: Request): Promise<CallerKey | undefined> {
    const text = keyIn(request)
    if (text === undefined) return undefined
    try {
      return await this.#ring.verify(text)
    } catch (cause) {
      // Nobody is let in yet: why the store cannot be read is not for everybody.
      if (!VarveError.is(cause) || cause.code === 'MEMORY_CLOSED') throw cause
      throw new StoreFailed({ operation: 'the key', reason: 'it cannot be looked up now' }, { cause })
    }
  }

  allow({ key }: Caller, route: Route, whose: Whose): void {
    const refused = callRefusal(key, route.operation, targetOf(route, whose))
    if (refused !== undefined) throw refusal(refused)
  }

  /** Throws Forbidden to whoever may not see how the whole store does. */
  allowOperator({ key }: Caller): void {
    if (key.access !== 'admin' || !reaches(key, { on: 'memory' })) throw refusal('out-of-reach')
  }

  claimed({ key }: Caller, route: Route, whose: Whose, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const admission = admitted(key, route.operation, targetOf(route, whose), fields)
    if ('refused' in admission) throw refusal(admission.refused)
    return admission.input
  }

  async note({ caller, operation, whose, status, requestId, fields, output }: CallerAct): Promise<void> {
    const deed = { key: caller.key.id, ...whose, act: actOf(operation, fields), operation: operation.name, status }
    await this.#audit.note({ ...deed, items: operation.kind === 'read' ? [] : idsIn(output), request: requestId })
  }

  async close(): Promise<void> {
    await this.#audit.close()
    await this.#ring.close()
  }
}

/** Gives the ids in the answer of a write: of what it made, of its receipt, of its messages. */
function idsIn(output: unknown): readonly string[] {
  const held = (name: string): unknown => Reflect.get(Object(output), name)
  const messages = held('messages')
  const items = [output, held('receipt'), held('message'), ...(Array.isArray(messages) ? messages.slice(0, mostAuditItems) : [])]
  return items.map((one): unknown => Reflect.get(Object(one), 'id')).filter((id) => typeof id === 'string')
}

export function refusal(reason: keyof typeof reasons): Forbidden {
  return new Forbidden({ reason: reasons[reason] })
}

/** Gives the key of a request, from the first header that may carry one. */
export function keyIn({ headers }: Request): string | undefined {
  const own = headers.get('varve-key')
  if (own !== null) return own
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
}

/** Gives the user whom a request names. Names are percent-encoded: a header has no letters beyond Latin-1. */
export function userIn({ headers }: Request): string | undefined {
  const text = headers.get('varve-user')
  return text === null ? undefined : decodedHeader(text)
}

/** Decodes a name in a header; an empty text, which names nobody, for one that cannot be decoded. */
export function decodedHeader(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return ''
    throw error
  }
}

function targetOf({ on }: Route, { project = '', user = '' }: Whose): Target {
  if (on === 'memory') return { on }
  return on === 'shared' ? { on: 'project', project } : { on, project, user }
}
