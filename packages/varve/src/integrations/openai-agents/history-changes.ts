import { hash } from 'node:crypto'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { shown } from '../../errors/shown.ts'
import { isExactJson, toPlain } from '../exact-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** A change of the history as the SDK asks for it. */
export interface HistoryTransaction<Item> {
  readonly operationId: string
  readonly transaction:
    | { readonly type: 'append_items'; readonly items: Item[] }
    | { readonly type: 'replace_suffix'; readonly expectedSuffix: Item[]; readonly replacement: Item[] }
}

/** A function call that takes the place of another one in the history. */
export interface FunctionCallReplacement<Item> {
  readonly type: 'replace_function_call'
  readonly callId: string
  readonly replacement: Item
}

/** A checked change: its items, and those that they take the place of. */
export interface CheckedChange<Item> {
  /** A hash of the operation’s id, and of the change. */
  readonly op: string
  readonly change: string
  readonly items: readonly Item[]
  readonly suffix?: readonly Item[]
}

const kinds = '{ type: append_items, items } or { type: replace_suffix, expectedSuffix, replacement }'

/** Checks a transaction before anything of it is stored. */
export function checkedChange<Item extends object>({ operationId, transaction }: HistoryTransaction<Item>): CheckedChange<Item> {
  if (typeof operationId !== 'string' || operationId.trim() === '') throw refused('operationId', operationId, 'a text that is not blank')
  const op = hash('sha256', operationId).slice(0, 32)
  const change = hash('sha256', sorted(transaction)).slice(0, 32)
  if (transaction.type === 'append_items') return { op, change, items: listed('items', transaction.items) }
  if (transaction.type !== 'replace_suffix') throw refused('transaction', transaction, kinds)
  const { expectedSuffix, replacement } = transaction
  return { op, change, items: listed('replacement', replacement), suffix: listed('expectedSuffix', expectedSuffix) }
}

/** Tells whether two values are the same. The order of fields does not count, nor a field that is undefined. */
export function isEqual(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other)
}

function listed<Item>(option: string, items: readonly Item[]): readonly Item[] {
  if (Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null)) return items
  throw refused(option, items, 'a list of items')
}

function refused(option: string, received: unknown, expected: string): InvalidOption {
  return new InvalidOption({ option, received: shown(received), expected })
}

/** Writes a value as JSON with sorted fields. */
function sorted(value: unknown): string {
  return JSON.stringify(isExactJson(value) ? value : toPlain(value), (_name, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    const fields: Fields = Object(inner)
    return Object.fromEntries(
      Object.keys(fields)
        .sort()
        .map((name) => [name, fields[name]]),
    )
  })
}
