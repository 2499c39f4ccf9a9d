import type { ImportedBatch, ImportHandle } from './importer.ts'
import type { ImportTarget, ImportTargets } from './import-targets.ts'
import type { SkipReason } from './reasons.ts'
import type { StatedOwner } from './stated-owner.ts'
import { type ValidMessage, validMessages } from '../messages/validate.ts'
import { hash } from './text.ts'

/** The most messages of a file that are told apart. Later ones count as new. */
const mostMet = 10_000_000

/** Finds the targets of an import that stores nothing: their handles answer as the store would. */
export class DryTargets implements ImportTargets {
  readonly #targets: ImportTargets
  readonly #now: () => number
  readonly #met = new MetMessages()

  constructor(targets: ImportTargets, now: () => number) {
    this.#targets = targets
    this.#now = now
  }

  get severalAccounts(): boolean | undefined {
    return this.#targets.severalAccounts
  }

  set severalAccounts(several: boolean | undefined) {
    this.#targets.severalAccounts = several
  }

  restsOnAccounts(stated: StatedOwner | undefined): boolean {
    return this.#targets.restsOnAccounts(stated)
  }

  targetOf(stated: StatedOwner | undefined): ImportTarget | SkipReason {
    const target = this.#targets.targetOf(stated)
    return typeof target === 'string' ? target : { key: target.key, handle: this.#dry(target) }
  }

  #dry({ key, handle }: ImportTarget): ImportHandle {
    return {
      append: async (session, given, { restoreForgotten = false } = {}): Promise<ImportedBatch> => {
        // The store's own check: what it would refuse is refused here.
        const messages = validMessages(given, this.#now())
        const { stored, forgotten } = await standingOf(handle, session, messages)
        const leftOut = new Set(restoreForgotten ? [] : forgotten)
        const known = new Set(stored)
        const gone = messages.flatMap(({ externalId }) =>
          externalId !== null && leftOut.has(externalId) && !known.has(externalId) ? [externalId] : [],
        )
        const written = messages
          .map(({ externalId }) => externalId ?? '')
          .filter((id) => known.has(id) || !leftOut.has(id))
          .map((id) => ({ id, duplicate: known.has(id) || this.#met.before(key, session, id) }))
        return { messages: written, duplicates: written.filter(({ duplicate }) => duplicate).map(({ id }) => id), forgotten: gone }
      },
      // It names no session.
      sessions: { get: async () => ({ name: '' }), ensure: async () => undefined },
    }
  }
}

async function standingOf(handle: ImportHandle, session: string, messages: readonly ValidMessage[]) {
  const named = messages.flatMap(({ externalId, role, saidAt }) => (externalId === null ? [] : [{ externalId, role, saidAt }]))
  return (await handle.standing?.(session, named)) ?? { stored: [], forgotten: [] }
}

/** The messages that a dry run met, by 52 bits of a hash: a million take some 50 MB. */
class MetMessages {
  readonly #known = new Set<number>()

  /** Tells whether a message was met before, and remembers it. */
  before(target: string, session: string, id: string): boolean {
    const message = Number.parseInt(hash(target, session, id).slice(0, 13), 16)
    if (this.#known.has(message)) return true
    if (this.#known.size < mostMet) this.#known.add(message)
    return false
  }
}
