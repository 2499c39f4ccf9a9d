import { durations, isNote, says } from '../storage/known/assertions.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { derive, type Holding, type Stated } from './derive.ts'

/** A statement with the columns that tell whose words it is, and whether it is of a passing state. */
export type Claimable = Stated & Pick<AssertionTable, 'of_other' | 'passing' | 'session_id'>

/**
 * Derives the holdings of one subject and predicate from what its own person said, as `derive` does. Some statements
 * stand aside:
 *
 * - An agent's notes end nothing that persons said. A note against a person's words is unverified, also after their end.
 * - Another's words about a person who spoke about it too end nothing. They are unverified holdings of their own. Where
 *   the person said nothing, the words of others are all that is known, and count in full.
 * - A passing state with a told end ("this week only") interrupts the state before it, which holds again afterwards.
 * - An event has its time beside all states, and ends none. It may be taken back.
 */
export function holdingsOf<Row extends Claimable>(
  rows: readonly Row[],
  isSingle: boolean | undefined,
  asOf: number,
  isPlan = false,
): Holding<Row>[] {
  const [notes, words] = split(rows, isNote)
  if (notes.length === 0) return saidIn(rows, isSingle, asOf, isPlan)
  const told = saidIn(words, isSingle, asOf, isPlan)
  const isOne = isSingle ?? words.some((row) => row.single === 1 && isKnown(row, asOf))
  const denials = words.filter((row) => row.says !== says.is && isKnown(row, asOf))
  // Persons' words end notes: they are derived together, and what rests on notes alone is taken.
  const noted = withPassing(rows, isSingle, asOf, isPlan).filter((one) => one.rows.every(isNote))
  return [...told, ...noted.flatMap((note) => (isDenied(note, told, denials) ? [unverified(note)] : besideWords(note, isOne ? told : [])))]
}

/** Tells whether persons said that what an agent noted holds no longer, or never held. */
function isDenied<Row extends Claimable>(
  { object, until, isBelieved }: Holding<Row>,
  told: readonly Holding<Row>[],
  denials: readonly Row[],
): boolean {
  if (!isBelieved) return false
  const isOver = (row: Row): boolean => row.says === says.wrong || (row.valid_until ?? row.said_at) < until
  return told.some((one) => one.object === object) || denials.some((row) => row.object_key === object && isOver(row))
}

/**
 * Cuts a note at the words of persons: it is unverified at the times at which these tell of another object. It stays so
 * after them, unless it was noted again since: the end of a person's state says nothing of a note against it.
 */
function besideWords<Row extends Claimable>(note: Holding<Row>, told: readonly Holding<Row>[]): readonly Holding<Row>[] {
  if (!note.isBelieved) return [note]
  const against = told.filter((one) => one.isBelieved && one.from < note.until && note.from < one.until)
  const cuts = against.flatMap((one) => [one.from, one.until]).filter((at) => at > note.from && at < note.until)
  const bounds = [note.from, ...new Set(cuts.toSorted((a, b) => a - b)), note.until]
  return bounds.slice(1).map((until, place) => {
    const part = { ...note, from: bounds[place] ?? note.from, until }
    const isAgainst = against.some((one) => one.from < until && part.from < one.until)
    const ended = against.filter((one) => one.until <= part.from)
    const isLeft = note.rows.every(({ said_at: at }) => ended.some((one) => one.from <= at && at < one.until))
    return isAgainst || isLeft ? unverified(part) : part
  })
}

function unverified<Row extends Claimable>(one: Holding<Row>): Holding<Row> {
  return { ...one, isUnverified: true }
}

/** Derives the holdings of what persons said. */
function saidIn<Row extends Claimable>(rows: readonly Row[], isSingle: boolean | undefined, asOf: number, isPlan: boolean): Holding<Row>[] {
  const [others, own] = split(rows, (row) => row.of_other > 0)
  const byHand = own.filter((row) => row.session_id === 0)
  const isOwn = own.some((row) => row.says === says.is && !byHand.includes(row) && isKnown(row, asOf))
  if (others.length > 0 && isOwn) {
    const told = withPassing(own, isSingle, asOf, isPlan)
    const changes = byHand.filter((row) => row.says !== says.is)
    const claims = withPassing([...others, ...changes], false, asOf, isPlan).filter(
      ({ object, isBelieved }) => isBelieved && !told.some((one) => one.isBelieved && one.object === object),
    )
    return [...told, ...claims.map(unverified)]
  }
  return withPassing(rows, isSingle, asOf, isPlan)
}

