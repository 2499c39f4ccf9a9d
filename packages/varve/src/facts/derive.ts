import { says } from '../storage/known/assertions.ts'
import type { AssertionTable } from '../storage/known-tables.ts'

/** A begin that is told within this time is news. "Last month" begins at most 62 days before it is told. Milliseconds. */
const recent = 62 * 86_400_000

/** A statement, with the columns from which intervals are derived. */
export type Stated = Pick<
  AssertionTable,
  | 'ord'
  | 'says'
  | 'object_key'
  | 'instead_key'
  | 'valid_from'
  | 'valid_until'
  | 'when_from'
  | 'when_to'
  | 'said_at'
  | 'recorded_at'
  | 'withdrawn_at'
  | 'single'
>

/** A time at which an object holds, by statements that say the same: [from, until) in UTC milliseconds. */
export interface Holding<Row extends Stated> {
  readonly object: string
  readonly from: number
  /** Infinity: until further notice. */
  readonly until: number
  /** At least one, in the order in which they were said. */
  readonly rows: readonly Row[]
  /** The statement that closed it, or took it back. */
  readonly closedBy: Row | undefined
  /** False for a holding that was taken back: it never held. */
  readonly isBelieved: boolean
  /**
   * True for another's words about a person who spoke about it too, and for an agent's note against a person's words: they
   * are shown beside, and end nothing.
   */
  readonly isUnverified?: true
}

/** A statement's own interval, while it is derived. */
interface Interval<Row extends Stated> {
  readonly row: Row
  from: number
  until: number
  closedBy: Row | undefined
  /** The statement that took it back. */
  killedBy: Row | undefined
}

/**
 * Derives the holdings of one subject and predicate, as of a time: the intervals of bi-temporal facts, from statements.
 * A later statement of the same object corrects (`wrong`, `instead`) or closes (`ends`) the earlier ones. Where one
 * object holds at a time, the statement that begins later closes the one before, in whatever order they were said.
 *
 * An exception: a statement without a told begin yields to a later one that was said to begin shortly before it, and to
 * hold. So forgetting a statement leaves the result of the others alone. Intervals are never inverted; an empty one
 * never held.
 *
 * `isSingle`: true when the predicate has one object at a time. Undefined: a believed statement may say so. `isPlan`: a
 * plan ends on the day that was said last.
 */
export function derive<Row extends Stated>(
  rows: readonly Row[],
  isSingle: boolean | undefined,
  asOf: number,
  isPlan = false,
): Holding<Row>[] {
  const known = rows.filter((row) => row.recorded_at <= asOf && (row.withdrawn_at === null || row.withdrawn_at > asOf)).toSorted(asSaid)
  const intervals = intervalsOf(known, isSingle ?? known.some((row) => row.single === 1))
  const alive = intervals.filter(({ killedBy }) => killedBy === undefined)
  const single = isSingle ?? alive.some(({ row }) => row.single === 1)
  if (isPlan) reschedule(alive)
  if (single) startAfter(alive)
  endAll(
    alive,
    known.filter((row) => row.says === says.ends),
    single,
  )
  if (single) closeEach(alive)
  return [...intervals.filter(({ killedBy }) => killedBy !== undefined).map(disbelieved), ...unions(alive)]
}

function asSaid(a: Stated, b: Stated): number {
  return a.said_at - b.said_at || a.ord - b.ord
}

/**
 * Makes an interval from each statement that something holds, in the order in which they were said. It has its begin,
 * its end, and the statement that took it back.
 */
function intervalsOf<Row extends Stated>(known: readonly Row[], isSingle: boolean): Interval<Row>[] {
  const found: Interval<Row>[] = []
  const byObject = new Map<string, Interval<Row>[]>()
  const ends: Row[] = []
  for (const row of known) {
    if (row.says === says.ends) ends.push(row)
    if (row.says === says.wrong) for (const before of byObject.get(row.object_key) ?? []) before.killedBy ??= row
    if (row.says !== says.is) continue
    const corrected = row.instead_key === null ? [] : lastHolding(byObject.get(row.instead_key) ?? [], found, ends, isSingle)
    for (const before of corrected) before.killedBy = row
    const from = row.valid_from ?? (corrected.length === 0 ? row.said_at : Math.min(...corrected.map((before) => before.from)))
    // A correction without times takes the times of the corrected statement.
    const told =
      row.valid_until ??
      (row.valid_from === null && corrected.length > 0 ? Math.max(...corrected.map((before) => before.until)) : Number.POSITIVE_INFINITY)
    const interval = { row, from, until: Math.max(from, told), closedBy: undefined, killedBy: undefined }
    found.push(interval)
    const same = byObject.get(row.object_key)
    if (same === undefined) byObject.set(row.object_key, [interval])
    else same.push(interval)
  }
  return found
}

