import { VarveError } from '../../errors/varve-error.ts'
import { NotFound } from '../../errors/not-found.ts'
import { defusedLine } from '../../messages/defused.ts'
import { shownName } from '../../messages/shown-name.ts'
import type { ForgetLine } from '../../privacy/forget-lines.ts'
import { blockOperations } from '../blocks.ts'
import { factOperations } from '../facts.ts'
import { refused } from '../fields.ts'
import { userOperations } from '../user.ts'
import { stopping, type ToolInput } from './agent-tool.ts'
import { given } from './given.ts'
import type { MakeCall } from './make-call.ts'
import { parsedRef, type Ref } from './told-hit.ts'

/** The answer of the forget tool: what would go, or the receipt. */
export type ForgetAnswer =
  | {
      readonly done: false
      readonly counts: Readonly<Record<string, number>>
      /** The beginnings of a few of them. */
      readonly lines: readonly string[]
      /** The number of things of which no line tells, by kind; absent when there are none. */
      readonly more?: Readonly<Record<string, number>>
      /** For the second call; absent when there is nothing to erase. */
      readonly confirm?: string
      /** The end of `confirm`: ISO 8601. */
      readonly until?: string
      /** Why it is shown again. */
      readonly why?: string
    }
  | {
      readonly done: true
      readonly counts: Readonly<Record<string, number>>
      readonly receipt: string
      /** `pending`: the words are gone from every answer, and upkeep overwrites their bytes. */
      readonly physical: 'pending' | 'done'
    }

/** The most refs of one call. */
const mostRefs = 100

const expectedRefs = `up to ${mostRefs} message: or fact: refs, or one session:, document: or block: ref`

/** The things that a call of the tool names, as the operations take them. */
type Target = Readonly<Record<string, unknown>>

/** Shows what would be erased. With the token of exactly that, it erases. @internal */
export async function forgottenByTool(
  make: MakeCall,
  session: string | undefined,
  input: ToolInput,
  signal: AbortSignal | undefined,
): Promise<ForgetAnswer> {
  const call = stopping(signal)
  const { refs, all, confirm } = given(input)
  const target = await targetOf({ make, session, call }, refs, all)
  if (confirm === undefined) return shown(make, target, call)
  try {
    const { id, counts, physical } = await make(userOperations.confirmForget, { ...target, token: String(confirm) }, call)
    return { done: true, counts, receipt: id, physical }
  } catch (error) {
    if (!VarveError.is(error) || !['OPTION_INVALID', 'STALE_REVISION'].includes(error.code)) throw error
    const again = await shown(make, target, call)
    return { ...again, why: 'Nothing was erased: confirm is not for exactly this, it changed, or it is over. Show it to the user again.' }
  }
}

async function shown(make: MakeCall, target: Target, call: object): Promise<ForgetAnswer & { readonly done: false }> {
  const { counts, lines, more, token, until } = await make(userOperations.showForget, target, call)
  const isNothing = Object.values(counts).every((count) => count === 0)
  return {
    ...{ done: false, counts, lines: lines.map(lineOf), ...(Object.keys(more).length === 0 ? {} : { more }) },
    ...(isNothing ? {} : { confirm: token, until: new Date(until).toISOString() }),
  }
}

function lineOf({ text, at, by = '' }: ForgetLine): string {
  const head = at === undefined ? '' : `${new Date(at).toISOString().slice(0, 10)} ${shownName(by)}: `
  return `${head}${defusedLine(text)}`
}

/** The calls of an agent, and its session. */
interface Agent {
  readonly make: MakeCall
  readonly session: string | undefined
  readonly call: object
}

async function targetOf(agent: Agent, refs: unknown, all: unknown): Promise<Target> {
  if (all === true) {
    if (refs !== undefined) throw refused('refs', refs, 'left out with all')
    return { what: { all: true } }
  }
  const named = Array.isArray(refs) ? refs.map(parsedRef) : []
  if (named.length === 0 || named.length > mostRefs || named.includes(undefined)) throw refused('refs', refs, expectedRefs)
  const known = named.filter((one) => one !== undefined)
  const [one, ...others] = known
  if (one !== undefined && others.length === 0) {
    if (one.kind === 'session') return { what: { session: one.id } }
    if (one.kind === 'document') return { document: one.id }
    if (one.kind === 'block') return blockOf(agent, one.id)
  }
  const ids = new Set<string>()
  for (const ref of known) for (const id of await messagesOf(agent, ref)) ids.add(id)
  return { what: { messages: [...ids] } }
}

/** Names a block of the user; where there is none of this name, that of the agent's session. */
async function blockOf({ make, session, call }: Agent, name: string): Promise<Target> {
  if (session === undefined) return { block: name }
  const own = await make(blockOperations.get, { name }, call)
  return own === undefined || own.shared === true ? { block: name, session } : { block: name }
}

/** Gives the messages of a ref: a fact goes with the messages that tell it. */
async function messagesOf({ make, call }: Agent, { kind, id }: Ref): Promise<readonly string[]> {
  if (kind === 'message') return [id]
  if (kind !== 'fact') throw refused('refs', `${kind}:${id}`, expectedRefs)
  const fact = (await make(factOperations.history, { of: id }, call)).find((one) => one.id === id)
  if (fact === undefined) throw new NotFound({ kind: 'fact', id })
  if (fact.sources.length === 0)
    throw refused('refs', `fact:${id}`, 'a fact that messages tell: nobody said this one, so take it back with memory_edit')
  return fact.sources.map(({ message }) => message)
}
