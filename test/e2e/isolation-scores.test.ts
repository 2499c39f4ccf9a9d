import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Memory, ScopeInput, UserMemory } from '../../packages/varve/src/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const vocabulary = ['ferry', 'ferries', 'kiosk', 'the', 'Ada', 'nine', 'Fähre', 'паром', '渡轮', 'العبارة', 'pier', 'leaving']
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const questions = ['ferry', 'what did Ada say about the kiosk', 'Fähre паром', '渡轮', 'leaving the pier at nine']
// Names that a careless key, glob or join would take for one another.
const owner: fc.Arbitrary<ScopeInput> = fc.constantFrom(
  { user: 'ada' },
  { user: 'ADA' },
  { user: 'ad' },
  { user: '%' },
  { user: '*' },
  { user: 'ada user' },
  { user: "ada' OR '1'='1" },
  { user: 'user' },
  {},
)
const project = fc.constantFrom('p', 'p ', 'P', 'p%', 'p user ada')

const write = fc.record({
  project,
  owner,
  session: fc.constantFrom('talk', 'other', '%'),
  texts: fc.array(text, { minLength: 1, maxLength: 4 }),
  name: fc.constantFrom(undefined, 'Ada', 'Kiosk'),
  after: fc.constantFrom('nothing', 'nothing', 'replace', 'forget', 'forget all', 'context'),
})
type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never

async function apply(handle: UserMemory, { session, texts, name, after }: Write): Promise<void> {
  const { messages } = await handle.append(
    session,
    texts.map((content) => ({ role: 'user' as const, content, ...(name === undefined ? {} : { name }) })),
  )
  const id = messages[0]?.id ?? ''
  if (after === 'replace') await handle.replace(id, 'ferry ferry ferry kiosk')
  if (after === 'forget') await handle.forget({ messages: [id] })
  if (after === 'forget all') await handle.forget({ all: true })
  if (after === 'context') await handle.context({ session, query: texts[0] ?? '' })
}

/** Gives every answer of a partition, unchanged. */
async function answers(handle: UserMemory): Promise<unknown> {
  const recalled = []
  for (const question of questions) recalled.push(await handle.recall(question, { limit: 50, neighbours: 2 }))
  return { recalled, sessions: await handle.sessions.list(), messages: await handle.messages('talk') }
}

function handleOf(memory: Memory, run: number, scope: { project: string; owner: ScopeInput }): UserMemory {
  return memory.for({ ...scope.owner, project: `${run} ${scope.project}` })
}

// requirement: P2.3
test('whatever is written elsewhere changes no hit, score or order here', async () => {
  const memory = await openForTest({ isolation: 'silent' })
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({ project, owner }),
      fc.array(fc.tuple(fc.constantFrom('talk', 'side'), text), { minLength: 1, maxLength: 10 }),
      fc.array(write, { minLength: 1, maxLength: 12 }),
      async (mine, said, others) => {
        run += 1
        const here = handleOf(memory, run, mine)
        for (const [session, content] of said) await here.append(session, { role: 'user', content, name: 'Ada' })
        const before = await answers(here)
        for (const other of others) {
          if (other.project === mine.project && other.owner.user === mine.owner.user) continue
          await apply(handleOf(memory, run, other), other)
        }
        expect(await answers(here)).toEqual(before)
      },
    ),
    { numRuns: runs(40) },
  )
})

test('a partition’s answers are its own even when every other one is loaded, evicted and loaded again between', async () => {
  const memory = await openForTest({ segmentBytes: 64 * 1024 })
  const here = memory.for('ada')
  await here.append(
    'talk',
    vocabulary.map((word) => ({ role: 'user' as const, content: `${word} ferry` })),
  )
  const before = await answers(here)
  for (let other = 0; other < 20; other += 1) {
    const handle = memory.for(`other ${other}`)
    await handle.append('talk', { role: 'user', content: `ferry ${'kiosk '.repeat(other)}` })
    await handle.recall('ferry')
  }
  expect(await answers(here)).toEqual(before)
})
