import * as z from 'zod'
import { AppendIncomplete } from '../errors/append-incomplete.ts'
import type { AppendResult } from '../log/append-result.ts'
import { batchPages, resultsOf } from '../log/pages.ts'
import { inSlices } from '../messages/slices.ts'
import { type SkippedMessage, type ValidBatch, type ValidMessage, validating } from '../messages/validate.ts'
import type { SessionName } from '../scope/partition.ts'
import type { Retold } from '../storage/log/append-keys.ts'
import type { Appended } from '../storage/log/appended.ts'
import { session, asGiven, flag, typed } from './fields.ts'
import type { PartitionMeans } from './means.ts'
import type { CallOptions } from './call-options.ts'
import { operation } from './operation.ts'

const longestKey = 255
const asKey = { error: `a text of 1 to ${longestKey} characters` }

const messageJson = {
  type: 'object',
  properties: {
    role: { type: 'string', enum: ['user', 'assistant', 'tool', 'system'], description: 'The speaker.' },
    content: { type: 'string', description: 'The words.' },
    at: { type: ['string', 'number'], description: 'The time of speaking. Default: now.' },
    id: { type: 'string', description: 'The caller’s own id: a message whose id the session has is a duplicate.' },
    name: { type: 'string', description: 'The name of the speaker.' },
  },
  required: ['role', 'content'],
}

export const appendOperation = operation({
  name: 'append',
  kind: 'write',
  route: 'POST /sessions/{session}/messages',
  about:
    'Stores messages, and returns when they are durable: all of a batch or none of it. A message whose `id` the session ' +
    'already has is reported as a duplicate. One whose `id` was forgotten there is named in `forgotten` and left out. An ' +
    'assistant’s message without a word, as a stopped stream leaves it, is skipped and reported; anyone else’s is refused. Do ' +
    'not change the messages of a large batch before it is stored: it is read in slices. More than 1,000 messages or 2 MiB ' +
    'are stored in parts, in order.',
  input: () => ({
    session: session().describe('The session; a new one is made.'),
    messages: typed(
      'AppendInput | readonly AppendInput[]',
      asGiven({ anyOf: [messageJson, { type: 'array', items: messageJson }] }),
    ).describe('A message, or a list of at most 10,000.'),
    idempotencyKey: z
      .string(asKey)
      .min(1, asKey)
      .max(longestKey, asKey)
      .optional()
      .describe('The same key with the same messages stores them once, and gives the same answer for 24 hours.'),
    restoreForgotten: flag().default(false).describe('Stores messages again whose `id` was forgotten in this session.'),
  }),
  output: 'AppendResult',
  errors: ['MESSAGE_INVALID', 'APPEND_INCOMPLETE', 'IDEMPOTENCY_REUSED'],
  method: {
    details:
      'When the store fails between parts, AppendIncomplete says how many messages are stored. A process that ends between ' +
      'them leaves its first parts. With an `idempotencyKey` the same call goes on after them; without one, append the rest.',
    example: "await ada.append('session-1', { role: 'user', content: 'The kiosk opens on the 16th.' })",
  },
  run: async (means, { session, messages, restoreForgotten, idempotencyKey }, call): Promise<AppendResult> => {
    const checked = inSlices(validating(messages, means.clock.now()))
    // An echo of what was just shown is known only once that is noted.
    const batch = means.shown.waits(means.partition) ? means.shown.note(means.partition).then(() => checked) : checked
    if (!(batch instanceof Promise) && batch.messages.length === 0) return { messages: [], duplicates: [], skipped: batch.skipped }
    // It may fail after its caller stopped waiting: the rejection must count as handled.
    if (batch instanceof Promise) void Promise.allSettled([batch])
    const results = await sent(means, session, batch, call, { restores: restoreForgotten, idempotencyKey }).catch(
      async (error: unknown) => {
        throw error instanceof AppendIncomplete ? countingSkipped(error, await batch) : error
      },
    )
    const appended = results.filter(({ gone }) => gone === undefined)
    const duplicates = appended.flatMap(({ duplicate, externalId }) => (duplicate && externalId !== undefined ? [externalId] : []))
    const { messages: given, skipped } = await batch
    const forgotten = forgottenOf(given, appended)
    const since = placesGiven(results, skipped)
    return {
      ...{ messages: appended, duplicates, skipped },
      ...(forgotten.length === 0 ? {} : { forgotten }),
      ...(since.length === 0 ? {} : { forgottenSince: since }),
    }
  },
  told: ({ observer, hint, who }, { session }, { messages: { length }, duplicates, forgotten }) => {
    if (forgotten !== undefined) observer.count('forgottenBefore', forgotten.length)
    if (length === 0) return
    observer.count('appended', length - duplicates.length)
    observer.count('duplicates', duplicates.length)
    hint()
    observer.emit({ type: 'appended', ...who, session, messages: length - duplicates.length, duplicates: duplicates.length })
  },
})

