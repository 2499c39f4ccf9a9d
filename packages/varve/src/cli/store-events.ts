import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { NotFound } from '../errors/not-found.ts'
import type { Message } from '../messages/message.ts'
import { anonymousUser } from '../keys/reach.ts'
import { defaultProject } from '../scope/scope.ts'
import type { GlobalFlags } from './global-flags.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>
type UpkeepRun = Awaited<ReturnType<Memory['upkeep']['runs']>>[number]
type Change = Awaited<ReturnType<UserMemory['changes']>>['changes'][number]

/** A change of the library, with the message or the receipt that it names; or a run of upkeep, of which it tells no change. */
export type StoreEvent =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'forgotten' | 'erased'; readonly receipt: Receipt }
  | { readonly type: 'upkeep'; readonly run: UpkeepRun }
  | { readonly type: 'missed' }
  | { readonly type: 'other'; readonly change: Change }

/** The most runs that one look reads. */
const mostRuns = 100

/**
 * Looks at a store each time it is asked, and tells what came since the look before. The first look only notes where the
 * store stands. Without a user it tells of the project: its own changes, those of the anonymous user, erasures, and runs.
 */
export async function* looksAt(memory: Memory, handle: UserMemory, { project, user }: GlobalFlags): AsyncGenerator<readonly StoreEvent[]> {
  const shared = memory.project(project ?? defaultProject)
  const told = (after: { readonly after?: string }) => (user === undefined ? shared.changes(after) : handle.changes(after))
  const runs = async () =>
    user === undefined ? memory.upkeep.runs({ limit: mostRuns, ...(project === undefined ? {} : { project }) }) : []
  let { place } = await told({})
  let known = new Set((await runs()).map(stateOf))
  yield []
  for (;;) {
    const { changes, place: next, missed } = await told({ after: place })
    place = next
    const events: StoreEvent[] = missed ? [{ type: 'missed' }] : []
    for (const change of changes.filter((one) => user !== undefined || isOfProject(one)))
      events.push(...(await eventsOf(memory, handle, change)))
    const listed = await runs()
    events.push(...newOnes(listed, known).map((run) => ({ type: 'upkeep', run }) as const))
    known = new Set(listed.map(stateOf))
    yield events
  }
}

function isOfProject({ type, user }: Change): boolean {
  return user === undefined || user === anonymousUser || type === 'forgotten' || type === 'erased'
}

async function eventsOf(memory: Memory, handle: UserMemory, change: Change): Promise<readonly StoreEvent[]> {
  const { type, session, seq, receipt } = change
  const ids: readonly string[] = change.messages ?? (change.message === undefined ? [] : [change.message])
  try {
    if (ids.length > 0 && session !== undefined && seq !== undefined) {
      const found = await handle.messages(session, { limit: ids.length, before: seq + 1 })
      return found.filter(({ id }) => ids.includes(id)).map((message) => ({ type: 'message', message }))
    }
    if (receipt !== undefined && (type === 'forgotten' || type === 'erased')) return [{ type, receipt: await memory.receipts.get(receipt) }]
  } catch (error) {
    // It was forgotten since, and that is told too.
    if (error instanceof NotFound) return []
    throw error
  }
  return [{ type: 'other', change }]
}

/** Gives the runs before the first known one, the oldest first. Below it, an old run may have come up to the page. */
function newOnes(newestFirst: readonly UpkeepRun[], known: ReadonlySet<string>): readonly UpkeepRun[] {
  const at = newestFirst.findIndex((run) => known.has(stateOf(run)))
  return newestFirst.slice(0, at === -1 ? undefined : at).toReversed()
}

/** A run that goes on is stored again under its id, so its end tells it apart. */
function stateOf({ id, project, endedAt }: UpkeepRun): string {
  return JSON.stringify([id, project ?? null, endedAt])
}