/**
 * Finds the statements that a correction is about: the statement of an object that began last, and those that held at
 * that time. Earlier holdings stay untouched.
 */
function lastHolding<Row extends Stated>(
  of: readonly Interval<Row>[],
  all: readonly Interval<Row>[],
  ends: readonly Row[],
  isSingle: boolean,
): Interval<Row>[] {
  const believed = of.filter(({ killedBy }) => killedBy === undefined)
  const last = Math.max(...believed.map(({ from }) => from))
  // A shortcut for chains of corrections, which are as long as people change their mind. Each is about one statement,
  // so the others need no search.
  if (believed.every(({ from }) => from === last)) return believed
  const others = isSingle
    ? all.filter(({ row, killedBy, from }) => killedBy === undefined && row.object_key !== believed[0]?.row.object_key && from <= last)
    : []
  return believed.filter((interval) => {
    const { row, from, until } = interval
    if (from === last) return true
    const isEnded = ends.some(
      (end) =>
        (end.object_key === row.object_key || (end.object_key === '' && isSingle)) &&
        asSaid(row, end) < 0 &&
        (end.valid_until ?? end.said_at) <= last &&
        from <= Math.max(end.valid_until ?? end.said_at, end.said_at),
    )
    return last < until && !isEnded && !others.some((other) => other.from > from || (other.from === from && asSaid(other.row, row) > 0))
  })
}

/** Ends a plan on its new day, when it is said again with another day while it stands. */
function reschedule<Row extends Stated>(alive: readonly Interval<Row>[]): void {
  for (const intervals of Map.groupBy(alive, ({ row }) => row.object_key).values()) {
    const dated = intervals.findLast(({ row }) => row.valid_until !== null)
    if (dated === undefined) continue
    for (const interval of intervals) {
      if (interval !== dated && dated.row.said_at < interval.until && interval.from <= dated.until) interval.until = dated.until
    }
  }
}

/** Applies ends to holdings. An end in May also says that the object has not held since. */
function endAll<Row extends Stated>(alive: readonly Interval<Row>[], ends: readonly Row[], single: boolean): void {
  for (const end of ends) {
    const at = end.valid_until ?? end.said_at
    for (const interval of meantBy(
      end,
      alive.filter(({ row, from }) => asSaid(row, end) < 0 && from <= Math.max(at, end.said_at)),
      single,
    ))
      close(interval, Math.max(interval.from, at), end)
  }
}

/**
 * Finds the holdings that an end is about: by the object's name, or by words of it where one object holds at a time. An
 * end without an object is about the only one that held.
 */
function meantBy<Row extends Stated>(end: Row, before: readonly Interval<Row>[], single: boolean): readonly Interval<Row>[] {
  const named = before.filter(({ row }) => row.object_key === end.object_key)
  if (named.length > 0) return named
  const at = end.valid_until ?? end.said_at
  // A statement without a told begin may have begun before it was said. The end must then lie closer to that statement
  // than to its own saying.
  const open = before.filter(
    ({ row, from, until }) => at < until && (at >= from || (row.valid_from === null && from - at < end.said_at - from)),
  )
  const meant = end.object_key === '' ? open : single ? open.filter(({ row }) => isPart(end.object_key, row.object_key)) : []
  return single || new Set(meant.map(({ row }) => row.object_key)).size === 1 ? meant : []
}

const words = /[\p{L}\p{N}]+/gu

/** Tells whether all words of a name stand in another: `skoda`, `skoda octavia`. */
function isPart(part: string, whole: string): boolean {
  const all = new Set(whole.match(words))
  const some = part.match(words) ?? []
  return some.length > 0 && some.every((word) => all.has(word))
}

/** Moves begins that a range tells. A person who moved last month, and lived elsewhere in that month, moved after that. */
function startAfter<Row extends Stated>(alive: readonly Interval<Row>[]): void {
  const assumed = alive.filter(({ row }) => row.valid_from === null).toSorted((a, b) => a.from - b.from)
  const told = alive.filter(({ row }) => row.valid_from !== null && row.valid_from === row.when_from).toSorted((a, b) => a.from - b.from)
  let first = 0
  for (const interval of told) {
    while ((assumed[first]?.from ?? Number.POSITIVE_INFINITY) < interval.from) first += 1
    if (!isElsewhere(interval, assumed, first)) continue
    interval.from = Math.max(interval.from, Math.min(interval.row.when_to ?? interval.from, interval.row.said_at))
    interval.until = Math.max(interval.until, interval.from)
  }
}

