import type { Statement } from './statement.ts'

/**
 * A piece of the store's work, written once for all engines: a generator that yields queries and gets rows back.
 *
 * The SQLite adapter runs it to its end without an await, so that nothing comes between the statements of a
 * transaction. An adapter over a network awaits at each step. See docs/decisions/0002-programs.md.
 */
export type Program<Result> = Generator<Step, Result, readonly unknown[]>

/** One wait of a program: a query and its rows, or a list of queries and the rows of each. */
export type Step = SingleStep | ListStep

export interface SingleStep {
  readonly query: Statement<never, unknown>
  readonly params: object
  /**
   * `first` when at most one row is wanted, `run` when no row comes back. `holds` for a condition: without a row the
   * transaction is undone, and its programs begin anew. A store over a network alone takes one (Here.isFar).
   */
  readonly mode: 'all' | 'first' | 'run' | 'holds'
}

/**
 * Queries that run in their order; each sees the writes of those before. The answer has the rows of each query at its
 * place. An engine over a network sends them together; SQLite runs a loop.
 */
export interface ListStep {
  readonly list: readonly SingleStep[]
  /** True for a list without answers after which its program asks nothing more: the commit may travel with it. */
  readonly isLast?: true
  /** True when its program, begun anew, finds out by itself whether this list is stored: all of a transaction may travel at once. */
  readonly isKnownAgain?: true
}

/** The most queries in one step: an engine over a network holds all of their answers at once. */
export const mostPerStep = 1_000

/** Returns all rows of a query. */
export function* all<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<readonly Row[]> {
  return yield* ask(query, params, 'all')
}

/** Returns the first row of a query. */
export function* first<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<Row | undefined> {
  const rows = yield* ask(query, params, 'first')
  return rows[0]
}

/** Runs a query without an answer. */
export function* run<Params extends object, Row>(query: Statement<Params, Row>, params: Params): Program<void> {
  yield* ask(query, params, 'run')
}

/** Returns all rows of a query for each set of arguments, in one step. */
export function allEach<Params extends object, Row>(
  query: Statement<Params, Row>,
  list: readonly Params[],
): Program<readonly (readonly Row[])[]> {
  return abreast(list.map((params) => all(query, params)))
}

/** Returns the first row of a query for each set of arguments, in one step. */
export function firstEach<Params extends object, Row>(
  query: Statement<Params, Row>,
  list: readonly Params[],
): Program<readonly (Row | undefined)[]> {
  return abreast(list.map((params) => first(query, params)))
}

/** Runs a query without an answer for each set of arguments, in one step. */
export function runEach<Params extends object, Row>(query: Statement<Params, Row>, list: readonly Params[]): Program<void> {
  return runList(list.map((params) => change(query, params)))
}

/** Makes a step of a query without an answer, to be run in a list. */
export function change<Params extends object, Row>(query: Statement<Params, Row>, params: Params): SingleStep {
  return single(query, params, 'run')
}

/** Makes a step of a query that must find a row. */
export function holds<Params extends object, Row>(query: Statement<Params, Row>, params: Params): SingleStep {
  return single(query, params, 'holds')
}

/** Runs queries without an answer, in their order and in one step. */
export function* runList(list: readonly SingleStep[]): Program<void> {
  yield* askList(list)
}

/** Runs queries without an answer in the program's last step: a store over a network commits in the same round trip. */
export function* runLast(list: readonly SingleStep[]): Program<void> {
  if (list.length > mostPerStep) yield* askList(list.slice(0, -mostPerStep))
  yield { list: list.slice(-mostPerStep), isLast: true }
}

/** Runs a program's only step, which its program knows again. A store over a network takes one round trip for all of it. */
export function* runAtOnce(list: readonly SingleStep[]): Program<void> {
  yield { list, isLast: true, isKnownAgain: true }
}

type ResultsOf<Programs extends readonly Program<unknown>[]> = {
  -readonly [At in keyof Programs]: Programs[At] extends Program<infer Result> ? Result : never
}

/**
 * Runs programs side by side: the first step of each in one list, then the second of each, until all have ended. It
 * takes as many steps as the longest program. No program may read or write rows that another writes in a later step.
 *
 * Where all of them end with a last step, that is a last step of the whole too.
 *
 * `atOnce` bounds how many run at a time, for programs that hold much memory.
 */
export function* abreast<const Programs extends readonly Program<unknown>[]>(
  programs: Programs,
  atOnce = mostPerStep,
): Program<ResultsOf<Programs>> {
  const results: unknown[] = []
  for (let at = 0; at < programs.length; at += atOnce)
    results.push(...(yield* together(programs.slice(at, at + atOnce), at + atOnce >= programs.length)))
  return results as ResultsOf<Programs>
}

function* together(programs: readonly Program<unknown>[], mayEnd: boolean): Program<readonly unknown[]> {
  const results: unknown[] = programs.map(() => undefined)
  try {
    let going = programs.map((program, place) => ({ program, place, next: program.next([]) }))
    for (;;) {
      for (const { place, next } of going) if (next.done === true) results[place] = next.value
      const steps = going.flatMap((one) => (one.next.done === true ? [] : [{ ...one, step: one.next.value }]))
      if (steps.length === 0) return results
      if (mayEnd && steps.every(({ step }) => 'list' in step && step.isLast === true)) {
        yield* runLast(steps.flatMap(({ step }) => ('list' in step ? step.list : [])))
        going = steps.map(({ program, place }) => ({ program, place, next: program.next([]) }))
        continue
      }
      const answers = yield* askList(steps.flatMap(({ step }) => ('list' in step ? step.list : [step])))
      let from = 0
      going = steps.map(({ program, place, step }) => {
        const to = from + ('list' in step ? step.list.length : 1)
        const rows = 'list' in step ? answers.slice(from, to) : rowsAt(answers, from)
        from = to
        return { program, place, next: program.next(rows) }
      })
    }
  } catch (error) {
    throw programs.map((program) => failureIn(program, error)).find((failure) => failure !== error) ?? error
  }
}

/** Tells a program of a failed step, so that it lets go what it holds, and returns what it throws. Those beside it cannot go on. */
function failureIn(program: Program<unknown>, error: unknown): unknown {
  try {
    program.throw(error)
    program.return(undefined)
    return error
  } catch (failure) {
    return failure
  }
}

function rowsAt(answers: readonly unknown[], place: number): readonly unknown[] {
  const rows = answers[place]
  if (!Array.isArray(rows)) throw new TypeError('a list of queries was not answered with the rows of each')
  return rows
}

/** Makes a program that asks nothing and returns a result. */
export function* answer<Result>(result: Result): Program<Result> {
  yield* []
  return result
}

function* askList(list: readonly SingleStep[]): Program<readonly unknown[]> {
  if (list.length === 0) return list
  if (list.length <= mostPerStep) return yield { list }
  const answers: unknown[] = []
  for (let at = 0; at < list.length; at += mostPerStep) answers.push(...(yield { list: list.slice(at, at + mostPerStep) }))
  return answers
}

function* ask<Params extends object, Row>(
  query: Statement<Params, Row>,
  params: Params,
  mode: SingleStep['mode'],
): Program<readonly Row[]> {
  // kysely inferred the row type from the query itself.
  return (yield single(query, params, mode)) as readonly Row[]
}

function single<Params extends object, Row>(query: Statement<Params, Row>, params: Params, mode: SingleStep['mode']): SingleStep {
  return { query, params, mode }
}
