import type { Context, Hono } from 'hono'
import { InvalidRequest } from '../errors/invalid-request.ts'
import { RateLimited } from '../errors/rate-limited.ts'
import { reaches } from '../keys/reach.ts'
import { projectOperations } from '../operations/project.ts'
import { userOperations } from '../operations/user.ts'
import { sentPath, type ServerEnv } from './app.ts'
import type { Whose } from './caller.ts'
import { type KeyDoorkeeper, refusal } from './doorkeeper.ts'
import type { EventFeeds } from './events/event-feeds.ts'
import { decodedSegment } from './read-fields.ts'

/** The most streams that one key may have open: the others' connections are not for it. */
const mostStreamsOfKey = 1_000

/** The time after which a key with too many streams may ask again: milliseconds. */
const fullForMs = 10_000

/** The time after which an open stream looks whether its key still stands: milliseconds. */
const keyLookMs = 5_000

export interface EventsMeans {
  readonly feeds: EventFeeds
  readonly doorkeeper: KeyDoorkeeper
  /** The most streams that one key may have open. */
  readonly mostOfKey?: number
}

interface StreamMeans extends Required<EventsMeans> {
  /** The open streams, by the ids of keys. */
  readonly openOf: Map<string, number>
}

/** Adds the streams of events: of a project, and of a user. */
export function addEventsRoutes(app: Hono<ServerEnv>, { mostOfKey = mostStreamsOfKey, ...given }: EventsMeans): void {
  const means = { ...given, mostOfKey, openOf: new Map<string, number>() }
  for (const path of ['/v1/projects/:project/events', '/v1/projects/:project/users/:user/events'])
    app.get(path, (context) => {
      const [, , , project = '', , user] = sentPath(context.req.url).split('/')
      const whose = { project: decodedSegment(project), ...(path.includes(':user') ? { user: decodedSegment(user ?? '') } : {}) }
      return streamed(means, context, whose)
    })
}

async function streamed(means: StreamMeans, context: Context<ServerEnv>, whose: Whose): Promise<Response> {
  const { feeds, doorkeeper } = means
  context.set('route', context.req.routePath)
  const request = context.req.raw
  // Its stream would have no reader, and no end.
  if (request.method === 'HEAD') throw new InvalidRequest({ status: 405, reason: 'a stream of events takes GET alone' })
  const caller = await doorkeeper.admit(request)
  const { project = '', user } = whose
  if (!reaches(caller.key, user === undefined ? { on: 'project', project } : { on: 'user', project, user })) throw refusal('out-of-reach')
  const leave = entered(means, caller.key.id)
  const operation = user === undefined ? projectOperations.changes : userOperations.changes
  await doorkeeper.note({ caller, operation, whose, status: 200, requestId: context.get('requestId'), fields: {}, output: undefined })
  const ended = new AbortController()
  const stopped = whileKeyStands(doorkeeper, request, ended)
  request.signal.addEventListener('abort', () => ended.abort(), { once: true })
  const reader = {
    ...{ project, withContent: new URL(request.url).searchParams.get('content') === 'true', isAdmin: caller.key.access === 'admin' },
    ...(user === undefined ? {} : { user }),
    mayReadWords: (of: string | undefined) =>
      reaches(caller.key, of === undefined ? { on: 'project', project } : { on: 'user', project, user: of }),
  }
  const left = (): void => {
    stopped()
    leave()
  }
  return feeds.serve(new Request(request.url, { headers: request.headers, signal: ended.signal }), reader, left).catch((error: unknown) => {
    left()
    throw error
  })
}

/** Counts a stream of a key. Returns a function for when it has ended. */
function entered({ openOf, mostOfKey }: StreamMeans, id: string): () => void {
  const open = openOf.get(id) ?? 0
  if (open >= mostOfKey) throw new RateLimited({ retryAfterMs: fullForMs })
  openOf.set(id, open + 1)
  return () => {
    const still = (openOf.get(id) ?? 1) - 1
    if (still === 0) openOf.delete(id)
    else openOf.set(id, still)
  }
}

/** Ends a stream when its key was revoked or expired. Returns a function that looks no more. */
function whileKeyStands(doorkeeper: KeyDoorkeeper, request: Request, ended: AbortController): () => void {
  const look = async (): Promise<void> => {
    const still = await doorkeeper.stillStands(request).catch(() => true)
    if (!still) ended.abort()
  }
  const timer = setInterval(() => void look(), keyLookMs).unref()
  const stopListening = doorkeeper.onKeyChange(() => void look())
  return () => {
    clearInterval(timer)
    stopListening()
  }
}
