import { VarveError } from '../errors/varve-error.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { maxContentBytes } from '../messages/validate.ts'

/** The most messages that are read at a time. */
const mostRead = 1_000

/** Resolves as a call does, or with undefined where it rejects with NOT_FOUND. */
export async function ifKnown<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (VarveError.is(error) && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

type MessagePage = Awaited<ReturnType<UserMemory['messages']>>

/** Reads the messages of a session, or those before a place: the newest page first. None when there is no such session. */
export async function* messagePages(
  memory: Pick<UserMemory, 'messages'>,
  session: string,
  { limit = mostRead, before }: { readonly limit?: number; readonly before?: number | undefined } = {},
): AsyncGenerator<MessagePage> {
  for (let place = before; place === undefined || place > 1;) {
    const page = await ifKnown(memory.messages(session, place === undefined ? { limit } : { limit, before: place }))
    const [oldest] = page ?? []
    if (page === undefined || oldest === undefined) return
    yield page
    // A page may be cut by its size; one that is short and not cut is the last.
    if (page.length < limit && page.before === undefined) return
    place = page.before ?? oldest.seq
  }
}

/** Reads the newest message of a session, or the newest before a place. */
export async function newestMessage(memory: Pick<UserMemory, 'messages'>, session: string, before?: number) {
  for await (const page of messagePages(memory, session, { limit: 1, before })) return page.at(-1)
  return undefined
}

/** Makes words that a store takes: valid Unicode without NUL, in the bytes of a message. */
export function searchable(words: string): string {
  const valid = words.replaceAll('\0', '\ufffd').toWellFormed()
  if (Buffer.byteLength(valid) <= maxContentBytes) return valid
  return Buffer.from(valid)
    .subarray(0, maxContentBytes - 3)
    .toString('utf8')
    .replace(/\ufffd$/, '')
}
