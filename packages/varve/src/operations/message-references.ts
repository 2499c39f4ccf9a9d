import * as z from 'zod'
import type { MessageReference } from '../messages/message-reference.ts'
import { sessionName } from '../scope/partition.ts'
import type { ExternallyNamed, NamedPage } from '../storage/log/external-ids.ts'
import { inChunks } from '../storage/chunks.ts'
import { record, refused, session, text, typed } from './fields.ts'
import type { PartitionMeans } from './means.ts'

/** The most external ids without a session in one call: each is looked for in every session of the user. */
const mostSearched = 100

const expected = 'an id, or { session, externalId }'

/** Makes the field for a message. */
export const messageReference = (): z.ZodType<MessageReference, MessageReference> =>
  typed('MessageReference', z.union([text(), record({ session: session(), externalId: text() })], { error: expected }))

/** Ids that are looked up in one step. */
const atOnce = 500

/** Where the ids of a call are looked for. */
interface Sought {
  /** The option, for errors. */
  readonly option: string
  /** Only messages of this session. */
  readonly session?: string | undefined
}

/** Finds Varve's ids of the messages. A text that names none is given back as it is: the call does not find it. */
export async function idsOf(means: PartitionMeans, references: readonly MessageReference[], sought: Sought): Promise<readonly string[]> {
  const texts = references.filter((one) => typeof one === 'string')
  const bare = texts.length === 0 ? new Map<string, string>() : await idsOfTexts(means, [...new Set(texts)], sought)
  const ids: string[] = []
  for (const one of references) {
    if (typeof one === 'string') ids.push(bare.get(one) ?? one)
    else ids.push(await idInSession(means, one.session, one.externalId))
  }
  return ids
}

async function idInSession({ engine, partition }: PartitionMeans, session: string, externalId: string): Promise<string> {
  const [named] = await engine.read('log.namedInSession', partition, sessionName(session), [externalId])
  // Not the external id itself: it could be Varve's id of another message.
  return named?.id ?? `${session}/${externalId}`
}

async function idsOfTexts(means: PartitionMeans, texts: readonly string[], sought: Sought): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const some of inChunks(texts, atOnce))
    for (const own of await means.engine.read('log.ownIds', means.partition, some)) ids.set(own, own)
  const foreign = texts.filter((text) => !ids.has(text))
  if (foreign.length > mostSearched && sought.session === undefined)
    throw refused(sought.option, texts, `of at most ${mostSearched} external ids without their session: say { session, externalId }`)
  for (const { externalId, id, session } of await namedFor(means, foreign, sought)) {
    if (ids.has(externalId))
      throw refused(
        sought.option,
        externalId,
        `said as { session, externalId }: several sessions have this id, one of them ${shownSession(session)}`,
      )
    ids.set(externalId, id)
  }
  return ids
}

function shownSession(session: string): string {
  return JSON.stringify(session.length > 80 ? `${session.slice(0, 80)}…` : session)
}

async function namedFor(means: PartitionMeans, texts: readonly string[], { session }: Sought): Promise<readonly ExternallyNamed[]> {
  const { engine, partition } = means
  if (texts.length === 0) return []
  if (session !== undefined) return engine.read('log.namedInSession', partition, sessionName(session), texts)
  const named: ExternallyNamed[] = []
  let after: string | undefined
  do {
    const page: NamedPage = await engine.read('log.namedAnywhere', partition, texts, after)
    named.push(...page.named)
    after = page.after
  } while (after !== undefined)
  return named
}
