import type { SingleStep } from '../program.ts'
import type { CompiledStatement } from '../statement.ts'

/**
 * The rows of one statement. A statement of each size is prepared once. Of 500 rows, 64 at a time, 8 at a time and single ones
 * make 17 statements.
 */
const sizes = [64, 8, 1] as const
const leastFolded = 8

/** An insert of one row, of plain values: the text before the row, and the values' placeholders. */
const plainInsert = /^(insert into "\w+" \([^()]*\) values )\(\$1(?:, \$\d+)*\)$/

/** Tells whether several rows of a query can be one statement. */
export function isPlainInsert({ sql }: CompiledStatement): boolean {
  return plainInsert.test(sql)
}

/** Writes a plain insert for so many rows. */
export function insertOfRows({ sql, order }: CompiledStatement, rows: number): string {
  const before = plainInsert.exec(sql)?.[1] ?? ''
  const row = (at: number): string => `(${order.map((_, place) => `$${at * order.length + place + 1}`).join(', ')})`
  return before + Array.from({ length: rows }, (_, at) => row(at)).join(', ')
}

/** The steps of a list as they are sent: each group is one statement, and its steps have one query. */
export interface Folded {
  readonly groups: readonly (readonly SingleStep[])[]
  /** The group of each step, by its place in the list. */
  readonly groupOf: readonly number[]
}

/**
 * Joins plain inserts that stand in a row, each table's in their order. No row refers to another by a key that the server
 * checks, so rows of one table may go before those of another.
 */
export function foldInserts(list: readonly SingleStep[], isFoldable: (step: SingleStep) => boolean): Folded {
  if (list.length < leastFolded) return { groups: list.map((step) => [step]), groupOf: list.map((_, place) => place) }
  const groups: SingleStep[][] = []
  const groupOf: number[] = []
  let inserts = new Map<SingleStep['query'], number[]>()
  const add = (places: readonly number[]): void => {
    for (const place of places) groupOf[place] = groups.length
    groups.push(places.flatMap((place) => list[place] ?? []))
  }
  const end = (): void => {
    for (const places of inserts.values()) for (const cut of cuts(places)) add(cut)
    inserts = new Map()
  }
  for (const [place, step] of list.entries()) {
    if (isFoldable(step)) {
      const places = inserts.get(step.query)
      if (places === undefined) inserts.set(step.query, [place])
      else places.push(place)
    } else {
      end()
      add([place])
    }
  }
  end()
  return { groups, groupOf }
}

function* cuts(places: readonly number[]): Generator<readonly number[]> {
  let from = 0
  for (const size of sizes) for (; places.length - from >= size; from += size) yield places.slice(from, from + size)
}
