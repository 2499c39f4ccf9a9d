import { whenReady } from './asking.ts'
import type { CallOptions } from './call.ts'
import type { Ground } from './ground.ts'
import type { AppendInput } from './messages/message.ts'
import { batchPages, resultsOf } from './messages/pages.ts'
import { inSlices } from './messages/slices.ts'
import { type ValidMessage, validating } from './messages/validate.ts'
import { sessionName, type SessionName } from './scope/partition.ts'
import type { Scope } from './scope/scope.ts'
import type { Appended } from './storage/log/messages.ts'

export interface AppendResult {
  /** One entry a message, in the order in which they were given. */
  readonly messages: readonly Appended[]
  /** External ids that the session already had; those messages were not stored again. */
  readonly duplicates: readonly string[]
}

/**
 * Appends of one partition. A batch that takes long to check is checked in slices; those of a session are stored in
 * the order of their calls.
 */
export class Appending {
  readonly #ground: Ground
  readonly #scope: Scope
  /** By session, the last of the appends that are not sent yet. */
  readonly #unsent = new Map<SessionName, Promise<void>>()

  constructor(ground: Ground, scope: Scope) {
    this.#ground = ground
    this.#scope = scope
  }

  async append(session: string, messages: AppendInput | readonly AppendInput[], options: CallOptions): Promise<AppendResult> {
    const name = sessionName(session)
    const batch = inSlices(validating(messages, this.#ground.clock.now()))
    if (!(batch instanceof Promise) && batch.length === 0) return { messages: [], duplicates: [] }
    // It may fail where nobody waits for it any more.
    if (batch instanceof Promise) void Promise.allSettled([batch])
    const appended = await whenReady(
      'append',
      options,
      () => this.#ground.ready(this.#scope),
      () => this.#send(name, batch, options),
    )
    return this.#told(session, appended)
  }

  /** At once where it can be; else once it is checked, after those before it. */
  #send(session: SessionName, batch: ValidMessage[] | Promise<ValidMessage[]>, options: CallOptions): Promise<readonly Appended[]> {
    const { engine, accepted } = this.#ground
    const before = this.#unsent.get(session)
    if (before === undefined && !(batch instanceof Promise)) return engine.write('log.append', this.#scope.partition, session, batch)
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const cut = cutOf(options)
    const release = (): void => {
      resolve()
      if (this.#unsent.get(session) === sent) this.#unsent.delete(session)
    }
    return accepted(async ({ write }) => {
      this.#unsent.set(session, sent)
      try {
        const pages = await inSlices(batchPages(await batch))
        await before
        cut?.throwIfAborted()
        const stored = write('log.appendPages', this.#scope.partition, session, pages)
        release()
        return await inSlices(resultsOf(await stored))
      } finally {
        // One that failed early lets nobody pass those before it.
        await before
        release()
      }
    })
  }

  #told(session: string, appended: readonly Appended[]): AppendResult {
    const { observer, appended: hint } = this.#ground
    const duplicates = appended.flatMap((message) => (message.duplicate && message.externalId !== undefined ? [message.externalId] : []))
    const messages = appended.length - duplicates.length
    observer.count('appended', messages)
    observer.count('duplicates', duplicates.length)
    hint()
    const { project, owner } = this.#scope
    observer.emit({
      type: 'appended',
      project,
      ...(owner.kind === 'user' ? { user: owner.name } : {}),
      session,
      messages,
      duplicates: duplicates.length,
    })
    return { messages: appended, duplicates }
  }
}

/** What tells that nobody waits any more: then nothing is sent. */
function cutOf({ signal, deadlineMs }: CallOptions): AbortSignal | undefined {
  if (deadlineMs === undefined) return signal
  const over = AbortSignal.timeout(deadlineMs)
  return signal === undefined ? over : AbortSignal.any([signal, over])
}
