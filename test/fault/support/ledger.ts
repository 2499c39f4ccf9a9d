import Database from 'better-sqlite3'
import type { LoadLine } from '../children/load-child.ts'
import { keyOf } from './text.ts'

/** The messages that a store should have, compared with those that it has, a little at a time. */
export class Ledger {
  readonly #kept = new Set<string>()
  readonly #erased = new Set<string>()
  readonly #found = new Map<string, number>()
  readonly #problems: string[] = []
  #lastOrd = 0
  #acknowledged = 0

  get acknowledged(): number {
    return this.#acknowledged
  }

  hear(lines: readonly LoadLine[]): void {
    for (const line of lines) {
      if (!('batch' in line)) continue
      const keys = Array.from({ length: line.size }, (_, place) => `${line.batch}/${line.size}/${place}`)
      if (line.type === 'appended') {
        this.#acknowledged += line.size
        for (const key of keys) this.#kept.add(key)
      } else {
        for (const key of keys) this.#kept.delete(key)
        if (line.type === 'erased') for (const key of keys) this.#erased.add(key)
      }
    }
  }

  /** Reads the messages since the last look, in one snapshot. Returns acknowledged messages that are missing. */
  look(store: string): { lost: string[]; problems: string[] } {
    const connection = new Database(store, { readonly: true })
    try {
      const rows = connection
        .prepare<[number], { ord: number; content: string }>('SELECT ord, content FROM message WHERE ord > ? ORDER BY ord')
        .all(this.#lastOrd)
      for (const row of rows) this.#take(row.content)
      this.#lastOrd = rows.at(-1)?.ord ?? this.#lastOrd
    } finally {
      connection.close()
    }
    return this.#compare()
  }

  /** Reads everything again: a message found once must be there still. */
  lookAgain(contents: readonly string[]): { lost: string[]; problems: string[] } {
    this.#found.clear()
    for (const content of contents) this.#take(content)
    return this.#compare(true)
  }

  #take(content: string): void {
    const key = keyOf(content)
    if (key === undefined) this.#problems.push(`changed: ${content.slice(0, 40)}`)
    else this.#found.set(key, (this.#found.get(key) ?? 0) + 1)
  }

  /** An early look may have seen a message before it was erased; the last look must not. */
  #compare(last = false): { lost: string[]; problems: string[] } {
    const lost = [...this.#kept].filter((key) => !this.#found.has(key))
    const twice = [...this.#found].flatMap(([key, count]) => (count > 1 ? [`${count} times ${key}`] : []))
    const back = last ? [...this.#erased].filter((key) => this.#found.has(key)).map((key) => `back again: ${key}`) : []
    return { lost, problems: [...this.#problems, ...twice, ...back, ...this.#half()] }
  }

  #half(): string[] {
    const batches = Map.groupBy(this.#found.keys(), (key) => key.slice(0, key.lastIndexOf('/')))
    return [...batches].flatMap(([batch, keys]) => (keys.length === Number(batch.split('/')[1]) ? [] : [`${keys.length} of ${batch}`]))
  }
}
