import type { PoolClient } from 'pg'
import { compile } from '../compile-statement.ts'
import type { Program, SingleStep, Step } from '../program.ts'
import { bind, type CompiledStatement } from '../statement.ts'
import { type Sent, sendAll } from './batch.ts'
import type { Connected } from './connections.ts'
import { lockOf } from './locking.ts'

/** A connection as programs use it. */
export type Client = Pick<PoolClient, 'query'> & Connected

/** A query that is ready to be sent. */
interface Ready {
  readonly compiled: CompiledStatement
  /** The name under which a session of the server keeps it. The set of queries is fixed, so they are bounded. */
  readonly name: string
}

const ready = new Map<SingleStep['query'], Ready>()

type Rows = readonly unknown[]

/** The parts of a transaction that its kind decides. */
export interface TransactionTerms {
  readonly opening: readonly Sent[]
  /** True when it locks the partition's row with the statement that finds it. */
  readonly locks: boolean
  /** Looks at the answers to its beginning; throws when it may not go on. */
  readonly begun: (opened: readonly Rows[]) => void
  /** Ends it, in the same round trip as a last step. */
  readonly commit: readonly Sent[]
  /** Resolves when a commit whose answer was lost is known to be done; throws otherwise. */
  readonly settle: (error: unknown, opened: readonly Rows[] | undefined) => Promise<void>
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
    if (this.hasBegun && !this.#isCommitted) await this.#commitWith([])
  }

  async #answer(step: Step, commits: boolean): Promise<Rows> {
    if (this.#isCommitted) throw new TypeError('a program went on after its last step')
    if (!('list' in step)) return (await this.#ask([step]))[0] ?? []
    return commits && step.isLast === true ? this.#commitWith(step.list) : this.#ask(step.list)
  }

  async #ask(list: readonly SingleStep[]): Promise<readonly Rows[]> {
    return answersOf(list, await this.#send(list.map((step) => sentOf(this.#client, step, this.#terms.locks))))
  }

  async #send(sent: readonly Sent[]): Promise<readonly Rows[]> {
    if (this.#opened !== undefined) return sendAll(this.#client, sent)
    const { opening } = this.#terms
    const rows = await sendAll(this.#client, [...opening, ...sent])
    this.#opened = rows.slice(0, opening.length)
    this.#terms.begun(this.#opened)
    return rows.slice(opening.length)
  }

  async #commitWith(list: readonly SingleStep[]): Promise<readonly Rows[]> {
    const { commit, settle } = this.#terms
    // The number by which its outcome is asked must be known before it is sent.
    if (this.#opened === undefined) await this.#send([])
    try {
      await this.#send([...list.map((step) => sentOf(this.#client, step, this.#terms.locks)), ...commit])
    } catch (error) {
      await settle(error, this.#opened)
      this.#isWhole = false
    }
    this.#isCommitted = true
    return list.map(() => [])
  }
}

function answersOf(list: readonly SingleStep[], rows: readonly Rows[]): readonly Rows[] {
  return list.map(({ mode }, place) => (mode === 'first' ? [rows[place]?.[0]] : (rows[place] ?? [])))
}

function sentOf({ isPooled }: Client, { query, params, mode }: SingleStep, locks: boolean): Sent {
  const { compiled, name: plain } = ready.get(query) ?? prepare(query)
  const lock = locks ? lockOf(query) : ''
  const name = lock === '' ? plain : `${plain}_locks`
  return { name: isPooled ? undefined : name, text: `${compiled.sql}${lock}`, values: bind(compiled, params), wantsRows: mode !== 'run' }
}

function prepare(query: SingleStep['query']): Ready {
  const made = { compiled: compile(query, 'postgres'), name: `varve${ready.size}` }
  ready.set(query, made)
  return made
}
