// Appends to sessions of some users, beside others, until a file exists. It tells when each append began and ended by the
// machine's monotonic clock, which all processes share.
import { existsSync } from 'node:fs'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'
import { textOf } from '../support/text.ts'

export interface AppendArguments {
  readonly store: string
  readonly name: string
  readonly users: number
  /** The file that ends it. */
  readonly stop: string
}

/** An append: its key, and its times in nanoseconds of the monotonic clock. */
export interface Appended {
  readonly key: string
  readonly user: number
  readonly begun: number
  readonly ended: number
}

export type AppendLine =
  | { readonly type: 'opened' }
  | { readonly type: 'done'; readonly appended: readonly Appended[]; readonly longestMs: number; readonly errors: readonly string[] }

const { store, name, users, stop } = childArguments<AppendArguments>()
const now = (): number => Number(process.hrtime.bigint())
const appended: Appended[] = []
const errors: string[] = []
let longestMs = 0
await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
say({ type: 'opened' } satisfies AppendLine)
for (let at = 0; !existsSync(stop); at += 1) {
  const user = at % users
  const key = `${name}-${at}`
  const begun = now()
  try {
    await memory.for(`user-${user}`).append('shared', { role: 'user', content: textOf(key, 2) })
    const ended = now()
    appended.push({ key, user, begun, ended })
    longestMs = Math.max(longestMs, (ended - begun) / 1e6)
  } catch (error) {
    errors.push(codeOf(error))
  }
}
say({ type: 'done', appended, longestMs, errors } satisfies AppendLine)
