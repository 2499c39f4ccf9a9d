import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../errors/shown.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { contextOperation } from '../operations/context.ts'
import { parseInput } from '../operations/parse.ts'
import { validName } from '../scope/name.ts'
import { parseScope } from '../scope/scope.ts'
import { isFields } from './outside-json.ts'
import type { TurnFailed } from './turn-failures.ts'
import type { TurnMemories, TurnMemory } from './turn-memory.ts'

type Asking = Parameters<UserMemory['context']>[0]

/** Options of every way to memory from a host's turns. One that is undefined has its default. */
export interface TurnOptions<Handle = TurnMemory> {
  /** A memory of the library, or one of `varve/client`. */
  readonly memory: TurnMemories<Handle>
  /** The most tokens of a context. Default 2,000. */
  readonly maxTokens?: number | undefined
  /**
   * The longest wait of a turn for memory before the model is called, in milliseconds: until it tells what it knows, and until the
   * person's words are stored. After it the turn goes on. Default 1,000: the first question to a new process loads the memory.
   */
  readonly deadlineMs?: number | undefined
  /** Shares and limits of the context by tier. */
  readonly tiers?: Asking['tiers'] | undefined
  /** What is less sure is not told: from 0 to 1. */
  readonly minConfidence?: number | undefined
  /** Takes the work that goes on after an answer: `waitUntil` of a serverless platform, or `after` of Next.js. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** Told when memory gave nothing or could not store: codes, and no content. Default: one warning of the process for each. */
  readonly onFailed?: TurnFailed | undefined
}

/** Tells what an option must be; undefined when it is that. It may throw an error of its own. */
export type OptionCheck = (received: unknown) => string | undefined

const anything: OptionCheck = () => undefined

function optional(type: string, expected: string): OptionCheck {
  return (received) => (received === undefined || typeof received === type ? undefined : expected)
}

export const aFunction = optional('function', 'a function')
export const aFlag = optional('boolean', 'true or false')

/** A function that tells the scope of a turn, or one scope for all. */
export const aScope: OptionCheck = (received) => {
  if (typeof received !== 'function') parseScope(received)
  return undefined
}

/** The name of a session. */
export const aName: OptionCheck = (received) => {
  if (received !== undefined) validName('session', received)
  return undefined
}

/** A function that tells the session of a turn, or one session for all. */
export const aSession: OptionCheck = (received) => (typeof received === 'function' ? undefined : aName(received))

/** A wait in milliseconds. */
export const aWait: OptionCheck = (received) => {
  parseInput(contextOperation, { query: '', deadlineMs: received })
  return undefined
}

export const aMemory: OptionCheck = (received) =>
  typeof Reflect.get(Object(received), 'for') === 'function' ? undefined : 'a memory of openMemory, or one of varve/client'

const common: Readonly<Record<string, OptionCheck>> = {
  memory: aMemory,
  ...{ maxTokens: anything, deadlineMs: anything, tiers: anything, minConfidence: anything },
  ...{ waitUntil: aFunction, onFailed: aFunction },
}

/** Refuses options that no turn could use, before the first one. Throws InvalidOption or InvalidScope. */
export function checkOptions(received: object, own: Readonly<Record<string, OptionCheck>>): void {
  if (!isFields(received)) throw refused('options', received, 'an object')
  checkFields(received, { ...common, ...own })
  const { maxTokens, deadlineMs, tiers, minConfidence } = received
  parseInput(contextOperation, { query: '', maxTokens, deadlineMs, tiers, minConfidence })
}

/** Refuses fields that are unknown, or are not what they must be. */
export function checkFields(received: Readonly<Record<string, unknown>>, checks: Readonly<Record<string, OptionCheck>>): void {
  for (const name of Object.keys(received))
    if (!Object.hasOwn(checks, name))
      throw refused(name, received[name], `left out: it is unknown; known are: ${Object.keys(checks).join(', ')}`)
  for (const [name, check] of Object.entries(checks)) {
    const expected = check(received[name])
    if (expected !== undefined) throw refused(name, received[name], expected)
  }
}

function refused(option: string, received: unknown, expected: string): InvalidOption {
  return new InvalidOption({ option, received: shown(received), expected })
}
