import { InvalidOption } from './errors/invalid-option.ts'
import type { Ground } from './ground.ts'
import { checkText, validMetadata } from './messages/validate.ts'
import { shown } from './scope/name.ts'
import { type List, listOf, type ListOptions, listRequest } from './list.ts'
import { givenObject } from './scope/options.ts'
import { sessionName } from './scope/partition.ts'
import type { Scope } from './scope/scope.ts'
import type { Receipt } from './storage/erase/receipts.ts'
import { isSwitched, switchedLayers } from './storage/layers.ts'
import type { Session, SessionChanges, SessionLayers } from './storage/log/sessions.ts'
import type { ChangedSession } from './messages/writes.ts'

/** With the receipt of what was withdrawn from what the project shares, where something was. */
export interface Withdrawn {
  readonly receipt?: Receipt
}

/** The conversations of a partition. */
export class UserSessions {
  readonly #ground: Ground
  readonly #scope: Scope
  readonly #forget: (session: string) => Promise<Receipt>

  constructor(ground: Ground, scope: Scope, forget: (session: string) => Promise<Receipt>) {
    this.#ground = ground
    this.#scope = scope
    this.#forget = forget
  }

  /**
   * Makes the session if it is not there, and sets what is given; what is not given stays. With `share: false`, what
   * it fed to its project is withdrawn.
   */
  async ensure(id: string, details: SessionChanges = {}): Promise<Session & Withdrawn> {
    const { engine } = this.#ground
    const name = sessionName(id)
    const changes = checkedDetails(details)
    return this.#kept(() => engine.write('log.ensureSession', this.#scope.partition, name, changes))
  }

  /**
   * Newest talk first; default limit 100. A list of over 16 MiB of text ends early; its own `cursor` says where the next one goes on,
   * when there are more.
   */
  async list(options: ListOptions = {}): Promise<List<Session>> {
    const request = listRequest(options, { usual: 100, most: 100_000 })
    return listOf(await this.#call(() => this.#ground.engine.read('log.sessions', this.#scope.partition, request)))
  }

  /** NotFound when there is no such session in this partition. */
  async get(id: string): Promise<Session> {
    const name = sessionName(id)
    return this.#call(() => this.#ground.engine.read('log.session', this.#scope.partition, name))
  }

  async rename(id: string, name: string): Promise<Session> {
    return this.#change(id, { name })
  }

  /** Whether the session may feed what the project shares; with false, what it did feed is withdrawn. */
  async share(id: string, share: boolean): Promise<Session & Withdrawn> {
    return this.#change(id, { share })
  }

  /** Forgets the session: its messages, its name, and all that rests on them. */
  async delete(id: string): Promise<Receipt> {
    return this.#forget(sessionName(id))
  }

  async #change(id: string, details: SessionChanges): Promise<Session & Withdrawn> {
    const name = sessionName(id)
    const changes = checkedDetails(details)
    const { engine } = this.#ground
    return this.#kept(() => engine.write('log.changeSession', this.#scope.partition, name, changes))
  }

  #kept(change: () => Promise<ChangedSession>): Promise<Session & Withdrawn> {
    return this.#call(async () => {
      const { session, receipt } = await change()
      return receipt === undefined ? session : { ...session, receipt: await this.#ground.finishErasure(receipt) }
    })
  }

  async #call<Result>(start: () => Promise<Result>): Promise<Result> {
    const ready = this.#ground.ready(this.#scope)
    if (ready !== undefined) await ready
    return start()
  }
}

const maxSessionNameBytes = 1024
const detailNames: ReadonlySet<string> = new Set(['name', 'share', 'metadata', 'layers'])

function checkedDetails(details: SessionChanges): SessionChanges {
  const refuse = (field: string, reason: string): never => {
    throw new InvalidOption({ option: field, received: shown(details), expected: `valid, but it ${reason}` })
  }
  const unknown = Object.keys(givenObject('session', details)).find((key) => !detailNames.has(key))
  if (unknown !== undefined) refuse(unknown, `is not known: a session has ${[...detailNames].join(', ')}`)
  const { name, share, metadata, layers } = details
  if (name !== undefined) checkText('name', name, maxSessionNameBytes, refuse)
  if (share !== undefined && typeof share !== 'boolean') refuse('share', 'is not true or false')
  if (metadata !== undefined) validMetadata(metadata, refuse)
  if (layers !== undefined) checkLayers(layers, refuse)
  return {
    ...(name === undefined ? {} : { name }),
    ...(share === undefined ? {} : { share }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(layers === undefined ? {} : { layers }),
  }
}

function checkLayers(layers: SessionLayers, refuse: (field: string, reason: string) => never): void {
  for (const [layer, on] of Object.entries(givenObject('layers', layers))) {
    if (!isSwitched(layer)) refuse(`layers.${layer}`, `is not known: layers are ${switchedLayers.join(', ')}`)
    if (typeof on !== 'boolean' && on !== null) refuse(`layers.${layer}`, 'is not true, false or null')
  }
}
