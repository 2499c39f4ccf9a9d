import { InvalidOption } from '../errors/invalid-option.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { byHand } from '../models/writer.ts'
import { agentsSettings } from '../projects/agents.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import {
  deedsAt,
  deedsBefore,
  deedsKept,
  deedsKeptMs,
  instructionActs,
  keepTexts,
  keptTexts,
  noteDeed,
  noteUndone,
  textKinds,
} from '../storage/deeds/deeds.ts'
import {
  addInstruction,
  dropInstructions,
  type EarlierHand,
  editInstructions,
  type InstructionRow,
  reinstateInstructions,
  restoreHands,
  withdrawInstructions,
} from '../storage/derived/instructions.ts'
import { ensureSessionRow } from '../storage/log/sessions.ts'
import { ensurePartition, touchPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { hasWords, isByHand, isNoted, shownOf, type StandingInstruction } from './derive.ts'
import { allInstructions, instructionById } from './read-instructions.ts'
import { mostNotedEnds, mostStanding } from './request.ts'

/** Adds an instruction by hand, and gives back its id. LimitExceeded when as many as may stand were made by hand. */
export function* add(partition: PartitionId, text: string, now: number): Program<string> {
  const owner = yield* ensurePartition(partition, now)
  const count = shownOf(yield* allInstructions(partition)).filter(isByHand).length
  if (count >= mostStanding)
    throw new LimitExceeded({ what: 'the instructions made by hand', unit: 'instructions', count: count + 1, most: mostStanding })
  yield* touchPartition(owner.id)
  return yield* addInstruction(owner.id, text, byHand, now)
}

/** The agent that notes, and the session from which it does. */
export interface NotedBy {
  readonly writer: string
  readonly during: SessionName | undefined
}

/**
 * Notes an instruction of an agent, and gives back its id; where the same words stand, that of theirs. InvalidOption for
 * words that were ended: only the person brings them back, by saying so. LimitExceeded when as many as may stand were noted.
 */
export function* noteByAgent(partition: PartitionId, text: string, { writer, during }: NotedBy, now: number): Program<string> {
  const owner = yield* ensurePartition(partition, now)
  const all = yield* allInstructions(partition)
  const same = all.filter((one) => hasWords(one, text))
  const standing = same.find(({ end }) => end === undefined)
  if (standing !== undefined) return uuidText(standing.first.uuid)
  if (same.length > 0)
    throw new InvalidOption({
      option: 'text',
      received: text,
      expected: 'an instruction that did not end: only the person can bring this one back, by saying so',
    })
  const notes = all.filter(({ rows }) => rows.every(isNoted))
  const count = notes.filter(({ end }) => end === undefined).length
  const { instructions: most } = yield* agentsSettings(partition.project)
  if (count >= most)
    throw new LimitExceeded({
      what: 'the instructions noted by agents (the setting agents.instructions)',
      unit: 'instructions',
      count: count + 1,
      most,
    })
  const ended = notes.flatMap(({ rows, end }) => (end === undefined ? [] : rows)).toSorted((a, b) => a.recorded_at - b.recorded_at)
  yield* dropInstructions(owner.id, ended.slice(0, Math.max(0, ended.length - mostNotedEnds + 1)))
  yield* touchPartition(owner.id)
  // An agent may note something before the first message of its session is stored.
  const notedIn = during === undefined ? 0 : (yield* ensureSessionRow(owner.id, during, now)).id
  return yield* addInstruction(owner.id, text, writer, now, notedIn)
}

/** Erases an instruction that an agent noted, for an agent. InvalidOption for any other: only the person ends it. */
export function* takeNoteBack(partition: PartitionId, id: string): Program<void> {
  const { first, rows } = yield* standingById(partition, id)
  if (!rows.every(isNoted))
    throw new InvalidOption({
      option: 'id',
      received: id,
      expected: 'an instruction that an agent noted: this one is the person’s, who alone can take it back by saying so',
    })
  yield* dropInstructions(first.partition_id, rows)
}

/** Puts a person's text in the place of an instruction that stands. */
export function* edit(partition: PartitionId, id: string, text: string, now: number): Program<void> {
  const { first, rows } = yield* standingById(partition, id)
  const deed = yield* noteDeed({ id: uuidv7(now), partition: first.partition_id, act: 'edit', ref: first.uuid, now })
  yield* keepTexts(
    first.partition_id,
    deed,
    rows.map(({ uuid, hand, edited_at: editedAt }) => ({
      kind: textKinds.instruction,
      ref: uuid,
      hand,
      content: '',
      state: { editedAt },
      // Its row is erased with its message, and this text with its row.
      sources: [],
    })),
  )
  yield* editInstructions(rows, text, after(rows, now))
}

/** Ends an instruction that stands. */
export function* withdraw(partition: PartitionId, id: string, now: number): Program<void> {
  const { first, rows } = yield* standingById(partition, id)
  yield* noteDeed({ id: uuidv7(now), partition: first.partition_id, act: 'withdraw', ref: first.uuid, now })
  yield* withdrawInstructions(rows, after(rows, now))
}

/** Takes back the last edit or withdrawal by hand of an instruction, within 30 days. Nothing changes when there is none left. */
export function* restore(partition: PartitionId, id: string, now: number): Program<void> {
  const { first, rows } = instructionById(yield* allInstructions(partition), id)
  const acts = { acts: instructionActs, before: Number.MAX_SAFE_INTEGER, limit: deedsKept, ref: first.uuid }
  const deeds = yield* deedsAt(
    first.partition_id,
    (yield* deedsBefore(first.partition_id, acts)).map(({ key }) => key),
  )
  const last = deeds.find((deed) => deed.undone_at === null && deed.done_at + deedsKeptMs > now)
  if (last === undefined) {
    if (deeds.length > 0) return
    throw new InvalidOption({ option: 'id', received: id, expected: 'an instruction that a person edited or withdrew in the last 30 days' })
  }
  if (last.act === 'withdraw') yield* reinstateInstructions(rows)
  else
    yield* restoreHands(
      first.partition_id,
      (yield* keptTexts(last)).map(({ ref: uuid, hand, state }) => {
        const { editedAt }: Pick<EarlierHand, 'editedAt'> = JSON.parse(state)
        return { uuid, hand, editedAt }
      }),
    )
  yield* noteUndone(last, now)
}

function* standingById(partition: PartitionId, id: string): Program<StandingInstruction<InstructionRow>> {
  const found = instructionById(yield* allInstructions(partition), id)
  if (found.end !== undefined)
    throw new InvalidOption({ option: 'id', received: id, expected: 'an instruction that stands: this one ended before' })
  return found
}

/** Gives the time of a change: now, or that of its last statement, if that is later than now. */
function after(rows: readonly InstructionRow[], now: number): number {
  return Math.max(now, ...rows.map(({ said_at: said, edited_at: edited }) => Math.max(said, edited ?? 0)))
}
