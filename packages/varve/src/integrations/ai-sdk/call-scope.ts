import { InvalidOption } from '../../errors/invalid-option.ts'
import { InvalidScope } from '../../errors/invalid-scope.ts'
import { shown } from '../../errors/shown.ts'
import { validName } from '../../scope/name.ts'
import { parseScope, type ScopeInput } from '../../scope/scope.ts'

/** Whose memory a call uses, and how: bound to a model, or in `providerOptions.varve` of a call. */
export interface CallScope {
  /** Default: `default`. */
  readonly project?: string
  /** Default: the anonymous user. A key that is present but undefined is refused. */
  readonly user?: string
  /** The conversation. Needed wherever something is stored. */
  readonly session?: string
  /**
   * `on`: the model reads what is remembered, and the turn is stored. `read`: nothing is stored. `write`: nothing is put in. `off`:
   * neither. Default `on`.
   */
  readonly memory?: 'on' | 'read' | 'write' | 'off'
  /**
   * `host`: each call brings its whole conversation, as with useChat, so a first message that comes again is the same one.
   * `auto`: a call without an answer of the assistant may be the newest message alone, and “yes” may be said twice. Default `auto`.
   */
  readonly history?: 'auto' | 'host'
  /** Names a turn that may be sent again, such as by the id of a request: sent again, it stores nothing twice. */
  readonly turn?: string
}

/** A call's scope, checked. */
export interface CheckedScope {
  readonly of: ScopeInput
  /** Identifies the partition and the session. */
  readonly key: string
  readonly session: string | undefined
  readonly reads: boolean
  readonly writes: boolean
  readonly isHostsHistory: boolean
  readonly turn: string | undefined
}

const choices = { memory: ['on', 'read', 'write', 'off'], history: ['auto', 'host'] } as const
const known: ReadonlySet<string> = new Set(['project', 'user', 'session', 'memory', 'history', 'turn'])

/**
 * Joins the scope that a model is bound to with the one of a call. A call adds what the model's scope leaves open; it can
 * change no name in it. Throws InvalidScope or InvalidOption.
 */
export function joinedScope(bound: object, given: object): CheckedScope {
  const fields: Readonly<Record<string, unknown>> = { ...bound, ...given }
  const before: Readonly<Record<string, unknown>> = { ...bound }
  for (const [field, received] of Object.entries(fields)) {
    if (!known.has(field)) throw refused(field, received, `is unknown; known are ${[...known].join(', ')}`)
    const isName = field === 'project' || field === 'user' || field === 'session'
    if (isName && field in before && before[field] !== received) throw refused(field, received, 'is another than the model is bound to')
  }
  return checkedScope(fields)
}

/** Checks a scope. Throws InvalidScope or InvalidOption. */
export function checkedScope(fields: Readonly<Record<string, unknown>>): CheckedScope {
  const { project, user, session, turn } = fields
  const of: ScopeInput = Object({ ...('project' in fields ? { project } : {}), ...('user' in fields ? { user } : {}) })
  const { partition } = parseScope(of)
  if ('session' in fields) validName('session', session)
  if (turn !== undefined && (typeof turn !== 'string' || turn === '' || turn.length > 256))
    throw new InvalidOption({ option: 'turn', received: shown(turn), expected: 'a text of at most 256 characters' })
  const memory = chosen('memory', fields['memory'])
  const reads = memory === undefined || memory === 'on' || memory === 'read'
  const writes = memory === undefined || memory === 'on' || memory === 'write'
  if (writes && typeof session !== 'string') throw refused('session', session, 'must name the conversation in which the turn is stored')
  return {
    of,
    key: JSON.stringify([partition, session ?? null]),
    ...{ session: typeof session === 'string' ? session : undefined, reads, writes },
    isHostsHistory: chosen('history', fields['history']) === 'host',
    turn: typeof turn === 'string' ? turn : undefined,
  }
}

function chosen<Name extends keyof typeof choices>(option: Name, received: unknown): (typeof choices)[Name][number] | undefined {
  if (received === undefined) return undefined
  const found = choices[option].find((choice) => choice === received)
  if (found === undefined)
    throw new InvalidOption({ option, received: shown(received), expected: choices[option].map((choice) => `'${choice}'`).join(', ') })
  return found
}

function refused(field: string, received: unknown, reason: string): InvalidScope {
  return new InvalidScope({ field, received: shown(received), reason })
}
