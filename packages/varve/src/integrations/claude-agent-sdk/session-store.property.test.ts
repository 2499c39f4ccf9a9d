import { foldSessionSummary, InMemorySessionStore } from '@anthropic-ai/claude-agent-sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import { type TranscriptStep, transcriptStep } from '../../../../../test/fixtures/claude-agent-sdk/transcript-steps.ts'
import { runs } from '../../testing/runs.ts'
import { toolUsesIn, withoutOrphans } from './orphan-results.ts'
import { sessionStore } from './session-store.ts'
import type { TranscriptEntry, TranscriptKey } from './transcript-key.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })

/** The SDK's store, which keeps an entry each time. The contract says: each id once. */
class OwnStore extends InMemorySessionStore {
  override async append(key: TranscriptKey, entries: TranscriptEntry[]): Promise<void> {
    const seen = new Set(this.getEntries(key).map(({ uuid }) => uuid))
    const fresh = entries.filter(({ uuid }) => uuid === undefined || (!seen.has(uuid) && seen.add(uuid)))
    if (fresh.length > 0) await super.append(key, fresh)
  }
}

const all = (steps: readonly TranscriptStep[]): readonly TranscriptKey[] => {
  const keys = steps.map(({ key }) => key)
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

/**
 * Compares transcripts. A parent that the transcript never had is no matter, nor a result without a call behind such a parent: beside an
 * erasure the store takes both for what an erasure left.
 */
function expectEqual(loaded: readonly TranscriptEntry[] | null, appended: readonly TranscriptEntry[] | null): void {
  const known = new Set(appended?.map(({ uuid }) => uuid))
  const calls = new Set(appended?.flatMap(toolUsesIn))
  const paired = (entry: TranscriptEntry) => (known.has(String(entry['parentUuid'])) ? entry : (withoutOrphans(entry, calls) ?? []))
  const [got = [], wanted = []] = [loaded?.flatMap(paired), appended?.flatMap(paired)]
  const ids = new Set(wanted.map(({ uuid }) => uuid))
  const compared = wanted.map((entry) => (ids.has(String(entry['parentUuid'])) ? entry : { ...entry, parentUuid: null }))
  const given = got.map((entry, at) => (compared[at]?.['parentUuid'] === null ? { ...entry, parentUuid: null } : entry))
  expect(given).toEqual(compared)
}

test('any steps leave the entries, sessions, summaries and subkeys of the SDK’s own store', async () => {
  const seen = { entries: 0, deleted: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(transcriptStep, { minLength: 4, maxLength: 20, size: 'max' }), async (steps) => {
      const ada = shared.user()
      const opened = () => sessionStore(ada, { foldSessionSummary, restoreForgotten: true })
      const own = new OwnStore()
      let store = opened()
      for (const step of steps) {
        const { key } = step
        if (step.does === 'append') {
          await own.append(key, step.entries)
          await store.append(key, step.entries)
          // A try whose answer was lost is made again. Entries without an id come twice then, in both.
          if (!step.isAgain) continue
          const named = step.entries.filter(({ uuid }) => uuid !== undefined)
          await own.append(key, named)
          await store.append(key, named)
          seen.again += 1
        } else if (step.does === 'delete') {
          if ((await own.load(key)) !== null) seen.deleted += 1
          await own.delete(key)
          await store.delete(key)
        } else if (step.does === 'reopen') store = opened()
        else expectEqual(await store.load(key), await own.load(key))
      }
      for (const key of all(steps)) {
        const entries = await own.load(key)
        expectEqual(await store.load(key), entries)
        expect(new Set(await store.listSubkeys(key))).toEqual(new Set(await own.listSubkeys(key)))
        seen.entries += entries?.length ?? 0
      }
      for (const projectKey of new Set(steps.map(({ key }) => key.projectKey))) {
        const ids = (sessions: readonly { readonly sessionId: string }[]) => sessions.map(({ sessionId }) => sessionId).sort()
        expect(ids(await store.listSessions(projectKey))).toEqual(ids(await own.listSessions(projectKey)))
        const data = (summaries: readonly { readonly sessionId: string; readonly data: object }[]) =>
          Object.fromEntries(summaries.map((summary) => [summary.sessionId, summary.data]))
        expect(data((await store.listSessionSummaries?.(projectKey)) ?? [])).toEqual(data(await own.listSessionSummaries(projectKey)))
      }
    }),
    { numRuns: runs(90) },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3)
}, 120_000)
