import { Forbidden } from '../errors/forbidden.ts'
import { Unauthenticated } from '../errors/unauthenticated.ts'
import { actingAs, reaches, type Target, type UserRefusal } from '../keys/reach.ts'
import type { DoorStore } from '../operations/door-store.ts'
import type { Act, Caller, Doorkeeper, Whose } from './caller.ts'
import { KeyRing } from './keys/key-ring.ts'
import type { Route } from './routes.ts'

const refusals: Readonly<Record<UserRefusal, string>> = {
  'user-needed': 'this key acts for a user whom the header Varve-User names, and there is none',
  'user-not-allowed': 'this key may not name a user in the header Varve-User',
  'user-invalid': 'the header Varve-User names no user that there can be',
}

/** Lets callers in by their keys. */
export class KeyDoorkeeper implements Doorkeeper {
  readonly #ring: KeyRing

  constructor(store: DoorStore) {
    this.#ring = new KeyRing(store)
  }

  async admit(request: Request, _remote: string): Promise<Caller> {
    const text = keyIn(request)
    const key = text === undefined ? undefined : await this.#ring.verify(text)
    if (key === undefined) throw new Unauthenticated()
    const named = request.headers.get('varve-user')
    const acting = actingAs(key, named === null ? undefined : decodedHeader(named))
    if (typeof acting === 'string') throw new Forbidden({ reason: refusals[acting] })
    return { key: acting }
  }

  allow({ key }: Caller, route: Route, whose: Whose): void {
    if (!reaches(key, targetOf(route, whose))) throw new Forbidden({ reason: 'this key does not reach it' })
  }

  /** Throws Forbidden to whoever may not see how the whole store does. */
  allowOperator({ key }: Caller): void {
    if (key.access !== 'admin' || !reaches(key, { on: 'memory' })) throw new Forbidden({ reason: 'this key does not reach it' })
  }

  claimed(_caller: Caller, _route: Route, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return fields
  }

  note(_act: Act): Promise<void> | undefined {
    return undefined
  }

  async close(): Promise<void> {
    await this.#ring.close()
  }
}

/** Gives the key of a request, from the first header that may carry one. */
export function keyIn({ headers }: Request): string | undefined {
  const own = headers.get('varve-key')
  if (own !== null) return own
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
}

/** Reads a name in a header: percent-encoded, since a header has no letters beyond Latin-1. */
function decodedHeader(text: string): string {
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
