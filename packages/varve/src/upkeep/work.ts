import { areDocumentsHeld } from '../distil/due.ts'
import type { DueScope } from '../storage/due-place.ts'
import type { Limits } from '../distil/limits.ts'
import type { Noted } from '../distil/notes-updater.ts'
import type { DueNotes } from '../notes/read-notes.ts'
import type { ModelAnswer } from '../models/language-model.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { DueSession } from '../storage/derived/reading.ts'
import { epochsOf, type FoundAt } from '../storage/epochs.ts'
import { toWire, type WireError } from '../errors/wire.ts'
import type { PartitionWork } from '../storage/log/runs.ts'
import type { DocumentTurn } from './documents.ts'
import { hostText } from './host-text.ts'
import type { DoneReading, NextReading } from './due-reading.ts'
import { Readings } from './readings.ts'
import { type LayerTurn, LayerUpkeep } from './layers.ts'
import { CountedPieces, WorkTally } from './work-tally.ts'
import type { Reach } from './waiting.ts'
import type { WorkingHere } from './working-here.ts'

/** The bounds of a turn: nothing new begins after them. */
export interface TurnBounds {
  /** Milliseconds from the call on. Absent: no bound. */
  readonly ms?: number
  /** Requests to models since the process began. Absent: no bound. */
  readonly calls?: number
  /** The run of upkeep that the turn belongs to. */
  readonly run?: string
}

/** A turn that failed, with what it had done before. The error is thrown where the turn was begun. */
export interface FailedTurn {
  readonly error: WireError
  readonly work: readonly PartitionWork[]
}

/** The calls that write layers: turns of due work, or one piece now. */
export const upkeepWork = {
  /** Does due work; of all, of a partition, or of a session. */
  turn: async (
    here: WorkingHere,
    bounds: TurnBounds,
    only: DueScope | undefined,
    reach: Reach,
  ): Promise<(LayerTurn & { readonly work: readonly PartitionWork[] }) | FailedTurn> => {
    const tally = new WorkTally(here.keep(CountedPieces, () => new CountedPieces()).of(bounds.run))
    try {
      return { ...(await upkeepIn(here).turn({ ...limitsOf(here, bounds), tally }, only, reach)), work: tally.read() }
    } catch (error) {
      return { error: toWire(error), work: tally.read() }
    }
  },
  /** Reads one session. `once` adds layers (bits), on or off. False when another is reading it, or it changed meanwhile. */
  session: (here: WorkingHere, due: DueSession, once: number): Promise<boolean> => upkeepIn(here).session(due, limitsOf(here, {}), once),
  /** Works the waiting facts of a partition into documents; undefined while another is doing it. */
  documents: async (here: WorkingHere, only: DueScope): Promise<DocumentTurn | undefined> => {
    const turn = await upkeepIn(here).documents(limitsOf(here, {}), only)
    return (await here.read(areDocumentsHeld(here.means.clock.now(), only))) ? undefined : turn
  },
  /** Updates the notes of one session; undefined when another is updating them. */
  notes: (here: WorkingHere, due: DueNotes): Promise<Noted | undefined> => upkeepIn(here).notes(due, limitsOf(here, {})),
  /** Hands a due piece of one user's memory to the host's own model. */
  nextReading: async (here: WorkingHere, partition: PartitionId, model: string): Promise<FoundAt<NextReading>> => {
    const epochs = await here.read(epochsOf(partition))
    return { found: await new Readings(here).next(partition, model), epochs }
  },
  /** Takes the answer to what was handed out. */
  doneReading: (here: WorkingHere, partition: PartitionId, id: string, answer: string | ModelAnswer['object']): Promise<DoneReading> =>
    new Readings(here).done(partition, id, hostText(answer)),
}

function upkeepIn(here: WorkingHere): LayerUpkeep {
  return here.keep(LayerUpkeep, () => new LayerUpkeep(here.means, here.host))
}

function limitsOf({ signal }: WorkingHere, { ms = Infinity, calls = Infinity, run }: TurnBounds): Limits {
  return { until: performance.now() + ms, calls, signal, run }
}
