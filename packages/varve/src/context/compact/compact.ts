import type { SessionTable } from '../../storage/schema.ts'
import { LimitExceeded } from '../../errors/limit-exceeded.ts'
import type { NotesWriter } from '../../models/notes-writer.ts'
import type { NotesSettings } from '../../notes/settings.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { messagesBetween } from '../../storage/log/messages.ts'
import type { Program } from '../../storage/program.ts'
import { sessionRow, sessionTexts } from '../../storage/log/session-texts.ts'
import { align } from './align.ts'
import { messageTokens } from './estimate.ts'
import { headOf, type Layout, layoutOf } from './layout.ts'
import { type CompactedNotes, leftOutOf, notesPageOf, notesMessageText } from './notes-text.ts'
import { cutPage, leanPage, type ReadNotes, type StoredNotes, withTurns } from './notes-writing.ts'
import { readTurn } from './read-turn.ts'
import type { TurnSizes } from './sizes.ts'
import type { Turn } from './turn.ts'

export interface CompactRequest {
  readonly session: SessionName
  readonly maxTokens: number
  readonly turns: readonly Turn[]
  readonly now: number
}

/** The plan of a compacted list: messages by their places in the given list, and the notes after the first `head` of them. */
export interface CompactPlan {
  readonly kept: readonly number[]
  readonly head: number
  readonly notes?: string
  readonly tokens: number
}

export interface CompactMeans {
  readonly key: string
  readonly sizes: TurnSizes
  readonly readNotes: ReadNotes
  readonly writer: NotesWriter
  readonly settings: NotesSettings
}

/** A turn that is to be written down, with its place in the session where it is stored. */
interface GoingTurn {
  readonly turn: Turn
  readonly seq?: number
}

/** The newest messages of a session that are read. Older ones count as never stored. */
const mostStored = 5_000
/** The newest covered messages that are read first, and the most messages among them that may never have been stored. */
const nearCovered = 200
/**
 * Bounds on the growth of notes that are written anew: this part of their maximum, and this part of the room. Notes
 * that are already as long may grow by `leastGrowth` tokens.
 */
const notesShare = 0.5
const roomShare = 0.25
const leastGrowth = 1_000
/** In less room notes say nothing. */
const leastNotesTokens = 24

/**
 * Decides what to keep of a conversation, so that the notes and the kept messages fit. Reads the store; makes no model
 * call and writes nothing.
 */
export function* compact(partition: PartitionId, request: CompactRequest, means: CompactMeans): Program<CompactPlan> {
  const earlier = request.turns.map((turn) => notesPageOf(turn, means.key))
  const isGap = request.turns.some((turn) => leftOutOf(turn) !== undefined)
  const places = request.turns.flatMap((turn, place) => (earlier[place] === undefined && leftOutOf(turn) === undefined ? [place] : []))
  const turns = places.flatMap((place) => request.turns[place] ?? [])
  const stored = yield* means.readNotes(partition, request.session)
  const session = yield* sessionRow(partition, request.session)
  const seqs = session === undefined ? turns.map(() => undefined) : yield* seqsOf(turns, session, stored?.coveredSeq)
  const before = earlier.findLast((page) => page !== undefined)
  const isCurrent = before !== undefined && before.revision === stored?.revision && before.reached >= (stored?.coveredSeq ?? 0)
  const base = isCurrent && !(before.isCut && stored !== undefined) ? before : stored === undefined ? undefined : pageOf(stored)
  // Messages that an earlier compaction kept are not covered: today's notes cover no more than its notes did.
  const covered = stored === undefined || isCurrent ? -1 : seqs.findLastIndex((seq) => seq !== undefined && seq <= stored.coveredSeq)
  const missing = missingSeqs(base?.reached ?? 0, isGap ? Number.MAX_SAFE_INTEGER : (before?.reached ?? 0), seqs)
  const gap =
    session === undefined || missing === undefined
      ? []
      : (yield* messagesBetween(session, missing.from, missing.to)).filter(({ seq }) => !seqs.includes(seq))
  const lost = gap.map((message): GoingTurn => ({
    turn: readTurn({ role: message.role, content: message.parts ?? message.content }),
    seq: message.seq,
  }))
  const plan = new Planning({ turns, seqs, base, lost, covered }, request, means).plan()
  return { ...plan, kept: plan.kept.flatMap((place) => places[place] ?? []) }
}

/** Finds where turns are stored. Messages far before the end of the notes are read only when the list has none near it. */
function* seqsOf(
  turns: readonly Turn[],
  session: Pick<SessionTable, 'id' | 'partition_id'>,
  covered: number | undefined,
): Program<readonly (number | undefined)[]> {
  if (covered !== undefined && covered > nearCovered) {
    const rows = yield* sessionTexts(session, covered - nearCovered, mostStored)
    const older = Math.max(0, turns.length - rows.length - nearCovered)
    const near = align(turns.slice(older), rows)
    if (near.some((seq) => seq !== undefined && seq <= covered)) return turns.map((_, place) => near[place - older])
  }
  return align(turns, yield* sessionTexts(session, 1, mostStored))
}

