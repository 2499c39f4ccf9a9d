import { expect, test } from 'vitest'
import { NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const layers = { documents: true, notes: true, gists: false, facts: false, bank: false }
const shared = sharedMemory({ isolation: 'silent', embeddingModel: false, layers, clock: new ManualClock() })

/** Gives every answer of a partition on documents and notes. */
async function answers(handle: UserMemory): Promise<unknown> {
  const [documents, notes] = [await handle.documents.list(), await handle.notes.list()]
  return {
    documents,
    notes,
    pages: await Promise.all(
      documents.map(async ({ name }) => [await handle.documents.read(name), await handle.documents.revisions(name)]),
    ),
    noted: await Promise.all(notes.map(async ({ session }) => [await handle.notes.get(session), await handle.notes.revisions(session)])),
    recollected: [
      await handle.documents.recollect('where is the key of the barge', { minScore: 0, limit: 50 }),
      await handle.documents.recollect('tea', { minScore: 0, limit: 50 }),
    ],
    recalled: (await handle.recall('where is the key of the barge', { limit: 50 })).hits,
    shown: (await handle.context({ query: 'where is the key of the barge' })).text.replaceAll(/mark="\w+"/g, ''),
  }
}

/** Makes scopes that a careless key, glob or join would take for hers. */
function strangersOf(project: string): UserMemory[] {
  const { memory } = shared
  return [
    ...['ADA', 'ad', 'ada ', 'ada%', '%', '*', "ada' OR '1'='1", 'barge', 'key of the barge'].map((user) => memory.for({ project, user })),
    memory.for({ project }),
    ...[`${project} `, project.toUpperCase(), `${project}%`].map((other) => memory.for({ project: other, user: 'ada' })),
  ]
}

/** Fills a handle: with messages, read pages, and pages written by hand and by a tool. */
async function tell(handle: UserMemory, place: string): Promise<void> {
  await handle.append(
    'talk',
    [`Our barge has its key ${place}.`, 'Our barge carries tea.'].map((content) => ({ role: 'user' as const, content })),
  )
  await handle.documents.memorize('talk')
  await handle.notes.update('talk')
  await handle.documents.edit('key of the barge', `# Key\n\n- ${place}\n\n# Tea\n\n- tea, tea, tea ${place}`)
  await handle.documents
    .tools({ session: 'talk' })
    .memory_document_edit.execute({ name: 'key of the barge', revision: 1, edits: [{ tool: 'append', text: `- the tea is ${place}` }] }, {})
  await handle.notes.edit('talk', `# Mine\n\n- ${place}`)
}

/** Makes every call that takes the name of a document, of a session, or a revision. */
function callsWith(handle: UserMemory, name: string, session: string): Record<string, () => Promise<unknown>> {
  return {
    revisions: () => handle.documents.revisions(name),
    restore: () => handle.documents.restore(name, 1),
    delete: () => handle.documents.delete(name),
    'edit of a revision': () => handle.documents.edit(name, 'taken over', { revision: 1 }),
    'edit of lines': () => handle.documents.edit(name, [{ tool: 'delete_lines', from: 1, to: 1 }]),
    memorize: () => handle.documents.memorize(session),
    'notes update': () => handle.notes.update(session),
    'notes edit': () => handle.notes.edit(session, 'taken over'),
    'notes revisions': () => handle.notes.revisions(session),
    'notes restore': () => handle.notes.restore(session, 1),
    'notes delete': () => handle.notes.delete(session),
    'notes due': () => handle.notes.due(session),
  }
}

// requirement: P2.1
test('names of another’s documents and sessions, and ids in their place, find nothing of hers, and nothing changes', async () => {
  const ada = shared.memory.for({ project: 'names', user: 'ada' })
  await tell(ada, 'under the anchor')
  const before = await answers(ada)
  const ids = [...(await ada.documents.list()), ...(await ada.notes.list())].map(({ id }) => id)
  for (const stranger of strangersOf('names')) {
    for (const name of ['key of the barge', 'barge', '%', '*', "x' OR '1'='1", ...ids]) {
      expect(await Promise.allSettled([stranger.documents.read(name)])).not.toContainEqual({
        status: 'fulfilled',
        value: expect.anything(),
      })
      expect(await stranger.notes.get(name)).toBeUndefined()
      expect(JSON.stringify(await stranger.documents.tools().memory_document_read.execute({ name }, {}))).not.toMatch(/anchor/)
      for (const [call, made] of Object.entries(callsWith(stranger, name, name === 'barge' ? 'talk' : name))) {
        const error = await rejection(made())
        expect(String(error), `${call} of ${name}`).not.toMatch(/anchor|under|\bada\b/)
        if (!call.startsWith('edit') && /\p{L}/u.test(name)) expect(error, `${call} of ${name}`).toBeInstanceOf(NotFound)
      }
    }
    expect(await stranger.documents.list()).toEqual([])
    expect(JSON.stringify(await answers(stranger))).not.toMatch(/anchor|tea, tea/)
  }
  expect(await answers(ada)).toEqual(before)
})

// requirement: P2.3
test('what others say, write, note, restore and forget changes no document, no notes, no score and no order of hers', async () => {
  const ada = shared.memory.for({ project: 'scores', user: 'ada' })
  await tell(ada, 'under the anchor')
  const before = await answers(ada)
  for (const stranger of strangersOf('scores')) {
    await tell(stranger, 'in the hold')
    await stranger.documents.restore('key of the barge', 1)
    await stranger.notes.restore('talk', 1)
    expect(await answers(ada)).toEqual(before)
  }
  for (const stranger of strangersOf('scores')) {
    await stranger.sessions.delete('talk')
    expect(await answers(ada)).toEqual(before)
    await stranger.forget({ all: true })
  }
  expect(await answers(ada)).toEqual(before)
})

test('what a project shares is read by its members, changed by none of them, and tells of no member’s messages', async () => {
  const acme = shared.memory.project('shared')
  const [ada, bob] = ['ada', 'bob'].map((user) => shared.memory.for({ project: 'shared', user }))
  const other = shared.memory.for({ project: 'other', user: 'ada' })
  if (ada === undefined || bob === undefined) throw new TypeError('there are two')
  await tell(ada, 'under the anchor')
  await acme.documents.edit('harbour', '- the harbour opens at 7')
  for (const member of [ada, bob])
    expect(await member.documents.read('harbour')).toMatchObject({ content: '- the harbour opens at 7', shared: true, lineage: [] })
  expect(await other.documents.read('harbour')).toBeUndefined()
  expect((await other.documents.recollect('harbour', { minScore: 0 })).map(({ name }) => name)).toEqual([])
  expect(await rejection(bob.documents.delete('harbour'))).toBeInstanceOf(NotFound)
  await bob.documents.edit('harbour', '- mine')
  expect((await bob.documents.read('harbour'))?.content).toBe('- mine')
  expect((await ada.documents.read('harbour'))?.content).toBe('- the harbour opens at 7')
  await bob.forget({ all: true })
  expect((await acme.documents.read('harbour'))?.content).toBe('- the harbour opens at 7')
  expect(
    JSON.stringify([await acme.documents.list(), await acme.documents.recollect('key of the barge', { minScore: 0, limit: 50 })]),
  ).not.toMatch(/anchor|tea|mine/)
})
