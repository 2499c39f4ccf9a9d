import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noting } from '../fixtures/notes/noting.ts'
import { Player, step, twoHandles } from '../fixtures/notes/player.ts'
import { steps } from '../fixtures/notes/steps.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

describe('what is due', () => {
  // requirement: NOTE-8
  test(
    'is what a look at the whole conversation says, after any sequence of talk, forgetting, compaction, failure and restart, ' +
      'on two handles',
    { timeout: 400_000 },
    async () => {
      const it = await twoHandles()
      let users = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (all) => {
          const player = new Player(it, `user ${(users += 1)}`)
          for (const one of all) await player.play(one)
        }),
        { numRuns: runs(8), endOnFailure: true },
      )
    },
  )

  // requirement: NOTE-5
  test('goes on from where the last committed update was, whatever a subagent says', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('talk', steps('crane', 4))
    await ada.notes.update('talk')
    await ada.append(
      'talk',
      steps('winch', 20).map((message) => ({ ...message, thread: 'agent-1' })),
    )
    expect(await ada.notes.due('talk')).toMatchObject({ due: false, reason: 'too little new', growth: 0, calls: 0 })
    await ada.append('talk', steps('crane', 2, 5))
    expect(await ada.notes.due('talk')).toMatchObject({ due: false, reason: 'in the middle of work' })
    await ada.append('talk', { role: 'assistant', content: 'All is done.' })
    expect(await ada.notes.due('talk')).toMatchObject({ due: true, reason: 'pause' })
  })

  test('is all that an update took in, once a message of it was forgotten', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('talk', steps('crane', 6))
    await ada.notes.update('talk')
    const { messages } = await ada.append('talk', steps('winch', 3))
    const { growth } = await ada.notes.due('talk')
    await ada.notes.update('talk')
    await ada.forget({ messages: messages.slice(0, 1).map(({ id }) => id) })
    expect(growth).toBeGreaterThan(0)
    expect(await ada.notes.due('talk')).toMatchObject({ growth, calls: 0 })
  })

  test('is nothing where all that was new was forgotten: upkeep finds nothing to do', async () => {
    const { memory, server } = await noting()
    const ada = memory.for('ada')
    const { messages } = await ada.append('talk', [
      ...steps('crane', 6),
      { role: 'assistant', content: 'A subagent looked.', thread: 'agent-1' },
    ])
    await ada.forget({ messages: messages.slice(0, 6).map(({ id }) => id) })
    expect(await memory.upkeep.run()).toMatchObject({ noted: 0, settled: true })
    expect((await memory.upkeep.status()).backlog.notes).toBe(0)
    expect(server.count).toBe(0)
  })
})
