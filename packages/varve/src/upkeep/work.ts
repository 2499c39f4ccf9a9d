import { areDocumentsHeld, type DueScope } from '../distil/due.ts'
import type { Limits } from '../distil/distiller.ts'
import type { LayerGround } from '../distil/layer-ground.ts'
import type { Noted } from '../distil/notes-updater.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { Here } from '../storage/here.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import type { DocumentTurn } from './documents.ts'
import type { Host } from './host.ts'
import { type LayerTurn, LayerUpkeep } from './layers.ts'
import type { Reach } from './waiting.ts'

/** Where the loops that write layers run. */
export interface WorkingHere extends Here {
  readonly host: Host
  readonly ground: LayerGround
  /** Aborted when the caller does not want the work any more. */
  readonly signal: AbortSignal
}

/** How much a turn may do: nothing new is begun after it. */
export interface TurnBounds {
  /** Milliseconds from the call on. Absent: no bound. */
  readonly ms?: number
  /** Requests to models since the process began. Absent: no bound. */
  readonly calls?: number
}

/** How layers are written: by turns of what is due, or one thing now. */
export const upkeepWork = {
  /** Does what is due; of all, of a partition, or of a session. */
  turn: (here: WorkingHere, bounds: TurnBounds, only: DueScope | undefined, reach: Reach): Promise<LayerTurn> =>
    upkeepIn(here).turn(limitsOf(here, bounds), only, reach),
  /** Reads one session, for some layers (bits) whether they are on or not; false when another is at it, or it was changed meanwhile. */
  session: (here: WorkingHere, due: DueSession, once: number): Promise<boolean> => upkeepIn(here).session(due, limitsOf(here, {}), once),
  /** Works into documents what waits in a partition; undefined while another is at it. */
  documents: async (here: WorkingHere, only: DueScope): Promise<DocumentTurn | undefined> => {
    const turn = await upkeepIn(here).documents(limitsOf(here, {}), only)
    return (await here.read(areDocumentsHeld(here.ground.clock.now(), only))) ? undefined : turn
  },
  /** Updates the notes of one session; undefined when another is at it. */
  notes: (here: WorkingHere, due: DueNotes): Promise<Noted | undefined> => upkeepIn(here).notes(due, limitsOf(here, {})),
}

function upkeepIn(here: WorkingHere): LayerUpkeep {
  return here.keep(LayerUpkeep, () => new LayerUpkeep(here.ground, here.host))
}

function limitsOf({ signal }: WorkingHere, { ms = Infinity, calls = Infinity }: TurnBounds): Limits {
  return { until: performance.now() + ms, calls, signal }
}
