import { VarveError } from '../../errors/varve-error.ts'
import { ifKnown } from '../stored-messages.ts'
import type { HeldSession } from './held-session.ts'
import type { TranscriptKey } from './transcript-key.ts'
import type { StoredSession, TranscriptMemory } from './transcript-memory.ts'

/** The field of a session's metadata with the projects of which it holds transcripts. */
const markField = 'claudeProjects'
const mostTries = 5

/** Gives the projects of which a session holds transcripts. */
export function projectsOf({ metadata }: Pick<StoredSession, 'metadata'>): readonly string[] {
  const marked: unknown = metadata?.[markField]
  return Array.isArray(marked) ? marked.filter((one) => typeof one === 'string') : []
}

/** Notes in a session's metadata that it holds a transcript of a project, or that it does no more. Other metadata stays. */
export async function markSession(
  memory: TranscriptMemory,
  { sessionId, projectKey }: TranscriptKey,
  isHeld: boolean,
  held?: HeldSession,
): Promise<void> {
  if (held?.marked.has(projectKey) === true) return
  for (let tries = 1; ; tries += 1) {
    const session = await ifKnown(memory.sessions.get(sessionId))
    if (session === undefined) return
    const projects = projectsOf(session)
    if (projects.includes(projectKey) !== isHeld) {
      const changed = isHeld ? [...projects, projectKey] : projects.filter((one) => one !== projectKey)
      const metadata = { ...session.metadata, [markField]: changed }
      try {
        await memory.sessions.ensure(sessionId, { metadata, expectedVersion: session.version })
      } catch (error) {
        if (tries < mostTries && VarveError.is(error) && error.code === 'STALE_REVISION') continue
        throw error
      }
    }
    held?.marked.add(projectKey)
    return
  }
}

/** Names a session by its transcript's title. A name that somebody else gave it stays. */
export async function nameSession(memory: TranscriptMemory, session: string, title: string, held: HeldSession): Promise<void> {
  const found = await ifKnown(memory.sessions.get(session))
  if (found === undefined || found.name === title || (found.name !== undefined && found.name !== held.title)) return
  await memory.sessions.ensure(session, { name: title })
  held.title = title
}