/** Gives the external ids that the store left out, since they were forgotten: those without a result. */
function forgottenOf(batch: readonly ValidMessage[], appended: readonly Appended[]): readonly string[] {
  if (appended.length === batch.length) return []
  const told = new Set(appended.map(({ externalId }) => externalId))
  return batch.flatMap(({ externalId }) => (externalId === null || told.has(externalId) ? [] : [externalId]))
}

/** Gives the places, among the messages given, of those that were forgotten since they were first appended. */
function placesGiven(results: readonly Retold[], skipped: readonly SkippedMessage[]): readonly number[] {
  return results.flatMap(({ gone }) =>
    gone === undefined ? [] : [skipped.reduce((place, { index }) => (index <= place ? place + 1 : place), gone)],
  )
}

interface How {
  readonly restores: boolean
  readonly idempotencyKey: string | undefined
}

/** Sends a batch at once if it is checked and no earlier batch of its session waits. Otherwise it sends after both. */
function sent(
  { engine, accepted, partition, unsent }: PartitionMeans,
  session: SessionName,
  batch: ValidBatch | Promise<ValidBatch>,
  call: CallOptions,
  { restores, idempotencyKey }: How,
): Promise<readonly Retold[]> {
  const before = unsent.get(session)
  if (before === undefined && !(batch instanceof Promise))
    return engine.write('log.append', partition, session, batch.messages, restores, idempotencyKey)
  const { promise: sending, resolve } = Promise.withResolvers<void>()
  const cut = cutOf(call)
  const release = (): void => {
    resolve()
    if (unsent.get(session) === sending) unsent.delete(session)
  }
  return accepted(async ({ write }) => {
    unsent.set(session, sending)
    try {
      const pages = await inSlices(batchPages((await batch).messages))
      await before
      cut?.throwIfAborted()
      if (pages.length === 0) return []
      const stored = write('log.appendPages', partition, session, pages, restores, idempotencyKey)
      release()
      return await inSlices(resultsOf(await stored))
    } finally {
      // A batch that failed early must not let later ones pass the batches before it.
      await before
      release()
    }
  })
}

/** Counts in an error all messages that were given, the skipped ones too: a caller goes on from there. */
export function countingSkipped(error: AppendIncomplete, { messages, skipped }: ValidBatch): AppendIncomplete {
  const stored = skipped.reduce((before, { index }) => (index <= before ? before + 1 : before), error.stored)
  return new AppendIncomplete({ ...error, stored, messages: messages.length + skipped.length }, { cause: error.cause })
}

/** Makes the signal that aborts when nobody waits any more: then nothing is sent. */
function cutOf({ signal, deadlineMs }: CallOptions): AbortSignal | undefined {
  if (deadlineMs === undefined) return signal
  const over = AbortSignal.timeout(deadlineMs)
  return signal === undefined ? over : AbortSignal.any([signal, over])
}
