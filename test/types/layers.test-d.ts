// Checked by `npm run types`, never run: an expected error is one that a caller must get.
import { expectTypeOf } from 'vitest'
import {
  type Block,
  type Context,
  type ContextSection,
  type ErrorCode,
  type Fact,
  type Gist,
  type Hit,
  type HitKind,
  type List,
  type Message,
  type NotFound,
  type ProjectMemory,
  type Receipt,
  type Recalled,
  type RenderedBank,
  type Tier,
  type UserMemory,
  VarveError,
} from '../../packages/varve/src/index.ts'

declare const ada: UserMemory
declare const acme: ProjectMemory
declare const signal: AbortSignal

export async function recalling(): Promise<void> {
  const recalled = await ada.recall('pricing', { limit: 5, kinds: ['message', 'gist'], signal, deadlineMs: 500 })
  expectTypeOf(recalled).toEqualTypeOf<Recalled>()
  expectTypeOf(recalled.hits).toEqualTypeOf<readonly Hit[]>()
  expectTypeOf(recalled.degraded).toEqualTypeOf<readonly string[]>()
  expectTypeOf<Hit['kind']>().toEqualTypeOf<HitKind>()
  expectTypeOf<'message' | 'gist' | 'bank' | 'block' | 'fact' | 'document' | 'notes'>().toExtend<HitKind>()
  // @ts-expect-error a question is asked
  await ada.recall()
  // @ts-expect-error a kind that does not exist
  await ada.recall('pricing', { kinds: ['moods'] })
  // @ts-expect-error an option that does not exist
  await ada.recall('pricing', { topK: 5 })
  // @ts-expect-error a limit is a number
  await ada.recall('pricing', { limit: '5' })
}

export async function profiles(): Promise<void> {
  const { counts } = await ada.profile()
  expectTypeOf<'messages' | 'sessions' | 'gists' | 'entries' | 'facts' | 'instructions' | 'documents' | 'notes'>().toExtend<
    keyof typeof counts
  >()
  expectTypeOf(counts.gists).toBeNumber()
}

/** The kind of a hit tells which fields it has. */
export function hits(hit: Hit): void {
  if (hit.kind === 'message') {
    expectTypeOf(hit.session).toBeString()
    expectTypeOf(hit.seq).toBeNumber()
    expectTypeOf(hit.neighbours).toEqualTypeOf<readonly Message[]>()
  }
  if (hit.kind === 'fact') expectTypeOf(hit.fact).toEqualTypeOf<Fact>()
  if (hit.kind === 'gist') expectTypeOf(hit.provisional).toBeBoolean()
  // @ts-expect-error only a fact's hit has a fact
  expectTypeOf(hit.fact).toEqualTypeOf<Fact>()
}

export async function contexts(): Promise<void> {
  const context = await ada.context({ session: 'talk', query: 'pricing', maxTokens: 2_000, tiers: { gists: { share: 0.3 } } })
  expectTypeOf(context).toEqualTypeOf<Context>()
  expectTypeOf(context.text).toBeString()
  expectTypeOf(context.tokens).toBeNumber()
  expectTypeOf(context.sections).toEqualTypeOf<readonly ContextSection[]>()
  expectTypeOf<ContextSection['tier']>().toEqualTypeOf<Tier>()
  // @ts-expect-error a context is for a query
  await ada.context({ session: 'talk' })
  // @ts-expect-error a tier that does not exist
  await ada.context({ query: 'pricing', tiers: { moods: { share: 0.3 } } })
  // @ts-expect-error an option that does not exist
  await ada.context({ query: 'pricing', budget: 2_000 })
}

/** What is compacted comes back with the host's own type. */
export async function compacting(messages: readonly { role: 'user'; content: string; mine: boolean }[]): Promise<void> {
  expectTypeOf(await ada.compact(messages, { session: 'talk', maxTokens: 1_000 })).toEqualTypeOf<
    { role: 'user'; content: string; mine: boolean }[]
  >()
  // @ts-expect-error a budget is said
  await ada.compact(messages, { session: 'talk' })
}

export async function blocks(): Promise<void> {
  expectTypeOf(await ada.blocks.list()).toEqualTypeOf<List<Block>>()
  expectTypeOf(await ada.blocks.get('home')).toEqualTypeOf<Block | undefined>()
  expectTypeOf(await ada.blocks.set('home', 'Ada lives on Hven.', { session: 'talk', maxChars: 500 })).toEqualTypeOf<Block>()
  expectTypeOf(await acme.blocks.append('rules', 'Hang the oars up.', { separator: '\n' })).toEqualTypeOf<Block>()
  expectTypeOf(await ada.blocks.delete('home')).toEqualTypeOf<Receipt>()
  expectTypeOf<Block['scope']>().toEqualTypeOf<'user' | 'session' | 'project'>()
  // @ts-expect-error a block has a text
  await ada.blocks.set('home')
  // @ts-expect-error an option that does not exist
  await ada.blocks.set('home', 'Ada lives on Hven.', { scope: 'project' })
  // @ts-expect-error names are a list
  await ada.blocks.reorder('home')
}

export async function facts(): Promise<void> {
  const fact = { subject: 'Ada', predicate: 'lives in', object: 'Hven', validFrom: '2026-01-01', single: true }
  expectTypeOf(await ada.facts.add(fact)).toEqualTypeOf<Fact>()
  expectTypeOf((await ada.facts.list())[0]).toEqualTypeOf<Fact | undefined>()
  const [known] = await ada.facts.query({ subject: 'Ada', validAt: new Date(), asOf: 0 })
  expectTypeOf(known).toEqualTypeOf<Fact | undefined>()
  expectTypeOf<Fact['validFrom']>().toEqualTypeOf<number>()
  expectTypeOf<Fact['supersededAt']>().toEqualTypeOf<number | undefined>()
  const [near] = await ada.facts.around('Ada', { hops: 2 })
  expectTypeOf(near?.hops).toEqualTypeOf<number | undefined>()
  // @ts-expect-error a fact has an object
  await ada.facts.add({ predicate: 'lives in' })
  // @ts-expect-error a field that does not exist
  await ada.facts.add({ predicate: 'lives in', object: 'Hven', certainty: 1 })
  // @ts-expect-error a correction leaves subject and predicate as they are
  await ada.facts.correct('f1', { predicate: 'lives on' })
}

export async function gistsAndBank(): Promise<void> {
  expectTypeOf(await ada.gists.get('talk')).toEqualTypeOf<Gist | undefined>()
  expectTypeOf(await ada.bank.render(2_000)).toEqualTypeOf<RenderedBank>()
  // @ts-expect-error a granularity that does not exist
  await ada.bank.entries({ granularity: 'decade' })
  // @ts-expect-error a budget is a number
  await ada.bank.render('2000')
}

export function lists(list: List<Fact>): void {
  expectTypeOf(list.cursor).toEqualTypeOf<string | undefined>()
  expectTypeOf(list[0]).toEqualTypeOf<Fact | undefined>()
  // @ts-expect-error a list is read only
  list.push()
}

export function errors(error: unknown): void {
  if (!VarveError.is(error)) return
  expectTypeOf(error).toEqualTypeOf<VarveError>()
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode>()
  expectTypeOf(error.isRetryable).toBeBoolean()
  expectTypeOf<NotFound['code']>().toEqualTypeOf<'NOT_FOUND'>()
  // @ts-expect-error codes are a closed list
  if (error.code === 'NOT_THERE') return
  // Its facts are its class's.
  expectTypeOf(error).not.toHaveProperty('setting')
}
