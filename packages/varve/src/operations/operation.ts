import type * as z from 'zod'
import type { ErrorCode, VarveError } from '../errors/varve-error.ts'
import type { CallOptions } from './call-options.ts'
import type { PartitionMeans, StoreMeans } from './means.ts'

/** Input fields by name, each with the zod schema that checks it. */
export type Fields = Readonly<Record<string, z.ZodType>>

/** An input that was checked, with its defaults. */
export type Checked<Input extends Fields> = z.output<z.ZodObject<Input>>

/** The method of a handle, where it differs from the usual form: required fields by place, and the others in `options`. */
export interface Method {
  /** Sentences for a caller of the method alone: its errors, its answer, the pages of a list. They come after `about`. */
  readonly details?: string
  /** Fields that are taken by place, in this order. */
  readonly placed?: readonly string[]
  /** The parameter that takes all other fields, and the type of it. The options of every call come after it. */
  readonly whole?: { readonly name: string; readonly type: string }
  /** The name of the options' type. Default: the room's and the operation's, such as `FactsListOptions`. */
  readonly options?: string
  /** A call, as a user would write it. */
  readonly example?: string
  /** The method is written by hand. Its options are not. */
  readonly byHand?: true
}

/** One operation of Varve. Its checks, its JSON Schema, its tool, its flags and its reference come from this record. */
export interface OperationOf<Means, Input extends Fields, Output> {
  /** `room.operation`, or one word where the handle itself has the method. */
  readonly name: string
  /** `read` for an operation that only reads, `write` for one that changes the store. */
  readonly kind: 'read' | 'write'
  /**
   * Its method and path of HTTP, under those of its owner. A name in braces is a field; other fields are in the query or
   * the body. Null where no caller from elsewhere may ask it.
   */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}` | null
  /** The field that holds the revision or version on which an edit was made: where another one stands, it is STALE_REVISION. */
  readonly expects?: string
  /** What it does, in plain sentences that hold for a method, a command and a tool. */
  readonly about: string
  /** Makes the fields when they are first needed: opening a memory checks nothing. */
  readonly input: () => Input
  /** The public type of the answer. */
  readonly output: string
  /** Codes of errors beyond those that every operation has. */
  readonly errors: readonly ErrorCode[]
  readonly method?: Method
  run(means: Means, input: Checked<Input>, call: CallOptions): Promise<Output>
  /** Gives the answer when the store cannot. Without it the call rejects. */
  failsOpen?(error: VarveError, input: Checked<Input>, means: Means): Output | Promise<Output>
  /** Counts and tells what happened, after the answer. */
  told?(means: Means, input: Checked<Input>, output: Output, ms: number): void
}

/** An operation without its types, for the readers of its record. */
export type AnyOperation = Omit<OperationOf<never, Fields, unknown>, 'run' | 'failsOpen' | 'told'>

/** An operation on one partition: a user's, or the part that a project shares. */
export type Operation<Input extends Fields, Output> = OperationOf<PartitionMeans, Input, Output>

/** Declares an operation on one partition. */
export function operation<const Input extends Fields, Output>(record: Operation<Input, Output>): Operation<Input, Output> {
  return record
}

/** Declares an operation on the whole store. */
export function storeOperation<const Input extends Fields, Output>(
  record: OperationOf<StoreMeans, Input, Output>,
): OperationOf<StoreMeans, Input, Output> {
  return record
}
