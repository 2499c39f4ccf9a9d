import type { Context, Hono } from 'hono'
import { reaches } from '../keys/reach.ts'
import { sentPath, type ServerEnv } from './app.ts'
import type { Whose } from './caller.ts'
import { type KeyDoorkeeper, refusal } from './doorkeeper.ts'
import type { EventFeeds } from './events/event-feeds.ts'
import { decodedSegment } from './read-fields.ts'

/** The time after which an open stream looks whether its key still stands: milliseconds. */
const keyLookMs = 5_000

export interface EventsMeans {
  readonly feeds: EventFeeds
  readonly doorkeeper: KeyDoorkeeper
}

/** Adds the streams of events: of a project, and of a user. */
export function addEventsRoutes(app: Hono<ServerEnv>, means: EventsMeans): void {
  for (const path of ['/v1/projects/:project/events', '/v1/projects/:project/users/:user/events'])
    app.get(path, (context) => {
      const [, , , project = '', , user] = sentPath(context.req.url).split('/')
      const whose = { project: decodedSegment(project), ...(path.includes(':user') ? { user: decodedSegment(user ?? '') } : {}) }
      return streamed(means, context, whose)
    })
}

async function streamed({ feeds, doorkeeper }: EventsMeans, context: Context<ServerEnv>, whose: Whose): Promise<Response> {
  context.set('route', context.req.routePath)
  const request = context.req.raw
  const caller = await doorkeeper.admit(request)
  const { project = '', user } = whose
  if (!reaches(caller.key, user === undefined ? { on: 'project', project } : { on: 'user', project, user })) throw refusal('out-of-reach')
  const ended = new AbortController()
  const stopped = whileKeyStands(doorkeeper, request, ended)
  request.signal.addEventListener('abort', () => ended.abort(), { once: true })
  ended.signal.addEventListener('abort', stopped, { once: true })
  const reader = {
    ...{ project, withContent: new URL(request.url).searchParams.get('content') === 'true', isAdmin: caller.key.access === 'admin' },
    ...(user === undefined ? {} : { user }),
    mayReadWords: (of: string | undefined) =>
      reaches(caller.key, of === undefined ? { on: 'project', project } : { on: 'user', project, user: of }),
  }
  return feeds.serve(new Request(request.url, { headers: request.headers, signal: ended.signal }), reader)
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
