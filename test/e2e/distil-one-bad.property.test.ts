import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScriptedAnswer, ScriptedRequest } from '../../packages/varve/src/testing/index.ts'
import { type Distilling, distilling, modelName } from '../fixtures/distil/open.ts'
import { hour, minute, settled, talk } from '../fixtures/distil/talk.ts'
import { mostAttempts } from '../../packages/varve/src/distil/limits.ts'
import { mostRefused } from '../../packages/varve/src/distil/model-calls.ts'
import { scaled } from '../fault/support/scale.ts'
import { copied } from '../fixtures/distil/writer.ts'

const failureNames = [
  'cut and empty',
  'a content filter',
  'prose',
  'a refusal of the text',
  'a forbidden text',
  'an empty account',
] as const
type Failure = (typeof failureNames)[number]

/** Answers to one conversation that no other gets. After the last one, the model is taken to be down. */
const failures: Readonly<Record<Failure, ScriptedAnswer>> = {
  'cut and empty': { text: '', finish: 'length' },
  'a content filter': { text: '', finish: 'content_filter' },
  prose: { text: 'Surely. In this talk a person spoke of barges at length.' },
  'a refusal of the text': { status: 400, text: 'flagged by the moderation' },
  'a forbidden text': { status: 403, text: 'flagged by the moderation' },
  'an empty account': { status: 402, text: 'no credit' },
}

/** The server's answer to a conversation; undefined where it answers well. */
type Bad = ReadonlyMap<string, Failure>

function answered(request: ScriptedRequest, bad: Bad, isDown: boolean): ScriptedAnswer {
  if (isDown) return { status: 402, text: 'no credit' }
  const [, failure] = [...bad].find(([name]) => request.prompt.includes(name)) ?? []
  return failure === undefined ? copied(request) : failures[failure]
}

const nameOf = (place: number): string => `tern${String(place).padStart(2, '0')}q`

/** Opens a memory with settled sessions, the newest last. */
async function withSessions(count: number): Promise<Distilling> {
  const it = await distilling({ modelWindow: 32_768, layers: { gists: true } })
  for (let place = 0; place < count; place += 1) await it.memory.for('ada').append(nameOf(place), talk(nameOf(place), 3))
  it.clock.advance(settled)
  return it
}

async function readByModel({ memory }: Distilling): Promise<string[]> {
  const gists = await memory.for('ada').gists.list()
  return gists.flatMap(({ session, writer, provisional }) => (writer === modelName && !provisional ? [session] : [])).toSorted()
}

/** Failures that look like the model's, not the conversation's. */
const looksDown: ReadonlySet<Failure> = new Set(['an empty account'])

test.each(failureNames)('one of ten conversations fails (%s): the other nine are read', async (failure) => {
  const it = await withSessions(10)
  const bad = new Map([[nameOf(9), failure]])
  it.play((request) => answered(request, bad, false))
  for (let at = 0; at < 24 * 60; at += 10) {
    await it.memory.upkeep.run()
    it.clock.advance(10 * minute)
  }
  const ofBad = it.server.requests.filter(({ prompt }) => prompt.includes(nameOf(9))).length
  expect(await readByModel(it)).toEqual(Array.from({ length: 9 }, (_, place) => nameOf(place)))
  // Twice a request: an answer that is no JSON may be the fault of the structured request, a cut one of too little room.
  expect(ofBad).toBeLessThanOrEqual(2 * mostAttempts + 2)
})

const scene = fc.record({
  sessions: fc.integer({ min: 2, max: 12 }),
  bad: fc.array(fc.tuple(fc.nat(11), fc.constantFrom(...failureNames)), { maxLength: 8 }),
  /** Runs in which the whole server is down. */
  down: fc.uniqueArray(fc.nat(7), { maxLength: 4 }),
})

test('whatever fails, every other conversation is read within its share of runs', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ sessions, bad: picked, down }) => {
      const it = await withSessions(sessions)
      const bad = new Map(picked.map(([place, failure]) => [nameOf(place % sessions), failure]))
      const names = Array.from({ length: sessions }, (_, place) => nameOf(place))
      const good = names.filter((name) => !bad.has(name))
      const failing = [...bad.values()].filter((failure) => looksDown.has(failure)).length
      const refused = bad.size - failing
      // A failing one costs a run, and so do so many refused ones in a row: once, and once for each failure of another's.
      const rounds = 1 + down.length
      const share = failing * rounds + Math.ceil((refused * rounds) / mostRefused) + 1
      let isDown = false
      it.play((request) => answered(request, bad, isDown))
      for (let run = 0, up = 0; up < share; run += 1) {
        isDown = down.includes(run)
        up += Number(!isDown)
        await it.memory.upkeep.run()
        it.clock.advance(hour)
      }
      expect(await readByModel(it)).toEqual(good)
      await Promise.all([it.memory.close(), it.server.close()])
    }),
    { numRuns: scaled(25, 300) },
  )
})

test.each(failureNames)('the first part of a long conversation fails (%s): the others are read', async (failure) => {
  const it = await distilling({ modelWindow: 32_768, layers: { gists: true } })
  await it.memory.for('ada').append('long', [...talk('gull', 40), ...talk('tern', 80)])
  it.clock.advance(settled)
  it.play((request) => answered(request, new Map([['gull-1 ', failure]]), false))
  for (let run = 0; run < 3; run += 1) {
    await it.memory.upkeep.run()
    it.clock.advance(hour)
  }
  const others = it.server.requests.filter(({ prompt }) => prompt.includes('tern-') && !prompt.includes('gull-'))
  expect(others.map(({ prompt }) => prompt.includes('tern-80'))).toEqual([false, true])
})
