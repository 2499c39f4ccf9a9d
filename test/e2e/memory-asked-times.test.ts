import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const clock = new ManualClock(Date.UTC(2026, 10, 21, 12))
const shared = sharedMemory({ clock })

/** Said in the middle of each month of two years, in the same words. */
const said = Array.from({ length: 24 }, (_, month) => ({
  role: 'user' as const,
  content: 'We went sailing with the old boat.',
  at: Date.UTC(2024, 11 + month, 15, 12),
}))

async function first(user: ReturnType<typeof shared.user>, question: string): Promise<{ day: string; dated: string | undefined }> {
  const { hits } = await user.recall(question, { limit: 1 })
  const [hit] = hits
  return { day: new Date(hit?.at ?? 0).toISOString().slice(0, 10), dated: hit?.signals.find(({ name }) => name === 'date')?.text }
}

test('a question about last spring, last year or a year ago prefers the talk of that time', async () => {
  const ada = shared.user()
  await ada.append('boat', said)
  expect(await first(ada, 'Where did we go sailing last spring?')).toEqual({
    day: '2026-05-15',
    dated: 'said on 15 May 2026, near the time you asked about',
  })
  expect((await first(ada, 'Where did we go sailing last year?')).day).toBe('2025-12-15')
  expect((await first(ada, 'Where did we go sailing in the spring of 2025?')).day).toBe('2025-05-15')
  expect((await first(ada, 'Where did we go sailing in early 2025?')).day).toBe('2025-04-15')
  expect((await first(ada, 'Where did we go sailing in spring water?')).dated).toBeUndefined()
})

test('the seasons of a question are those of the project’s hemisphere', async () => {
  const project = shared.memory.project('below')
  const bea = shared.memory.for({ project: 'below', user: 'bea' })
  await bea.append('boat', said)
  expect((await first(bea, 'Where did we go sailing last winter?')).day).toBe('2026-02-15')
  await project.settings.set({ hemisphere: 'south' })
  expect((await first(bea, 'Where did we go sailing last winter?')).day).toBe('2026-08-15')
  await project.settings.set({ hemisphere: null })
  expect((await first(bea, 'Where did we go sailing last winter?')).day).toBe('2026-02-15')
})