/** Finds messages that an earlier answer told or left out and that today's notes lack. They are read from the store again. */
function missingSeqs(reached: number, told: number, seqs: readonly (number | undefined)[]): { from: number; to: number } | undefined {
  const newest = seqs.findLast((seq) => seq !== undefined) ?? 0
  const to = Math.min(told, newest - 1)
  const from = Math.max(reached + 1, to - mostStored)
  return from <= to ? { from, to } : undefined
}

function pageOf({ text, at, revision, coveredSeq }: StoredNotes): CompactedNotes {
  return { content: leanPage(text), at, revision, reached: coveredSeq, isCut: false }
}

interface Known {
  readonly turns: readonly Turn[]
  readonly seqs: readonly (number | undefined)[]
  readonly base: CompactedNotes | undefined
  readonly lost: readonly GoingTurn[]
  /** The last turn that the notes cover; -1 for none. */
  readonly covered: number
}

/** One compaction. Its earlier notes and left-out marks are already removed. */
class Planning {
  readonly #known: Known
  readonly #request: CompactRequest
  readonly #means: CompactMeans
  readonly #layout: Layout

  constructor(known: Known, request: CompactRequest, means: CompactMeans) {
    this.#known = known
    this.#request = request
    this.#means = means
    this.#layout = layoutOf(known.turns, headOf(request.turns), known.covered)
  }

  plan(): CompactPlan {
    const { base, lost } = this.#known
    const { maxTokens, now } = this.#request
    const fixed = this.#means.sizes.all(this.#layout.fixed.flatMap((place) => this.#known.turns[place] ?? []))
    if (fixed > maxTokens)
      throw new LimitExceeded({
        what: 'The part that always stays (the system messages, the last user message and the newest messages)',
        unit: 'tokens',
        count: fixed,
        most: maxTokens,
      })
    const room = maxTokens - fixed
    const standing = base === undefined ? 0 : this.#tokensOf(base)
    let kept = this.#layout.newestWithin(room - standing, (turns) => this.#sizeOf(turns, room))
    if (lost.length === 0 && this.#layout.goes(kept).length === 0) return this.#answer(kept, room, base)
    const begun = base === undefined ? this.#tokensOf({ content: '', at: now, reached: mostStored, isCut: true }) : standing
    kept = this.#layout.newestWithin(room - begun - this.#growth(begun, room), (turns) => this.#sizeOf(turns, room))
    return this.#answer(kept, room, this.#extended(this.#layout.goes(kept)))
  }

  /** Gives the room to reserve for writing down the turns that go. */
  #growth(standing: number, room: number): number {
    const most = Math.floor(room * roomShare)
    return Math.min(most, Math.max(leastGrowth, Math.floor(this.#means.settings.maxTokens * notesShare) - standing))
  }

  #sizeOf(places: readonly number[], room: number): number {
    return this.#means.sizes.within(
      places.flatMap((place) => this.#known.turns[place] ?? []),
      room,
    )
  }

  /** Writes the turns that go into the page. */
  #extended(goes: readonly number[]): CompactedNotes | undefined {
    const { base, lost, turns, seqs } = this.#known
    const going = goes.flatMap((place): GoingTurn[] => {
      const [turn, seq] = [turns[place], seqs[place]]
      return turn === undefined ? [] : [{ turn, ...(seq === undefined ? {} : { seq }) }]
    })
    const all = [...lost, ...going]
    const { writer, settings, key, sizes } = this.#means
    const content = withTurns(
      base?.content ?? '',
      all.map(({ turn }) => turn),
      { writer, settings, key, count: sizes.text, now: this.#request.now },
    )
    const reached = Math.max(base?.reached ?? 0, ...all.map(({ seq }) => seq ?? 0))
    return content === ''
      ? undefined
      : {
          content,
          at: this.#request.now,
          ...(base?.revision === undefined ? {} : { revision: base.revision }),
          reached,
          isCut: base?.isCut === true,
        }
  }

  #answer(kept: readonly number[], room: number, page: CompactedNotes | undefined): CompactPlan {
    const places = [...new Set([...this.#layout.fixed, ...kept])].toSorted((a, b) => a - b)
    const taken = this.#means.sizes.all(kept.flatMap((place) => this.#known.turns[place] ?? []))
    const shown = page === undefined ? undefined : this.#fitted(page, room - taken)
    const tokens = this.#request.maxTokens - room + taken + (shown === undefined ? 0 : this.#tokensOf(shown))
    return {
      kept: places,
      head: this.#layout.head,
      ...(shown === undefined ? {} : { notes: notesMessageText(shown, this.#means.key) }),
      tokens,
    }
  }

  /** Gives a page that fits, shortened if needed; undefined when there is no room for any. */
  #fitted(page: CompactedNotes, room: number): CompactedNotes | undefined {
    const most = Math.min(room, this.#means.settings.maxTokens)
    let content = page.content
    let aim = most - this.#tokensOf({ ...page, content: '', isCut: true })
    for (;;) {
      const shown = content === page.content ? page : { ...page, content, isCut: true }
      const over = this.#tokensOf(shown) - most
      if (over <= 0) return shown
      if (aim < leastNotesTokens) return undefined
      content = cutPage(page.content, aim, this.#means.sizes.text)
      if (content === '') return undefined
      aim -= Math.max(1, this.#tokensOf({ ...page, content, isCut: true }) - most)
    }
  }

  #tokensOf(page: CompactedNotes): number {
    return messageTokens + this.#means.sizes.text(notesMessageText(page, this.#means.key))
  }
}
