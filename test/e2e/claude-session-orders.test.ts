import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { importFile } from '../../packages/varve/src/importers/import-file.ts'
import { sessionStore, type TranscriptEntry, type VarveSessionStore } from '../../packages/varve/src/integrations/claude-agent-sdk/index.ts'
import { capture } from '../../packages/varve/src/integrations/claude-code/capture.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { assistant, call, result, user, uuid } from '../fixtures/importers/transcript.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'

const session = '11111111-1111-4111-8111-111111111111'
const key = { projectKey: '-home-ada', sessionId: session }
const now = Date.parse('2026-11-01')

/** The messages of the transcript below. */
const ids = [uuid(1), uuid(2), uuid(3), `${uuid(3)}/said`, uuid(4), uuid(5)]

interface Talk {
  /** The lines as a mirror sends them: the line that repeats a prompt comes with it. */
  readonly batches: readonly (readonly TranscriptEntry[])[]
  readonly path: string
  /** The word of each message. */
  readonly words: ReadonlyMap<string, string>
}

function talk(): Talk {
  const words = new Map(ids.map((id) => [id, canary()]))
  const [asked, answered, output, said, read, thanks] = ids.map((id) => words.get(id))
  const of = { sessionId: session }
  const denied = `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${said}`
  const lines = [
    user(1, `My pin is ${asked}.`, of),
    assistant(2, [{ type: 'text', text: answered }, call('t1', 'Read', { path: 'log' }), call('t2', 'Write', { path: 'log' })], of),
    { type: 'last-prompt', lastPrompt: `My pin is ${asked}.`, ...of },
    user(3, [result('t1', output), result('t2', denied, { is_error: true })], { ...of, toolUseResult: { stdout: output } }),
    assistant(4, `It says ${read}.`, of),
    user(5, `Thanks, ${thanks}.`, of),
  ]
  const path = join(mkdtempSync(join(tmpdir(), 'claude-')), `${session}.jsonl`)
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const entries = lines.map((line): TranscriptEntry => JSON.parse(JSON.stringify(line)))
  return { batches: [entries.slice(0, 3), ...entries.slice(3).map((one) => [one])], path, words }
}

type Step =
  | { readonly does: 'mirror'; readonly from: number; readonly count: number }
  | { readonly does: 'forget' | 'replace'; readonly ids: readonly string[] }
  | { readonly does: 'import' | 'hook' | 'reopen' | 'load' | 'forget session' | 'forget all' | 'delete' }

const mirror = fc.record({ does: fc.constant('mirror' as const), from: fc.nat({ max: 3 }), count: fc.integer({ min: 1, max: 4 }) })
const erase = fc.record({
  does: fc.constantFrom('forget' as const, 'replace' as const),
  ids: fc.subarray([...ids], { minLength: 1, maxLength: 3 }),
})
const others = ['import', 'hook', 'reopen', 'load', 'forget session', 'forget all', 'delete'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: mirror, weight: 6 },
  { arbitrary: erase, weight: 4 },
  { arbitrary: fc.record({ does: fc.constantFrom(...others) }), weight: 5 },
)

/** The store as it is opened now, and what became of the words. */
class Run {
  readonly ada: UserMemory
  readonly given: Talk
  readonly gone = new Set<string>()
  readonly mirrored = new Set<string>()
  again = 0
  #store: VarveSessionStore

  constructor(ada: UserMemory) {
    this.ada = ada
    this.given = talk()
    this.#store = sessionStore(ada)
  }

  async take(one: Step): Promise<void> {
    const { ada, given } = this
    if (one.does === 'mirror') await this.#mirror(given.batches.slice(one.from, one.from + one.count).flat())
    else if (one.does === 'forget' || one.does === 'replace') await this.#erase(one.does, one.ids)
    else if (one.does === 'import') await importFile(ada, given.path, { now: () => now, format: 'claude-code' })
    else if (one.does === 'hook')
      await capture(ada, 'session', { hook_event_name: 'Stop', session_id: session, transcript_path: given.path }, now)
    else if (one.does === 'reopen') this.#store = sessionStore(ada)
    else if (one.does === 'load') await this.#store.load(key)
    else await this.#eraseAll(one.does)
  }

  async #mirror(entries: readonly TranscriptEntry[]): Promise<void> {
    await this.#store.append(key, [...entries])
    for (const { uuid: id } of entries) if (id !== undefined) this.mirrored.add(id)
    if (entries.some(({ uuid: id = '' }) => this.gone.has(id))) this.again += 1
  }

  async #standing(): Promise<ReadonlyMap<string, string>> {
    const messages = await this.ada.messages(session)
    return new Map(messages.flatMap(({ id, externalId = '' }) => (ids.includes(externalId) ? [[externalId, id]] : [])))
  }

  async #erase(does: 'forget' | 'replace', asked: readonly string[]): Promise<void> {
    const standing = await this.#standing()
    const found = asked.filter((id) => standing.has(id))
    if (found.length === 0) return
    if (does === 'forget') await this.ada.forget({ session, messages: [...found] })
    else for (const id of found) await this.ada.replace(standing.get(id) ?? '', 'Nothing to see.')
    for (const id of found) this.gone.add(id)
  }

  async #eraseAll(does: 'forget session' | 'forget all' | 'delete'): Promise<void> {
    const standing = await this.#standing()
    if (does === 'delete') await this.#store.delete(key)
    else if (standing.size > 0) await this.ada.forget(does === 'forget all' ? { all: true } : { session })
    const after = await this.#standing()
    for (const id of standing.keys()) if (!after.has(id)) this.gone.add(id)
  }

  wordsOf(some: Iterable<string>): readonly string[] {
    return [...some].flatMap((id) => this.given.words.get(id) ?? [])
  }

  /** The erased words that a read tells, and those of lines that were mirrored, are whole and are not loaded. */
  async wrong(): Promise<{ readonly told: readonly string[]; readonly lost: readonly string[] }> {
    const { ada } = this
    const gone = this.wordsOf(this.gone)
    const exported = (await Array.fromAsync(ada.export())).join('')
    const loaded = JSON.stringify(await sessionStore(ada).load(key))
    const { text } = await ada.context({ query: gone.join(' '), maxTokens: 2_000 })
    const { hits } = await ada.recall(gone[0] ?? 'pin')
    const told = [exported, loaded, text, JSON.stringify(hits)].join('\n')
    const isWhole = (id: string) => this.mirrored.has(id) && ![id, `${id}/said`].some((one) => this.gone.has(one))
    // A result is loaded with its call.
    const whole = [...this.mirrored].filter((id) => isWhole(id) && (id !== uuid(3) || isWhole(uuid(2))))
    return { told: gone.filter((word) => told.includes(word)), lost: this.wordsOf(whole).filter((word) => !loaded.includes(word)) }
  }
}

// requirement: P3.1
test('in any order of mirrors, imports, hooks and erasures, erased words stay away and all others are there', async () => {
  const file = newStore()
  const memory = await openForTest({ store: file, embeddingModel: false, languageModel: false })
  let users = 0
  const seen = { gone: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }), async (steps) => {
      users += 1
      const run = new Run(memory.for({ project: 'orders', user: `user ${users}` }))
      for (const one of steps) {
        await run.take(one)
        if (one.does !== 'reopen') expect(await run.wrong()).toEqual({ told: [], lost: [] })
      }
      expect(tracesOf(run.wordsOf(run.gone), file)).toEqual([])
      seen.gone += run.gone.size
      seen.again += run.again
    }),
    { numRuns: runs(45) },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3)
}, 300_000)