function isKnown({ recorded_at: recorded, withdrawn_at: withdrawn }: Stated, asOf: number): boolean {
  return recorded <= asOf && (withdrawn === null || withdrawn > asOf)
}

function withPassing<Row extends Claimable>(
  rows: readonly Row[],
  isSingle: boolean | undefined,
  asOf: number,
  isPlan: boolean,
): Holding<Row>[] {
  const [events, states] = split(rows, (row) => row.passing === durations.once && row.says === says.is)
  const held = statesIn(states, isSingle, asOf, isPlan)
  if (events.length === 0) return held
  const denials = states.filter((row) => row.says === says.wrong)
  return [...held, ...apartFrom(held, derive([...events, ...denials], false, asOf))]
}

/** Leaves out what holds at the same time as another holding of the same object. */
function apartFrom<Row extends Claimable>(held: readonly Holding<Row>[], others: readonly Holding<Row>[]): Holding<Row>[] {
  return others.filter((one) => !held.some((other) => other.object === one.object && other.from < one.until && one.from < other.until))
}

function statesIn<Row extends Claimable>(
  rows: readonly Row[],
  isSingle: boolean | undefined,
  asOf: number,
  isPlan: boolean,
): Holding<Row>[] {
  const [passing, staying] = split(rows, (row) => row.passing === durations.while && row.says === says.is && row.valid_until !== null)
  if (passing.length === 0) return derive(rows, isSingle, asOf, isPlan)
  const changes = staying.filter((row) => row.says !== says.is)
  const held = derive(staying, isSingle ?? (passing.some((row) => row.single === 1) ? true : undefined), asOf, isPlan)
  const whiles = derive([...passing, ...changes], false, asOf, isPlan)
  const apart = apartFrom(held, whiles)
  const isOne = isSingle ?? rows.some((row) => row.single === 1)
  if (!isOne) return [...held, ...apart]
  // Of two passing states that overlap the later one interrupts the earlier one.
  const ended = apart
    .map((one) => endedBy(one, held))
    .toSorted((a, b) => (isSaidAfter(a, b) ? 1 : -1))
    .reduce((left: readonly Holding<Row>[], one) => [...left.flatMap((other) => interrupted(other, one)), one], [])
  return [...ended.reduce((left: readonly Holding<Row>[], one) => left.flatMap((other) => interrupted(other, one)), held), ...ended]
}

/** Ends a passing state early where a lasting one was said to begin within it, and was said after it. */
function endedBy<Row extends Claimable>(passing: Holding<Row>, held: readonly Holding<Row>[]): Holding<Row> {
  const [row] = held
    .flatMap((one) => (one.isBelieved && one.object !== passing.object ? one.rows : []))
    .filter((one) => beginOf(one) >= passing.from && beginOf(one) < passing.until && isSaidAfter({ rows: [one] }, passing))
    .toSorted((a, b) => beginOf(a) - beginOf(b))
  return row === undefined ? passing : { ...passing, until: beginOf(row), closedBy: row }
}

function beginOf({ valid_from: from, said_at: said }: Stated): number {
  return from ?? said
}

function isSaidAfter<Row extends Claimable>({ rows: [row] }: Pick<Holding<Row>, 'rows'>, { rows: [other] }: Holding<Row>): boolean {
  return row !== undefined && other !== undefined && (row.said_at > other.said_at || (row.said_at === other.said_at && row.ord > other.ord))
}

/** Leaves out of a holding the time of a passing state of another object. */
function interrupted<Row extends Claimable>(held: Holding<Row>, passing: Holding<Row>): readonly Holding<Row>[] {
  const isApart = !passing.isBelieved || passing.from >= passing.until || passing.until <= held.from || held.until <= passing.from
  if (!held.isBelieved || isApart || held.object === passing.object) return [held]
  const before = { ...held, until: passing.from, closedBy: passing.rows[0] }
  const after = { ...held, from: passing.until }
  return [before, after].filter(({ from, until }) => from < until)
}

function split<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))]
}