/**
 * Tells whether another object began within the told range of a begin, and was said before. Only the holdings from a
 * place on, by begin, are looked at.
 */
function isElsewhere<Row extends Stated>(interval: Interval<Row>, assumed: readonly Interval<Row>[], first: number): boolean {
  for (
    let place = first, other = assumed[place];
    other !== undefined && other.from < (interval.row.when_to ?? interval.from);
    place += 1, other = assumed[place]
  ) {
    if (isOther(other, interval) && asSaid(other.row, interval.row) < 0) return true
  }
  return false
}

function isOther<Row extends Stated>(a: Interval<Row>, b: Interval<Row>): boolean {
  return a.row.object_key !== b.row.object_key
}

function closeEach<Row extends Stated>(alive: readonly Interval<Row>[]): void {
  const ordered = unyielding(alive.toSorted((a, b) => a.from - b.from || asSaid(a.row, b.row)))
  let next: Interval<Row> | undefined
  // From the last back: the next one with another object is known when an interval is met.
  let afterNext: Interval<Row> | undefined
  for (const interval of ordered.toReversed()) {
    if (next !== undefined && isOther(next, interval)) afterNext = next
    if (afterNext !== undefined) close(interval, afterNext.from, afterNext.row)
    next = interval
  }
}

/**
 * Tells whether a statement yields to a later one. A person who lives in Leeds, and says weeks later that he moved to
 * York days before that, is in York: Leeds never held. So is one who says that he moved last month. A begin long before
 * is only told late, and nothing yields.
 */
function yieldsTo<Row extends Stated>({ row: yielding, from }: Interval<Row>, { row, until }: Interval<Row>): boolean {
  const { valid_from: begun, when_from: told, said_at: said } = row
  if (begun === null || begun !== told || asSaid(yielding, row) > 0 || until <= Math.max(from, said)) return false
  return from - begun < said - from || said - begun <= recent
}

function unyielding<Row extends Stated>(ordered: readonly Interval<Row>[]): Interval<Row>[] {
  const standing: Interval<Row>[] = []
  let last: Interval<Row>[] = []
  for (const interval of ordered) {
    const isNext = last[0] === undefined || isOther(last[0], interval)
    const by = isNext && interval.row.valid_from === null ? last.findLast((one) => yieldsTo(interval, one)) : undefined
    if (by !== undefined) {
      close(interval, interval.from, by.row)
      continue
    }
    if (isNext) last = []
    last.push(interval)
    standing.push(interval)
  }
  return standing
}

function close<Row extends Stated>(interval: Interval<Row>, until: number, by: Row): void {
  if (until >= interval.until) return
  interval.until = until
  interval.closedBy = by
}

function disbelieved<Row extends Stated>({ row, from, until, killedBy }: Interval<Row>): Holding<Row> {
  return { object: row.object_key, from, until, rows: [row], closedBy: killedBy, isBelieved: false }
}

/** Joins intervals of the same object that overlap or touch. */
function unions<Row extends Stated>(alive: readonly Interval<Row>[]): Holding<Row>[] {
  const found: Holding<Row>[] = []
  const byObject = Map.groupBy(alive, ({ row }) => row.object_key)
  for (const [object, intervals] of byObject) {
    let run: Interval<Row>[] = []
    let until = Number.NEGATIVE_INFINITY
    const finish = (): void => {
      if (run.length > 0) found.push(unionOf(object, run, until))
    }
    for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
      if (interval.from > until) {
        finish()
        run = []
        until = interval.until
      }
      run.push(interval)
      until = Math.max(until, interval.until)
    }
    finish()
  }
  return found
}

function unionOf<Row extends Stated>(object: string, run: readonly Interval<Row>[], until: number): Holding<Row> {
  const last = run.filter((interval) => interval.until === until)
  const closedBy = last.every((interval) => interval.closedBy !== undefined) ? last[0]?.closedBy : undefined
  return { object, from: run[0]?.from ?? 0, until, rows: run.map(({ row }) => row).toSorted(asSaid), closedBy, isBelieved: true }
}
