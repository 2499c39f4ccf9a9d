import { InvalidOption } from '../../errors/invalid-option.ts'
import { givenFields } from '../../operations/fields.ts'
import { type List, type Listing, listing } from '../../operations/list.ts'
import type { StoreMeans } from '../../operations/means.ts'
import type { Fields, OperationOf } from '../../operations/operation.ts'
import { shown } from '../../errors/shown.ts'
import { type Gate, guarded } from './guarded.ts'

/** Makes the calls of one handle. */
export class Calls<Means extends StoreMeans> {
  readonly #gate: Gate
  readonly means: Means

  constructor(gate: Gate, means: Means) {
    this.#gate = gate
    this.means = means
  }

  /** Makes a call. `placed` holds the fields that the method took by place; `options` holds all others. */
  async call<Input extends Fields, Output>(operation: OperationOf<Means, Input, Output>, placed: object, options: object): Promise<Output> {
    return guarded(this.#gate, this.means, operation, merged(placed, options))
  }

  /** Makes a call whose fields came in one object and whose call options came in another. */
  async whole<Input extends Fields, Output>(
    operation: OperationOf<Means, Input, Output>,
    { placed = {}, named, fields }: { readonly placed?: object; readonly named: string; readonly fields: object },
    options: object,
  ): Promise<Output> {
    const unknown = Object.keys(givenFields('options', options)).find((name) => name !== 'signal' && name !== 'deadlineMs')
    if (unknown !== undefined) throw notKnown(unknown, options)
    const call = Object.keys(givenFields(named, fields)).find((name) => name === 'signal' || name === 'deadlineMs')
    if (call !== undefined) throw notKnown(call, fields)
    return this.call(operation, merged(placed, fields), options)
  }

  /** Reads a list. */
  list<Input extends Fields, Item>(operation: OperationOf<Means, Input, List<Item>>, placed: object, options: object = {}): Listing<Item> {
    return listing(this.call(operation, placed, options), (cursor) => this.call(operation, { ...placed, cursor }, without(options)))
  }
}

/** Joins the fields of a call. Refuses a placed name in the options, since it is no option of that call. */
function merged(placed: object, options: object): object {
  const twice = Object.keys(givenFields('options', options)).find((name) => Object.hasOwn(placed, name))
  if (twice !== undefined) throw notKnown(twice, options)
  return { ...Object.fromEntries(Object.entries(placed).filter(([, value]) => value !== undefined)), ...options }
}

function without(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'cursor'))
}

function notKnown(option: string, options: object): InvalidOption {
  return new InvalidOption({ option, received: shown(Reflect.get(options, option)), expected: 'left out: it is no option of this call' })
}
