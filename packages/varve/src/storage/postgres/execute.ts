import type { PoolClient } from 'pg'
import { compile } from '../compile-statement.ts'
import type { ListStep, Program, SingleStep, Step } from '../program.ts'
import { bind, type CompiledStatement } from '../statement.ts'
import { type Sent, sendAll } from './batch.ts'
import type { Connected } from './connections.ts'
import { foldInserts, insertOfRows, isPlainInsert } from './fold-inserts.ts'
import { lockOf } from './locking.ts'
import { postgresSchemaVersion } from './migrations/all.ts'

/** A connection as programs use it. */
export type Client = Pick<PoolClient, 'query'> & Connected

/** A query that is ready to be sent. */
interface Ready {
  readonly compiled: CompiledStatement
  /**
   * The name under which a session of the server keeps it. The set of queries is fixed, so they are bounded. Undefined for a
   * query that is planned anew each time.
   */
  readonly name: string | undefined
  readonly isPlainInsert: boolean
  /** The texts of an insert by its number of rows. */
  readonly ofRows: Map<number, string>
}

const ready = new Map<SingleStep['query'], Ready>()

type Rows = readonly unknown[]

/** The parts of a transaction that its kind decides. */
export interface TransactionTerms {
  readonly opening: readonly Sent[]
  /** The same where nobody looks at the answers: a transaction whose program knows it again. */
  readonly plainOpening: readonly Sent[]
  /** True when it locks the partition's row with the statement that finds it. */
  readonly locks: boolean
  /** Looks at the answers to its beginning; throws when it may not go on. */
  readonly begun: (opened: readonly Rows[]) => void
  /** Ends it, in the same round trip as a last step. */
  readonly commit: readonly Sent[]
  /** Resolves when a commit whose answer was lost is known to be done; throws otherwise. */
  readonly settle: (error: unknown, opened: readonly Rows[] | undefined, isAtOnce: boolean) => Promise<void>
}

/**
 * A transaction on a connection. It begins with its first step, in the same round trip; a program that asks nothing
 * takes none.
 */
export class Transaction {
  readonly #client: Client
  readonly #terms: TransactionTerms
  #opened: readonly Rows[] | undefined
  #isCommitted = false
  #isWhole = true

  constructor(client: Client, terms: TransactionTerms) {
    this.#client = client
    this.#terms = terms
  }

  get hasBegun(): boolean {
    return this.#opened !== undefined
  }

  /** False when its connection was lost after the commit. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Runs a program to its end. With `commits`, the program's last step may commit. */
  async run<Result>(program: Program<Result>, commits = false): Promise<Result> {
    let next = program.next([])
    while (next.done !== true) {
      let rows: Rows
      try {
        rows = await this.#answer(next.value, commits)
      } catch (error) {
        next = program.throw(error)
        continue
      }
      next = program.next(rows)
    }
    return next.value
  }

  /** Commits what has begun and is not committed. */
  async commit(): Promise<void> {
    if (this.hasBegun && !this.#isCommitted) await this.#commitWith({ list: [] })
  }

  async #answer(step: Step, commits: boolean): Promise<Rows> {
    if (this.#isCommitted) throw new TypeError('a program went on after its last step')
    if (!('list' in step)) return (await this.#ask([step]))[0] ?? []
    return commits && step.isLast === true ? this.#commitWith(step) : this.#ask(step.list)
  }

  async #ask(list: readonly SingleStep[]): Promise<readonly Rows[]> {
    const { groups, groupOf } = foldInserts(list, isFoldable)
    const rows = await this.#send(groups.map((steps) => sentOf(this.#client, steps, this.#terms.locks)))
    return list.map(({ mode }, place) => {
      const found = rows[groupOf[place] ?? place]
      return mode === 'first' ? [found?.[0]] : (found ?? [])
    })
  }

  async #send(sent: readonly Sent[]): Promise<readonly Rows[]> {
    if (this.#opened !== undefined) return sendAll(this.#client, sent)
    const { opening } = this.#terms
    const rows = await sendAll(this.#client, [...opening, ...sent])
    this.#opened = rows.slice(0, opening.length)
    this.#terms.begun(this.#opened)
    return rows.slice(opening.length)
  }

  async #commitWith({ list, isKnownAgain }: ListStep): Promise<readonly Rows[]> {
    const { commit, settle, plainOpening } = this.#terms
    // The number by which its outcome is asked must be known before it is sent.
    if (this.#opened === undefined && isKnownAgain !== true) await this.#send([])
    // Nothing was asked before, so the program that knows it again is all of the transaction.
    const isAtOnce = this.#opened === undefined
    const opening = isAtOnce ? plainOpening : []
    try {
      const { groups } = foldInserts(list, isFoldable)
      await sendAll(this.#client, [...opening, ...groups.map((steps) => sentOf(this.#client, steps, this.#terms.locks)), ...commit])
    } catch (error) {
      await settle(error, this.#opened, isAtOnce)
      this.#isWhole = false
    }
    this.#isCommitted = true
    return list.map(() => [])
  }
}

function isFoldable({ query, mode }: SingleStep): boolean {
  return mode === 'run' && readyOf(query).isPlainInsert
}

/** Writes steps of one query as one statement: several are rows of one insert. */
function sentOf({ isPooled }: Client, steps: readonly SingleStep[], locks: boolean): Sent {
  const [first] = steps
  if (first === undefined) throw new TypeError('a statement without a step')
  const ready = readyOf(first.query)
  const values = steps.length === 1 ? bind(ready.compiled, first.params) : steps.flatMap(({ params }) => bind(ready.compiled, params))
  const named = (as: string): string | undefined => (isPooled || ready.name === undefined ? undefined : `${ready.name}${as}`)
  const wantsRows = first.mode !== 'run'
  if (steps.length > 1) return { name: named(`_rows${steps.length}`), text: textOfRows(ready, steps.length), values, wantsRows }
  if (first.mode === 'holds')
    return { name: named('_holds'), text: conditionOf(ready.compiled.sql), values, wantsRows: false, isCondition: true }
  const lock = locks ? lockOf(first.query) : ''
  return { name: named(lock === '' ? '' : '_locks'), text: `${ready.compiled.sql}${lock}`, values, wantsRows }
}

/** Writes a query as a condition: it fails without a row, and in a store that a newer Varve has migrated. */
function conditionOf(query: string): string {
  const isOurs = `(select max(version) from schema_migration) <= ${postgresSchemaVersion}`
  const held = query.startsWith('update') ? `${query} returning 1` : query
  return `with held as (${held}) select 1 / count(*) from held where ${isOurs}`
}

function textOfRows({ compiled, ofRows }: Ready, rows: number): string {
  const text = ofRows.get(rows) ?? insertOfRows(compiled, rows)
  ofRows.set(rows, text)
  return text
}

function readyOf(query: SingleStep['query']): Ready {
  const known = ready.get(query)
  if (known !== undefined) return known
  const compiled = compile(query, 'postgres')
  const ofRows = new Map<number, string>()
  if (query.isPlannedAnew === true) return { compiled, name: undefined, isPlainInsert: false, ofRows }
  const made = { compiled, name: `varve${ready.size}`, isPlainInsert: isPlainInsert(compiled), ofRows }
  ready.set(query, made)
  return made
}
