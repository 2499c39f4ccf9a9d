import { describe, expect, test } from 'vitest'
import {
  EmptySession,
  InvalidOption,
  type MessageInput,
  NotFound,
  type Notes,
  type NotesDue,
  type NotesEntry,
  StaleRevision,
} from '../../packages/varve/src/index.ts'
import { modelName } from '../fixtures/distil/open.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { edits, linesUnder, noting, soon } from '../fixtures/notes/noting.ts'
import { steps } from '../fixtures/notes/steps.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const headings = [
  'Title',
  'Current state and next steps',
  'Task and design decisions',
  'Important files and functions',
  'Workflow commands',
  'Errors and corrections',
  'System documentation',
  'Learnings',
  'Key results',
  'Worklog',
]
/** The methods as a host without types may use them. */
const untyped = (value: unknown) => JSON.parse(JSON.stringify(value))
const headingsOf = (content: string): string[] => content.split('\n').flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : []))

describe('update', () => {
  test('writes a page of the ten sections, with who wrote it and the messages that it rests on', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 4))
    const notes = await ada.notes.update('monday')
    expect(headingsOf(notes.content)).toEqual(headings)
    expect(notes).toMatchObject({
      session: 'monday',
      revision: 2,
      writer: modelName,
      upTo: 4,
      lineage: [{ session: 'monday', from: 1, to: 4 }],
    })
    expect(notes).not.toHaveProperty('path')
    expect(linesUnder(notes.content, 'Worklog')).toHaveLength(4)
    expect(await ada.notes.get('monday')).toEqual(notes)
  })

  test('is there whether it is due or not, on or not; with nothing new it asks no model and changes nothing', async () => {
    const { memory, server } = await noting({ layers: { gists: false, facts: false, notes: false } })
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 1))
    expect(await ada.notes.due('monday')).toMatchObject({ due: false, reason: 'too short', on: false })
    const notes = await ada.notes.update('monday')
    expect(server.count).toBe(1)
    expect(await ada.notes.update('monday')).toEqual(notes)
    expect(server.count).toBe(1)
  })

  // requirement: NOTE-6
  test('of a session that is not there is NotFound, and of an empty one EmptySession', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.sessions.ensure('empty')
    await ada.append('aside', { role: 'user', content: 'Only a subagent was told this.', thread: 'agent-1' })
    expect(await rejection(ada.notes.update('nowhere'))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.notes.update('empty'))).toBeInstanceOf(EmptySession)
    expect(await rejection(ada.notes.update('aside'))).toMatchObject({ code: 'EMPTY_SESSION', session: 'aside', isRetryable: false })
    expect(await rejection(ada.notes.update(''))).toMatchObject({ isRetryable: false })
  })

  test('of a session whose main line was forgotten is EmptySession, though a subagent said something', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    const {
      messages: [main],
    } = await ada.append('monday', [...steps('crane', 1), { role: 'assistant', content: 'A subagent looked at it.', thread: 'agent-1' }])
    await ada.forget({ messages: [main?.id ?? ''] })
    expect(await rejection(ada.notes.update('monday'))).toBeInstanceOf(EmptySession)
  })
})

// requirement: NOTE-14
test('without a language model the extractive writer serves', async () => {
  const memory = await openForTest({ layers: { notes: true } })
  const ada = memory.for('ada')
  const talk: MessageInput[] = [
    { role: 'user', content: 'We decided to use port 4711 for the till.' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: 'npm run test:till' } }] },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'bash',
          output: { type: 'text', value: 'Error: connect ECONNREFUSED 127.0.0.1:4711' },
        },
      ],
    },
  ]
  await ada.append('monday', talk)
  const notes = await ada.notes.update('monday')
  expect(notes).toMatchObject({ writer: 'extractive', upTo: 3 })
  expect(headings).toEqual(expect.arrayContaining(headingsOf(notes.content)))
  expect(notes.content).not.toMatch(/^_/mu)
  for (const words of ['port 4711', 'npm run test:till', 'ECONNREFUSED']) expect(notes.content).toContain(words)
})

describe('a person', () => {
  test('edits the page, and an edit of an older revision is refused', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 4))
    const { revision, content } = await ada.notes.update('monday')
    const edited = await ada.notes.edit('monday', content.replace('# Learnings', '# Learnings\n\n- The crane squeaks.'), { revision })
    expect(edited).toMatchObject({ revision: revision + 1, writer: 'person', upTo: 4 })
    expect(await rejection(ada.notes.edit('monday', 'Mine.', { revision }))).toBeInstanceOf(StaleRevision)
    expect(await ada.notes.get('monday')).toEqual(edited)
    await ada.append('monday', steps('crane', 2, 5))
    const updated = await ada.notes.update('monday')
    expect(updated.content).toContain('- The crane squeaks.')
    expect(linesUnder(updated.content, 'Worklog')).toHaveLength(6)
  })

  test('makes the page when there is none, and revision 0 says that there must be none', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 1))
    expect(await ada.notes.edit('monday', '# Title\n\nThe crane', { revision: 0 })).toMatchObject({
      revision: 1,
      writer: 'person',
      upTo: 0,
    })
    expect(await rejection(ada.notes.edit('monday', 'Mine.', { revision: 0 }))).toBeInstanceOf(StaleRevision)
    expect(await rejection(ada.notes.edit('nowhere', 'Mine.'))).toBeInstanceOf(NotFound)
    const { content } = await ada.notes.update('monday')
    expect(headingsOf(content)).toEqual(headings)
    expect(content).toContain('The crane')
  })

  test('cannot make it say nothing, what is no text, or more than a page holds', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 1))
    for (const content of ['', ' \n', 7, 'x'.repeat(400_001), '\uD800', 'a\0b']) {
      expect(await rejection(ada.notes.edit('monday', untyped(content))), String(content).slice(0, 10)).toMatchObject({
        code: expect.stringMatching(/OPTION_INVALID|LIMIT_EXCEEDED/),
      })
    }
    expect(await ada.notes.get('monday')).toBeUndefined()
  })

  // requirement: NOTE-18
  test('sees each revision with its difference, reads an old one, and restores it', async () => {
    const { memory, play } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 2))
    play(() => edits(['Learnings', '- The crane is slow.']))
    const first = await ada.notes.update('monday')
    await ada.append('monday', steps('crane', 2, 3))
    play(() => edits(['Learnings', '- The crane is fast now.']))
    const second = await ada.notes.update('monday')
    const revisions = await ada.notes.revisions('monday')
    expect(revisions.map(({ revision, writer }) => [revision, writer])).toEqual([
      [3, modelName],
      [2, modelName],
      [1, 'template'],
    ])
    expect(revisions[0]?.diff).toContain('-- The crane is slow.\n+- The crane is fast now.')
    expect(revisions.map(({ lineage }) => lineage)).toEqual([
      [{ session: 'monday', from: 1, to: 4 }],
      [{ session: 'monday', from: 1, to: 2 }],
      [],
    ])
    expect(await ada.notes.get('monday', { revision: 2 })).toMatchObject({ revision: 2, content: first.content })
    expect(await ada.notes.restore('monday', 2)).toMatchObject({ revision: 4, writer: 'person', content: first.content, upTo: 4 })
    expect((await ada.notes.restore('monday', 3)).content).toBe(second.content)
    expect(await ada.notes.revisions('monday', { limit: 1 })).toHaveLength(1)
    expect(await rejection(ada.notes.restore('monday', 99))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.notes.get('monday', { revision: 99 }))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.notes.revisions('nowhere'))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.notes.restore('nowhere', 1))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.notes.get('monday', { revision: 0 }))).toBeInstanceOf(InvalidOption)
  })
})

describe('deleted notes', () => {
  // requirement: NOTE-19
  test('stay deleted, whatever is said after', async () => {
    const { memory, server } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 5))
    await memory.upkeep.run()
    expect(await ada.notes.get('monday')).toBeDefined()
    expect(await ada.notes.delete('monday')).toMatchObject({ counts: { notes: 1 }, physical: 'done' })
    const asked = server.count
    await ada.append('monday', [...steps('crane', 9, 6), { role: 'assistant', content: 'Done.' }])
    expect(await memory.upkeep.run()).toMatchObject({ noted: 0, settled: true })
    expect(await ada.notes.get('monday')).toBeUndefined()
    expect(await ada.notes.due('monday')).toMatchObject({ due: true, on: false })
    expect(await rejection(ada.notes.delete('monday'))).toBeInstanceOf(NotFound)
    expect((await ada.recall('harbour crane', { kinds: ['notes'] })).hits).toEqual([])
    expect(server.count).toBe(asked)
  })

  test('begin anew by hand, and when the session is switched on again', async () => {
    const { memory } = await noting()
    const ada = memory.for('ada')
    for (const session of ['monday', 'tuesday']) {
      await ada.append(session, steps('crane', 5))
      await ada.notes.update(session)
      await ada.notes.delete(session)
    }
    expect(await ada.notes.update('monday')).toMatchObject({ revision: 2, upTo: 5 })
    await ada.sessions.ensure('tuesday', { layers: { notes: true } })
    expect(await memory.upkeep.run()).toMatchObject({ noted: 1 })
    expect(await ada.notes.get('tuesday')).toMatchObject({ revision: 2, upTo: 5 })
    expect(await ada.notes.due('monday')).toMatchObject({ on: false })
  })
})

test('lists notes, the last changed first, each user’s own', async () => {
  const { memory, clock } = await noting()
  const ada = memory.for('ada')
  for (const session of ['monday', 'tuesday', 'wednesday']) {
    clock.advance(1_000)
    await ada.append(session, steps(session, 2))
    await ada.notes.update(session)
  }
  clock.advance(1_000)
  const monday = await ada.notes.edit('monday', '# Title\n\nCranes')
  const list = await ada.notes.list()
  expect(list.map(({ session }) => session)).toEqual(['monday', 'wednesday', 'tuesday'])
  expect(list[0]).toEqual({
    id: monday.id,
    session: 'monday',
    revision: 3,
    chars: 15,
    writer: 'person',
    upTo: 2,
    createdAt: monday.createdAt,
    updatedAt: monday.updatedAt,
  })
  expect(await ada.notes.list({ limit: 1 })).toHaveLength(1)
  expect(await memory.for('bob').notes.list()).toEqual([])
  expect(await memory.for('bob').notes.get('monday')).toBeUndefined()
  for (const limit of [0, -1, 1.5, 10_001]) expect(await rejection(ada.notes.list({ limit }))).toBeInstanceOf(InvalidOption)
})

// requirement: NOTE-20
test('recall finds passages of notes, of one session or of all but one', async () => {
  const { memory, play } = await noting()
  const ada = memory.for('ada')
  for (const session of ['monday', 'tuesday']) {
    await ada.append(session, steps(session, 2))
    play(() => edits(['Learnings', `- The windlass of ${session} creaks.`]))
    await ada.notes.update(session)
  }
  const found = async (options: { session?: string; excludeSession?: string } = {}): Promise<(string | undefined)[]> =>
    (await ada.recall('windlass creaks', { kinds: ['notes'], ...options })).hits.map(({ session }) => session)
  expect((await found()).toSorted()).toEqual(['monday', 'tuesday'])
  expect(await found({ session: 'monday' })).toEqual(['monday'])
  expect(await found({ excludeSession: 'monday' })).toEqual(['tuesday'])
  const {
    hits: [hit],
  } = await ada.recall('windlass monday', { kinds: ['notes'] })
  expect(hit).toMatchObject({ kind: 'notes', session: 'monday', writer: modelName, revision: 2 })
  expect(hit?.text).toContain('- The windlass of monday creaks.')
  expect((await ada.recall('windlass')).hits).toEqual([])
  expect((await memory.for('bob').recall('windlass', { kinds: ['notes'] })).hits).toEqual([])
})

describe('the layer', () => {
  const talked = async (options: Parameters<typeof noting>[0]) => {
    const it = await noting(options)
    const [ada, bob] = [it.memory.for('ada'), it.memory.for({ project: 'dock', user: 'bob' })]
    await it.memory.project('dock').settings.set({ notes: soon })
    for (const user of [ada, bob]) for (const session of ['monday', 'tuesday']) await user.append(session, steps(session, 5))
    const noted = async (): Promise<string[]> => {
      await it.memory.upkeep.run()
      return [
        ...(await ada.notes.list()).map(({ session }) => `ada ${session}`),
        ...(await bob.notes.list()).map(({ session }) => `bob ${session}`),
      ].toSorted()
    }
    return { ...it, ada, bob, noted }
  }

  // requirement: NOTE-1
  test('is off by default: nothing is written, and no model is asked', async () => {
    const { noted, server, ada } = await talked({ layers: { gists: false, facts: false } })
    expect(await noted()).toEqual([])
    expect(server.count).toBe(0)
    expect(await ada.notes.due('monday')).toMatchObject({ due: true, reason: 'first', on: false })
  })

  // requirement: NOTE-1
  test('is on for a project', async () => {
    const { memory, noted } = await talked({ layers: { gists: false, facts: false } })
    await memory.project('dock').settings.set({ layers: { gists: false, facts: false, notes: true } })
    expect(await noted()).toEqual(['bob monday', 'bob tuesday'])
  })

  test('is off for a project', async () => {
    const { memory, noted } = await talked({})
    await memory.project('dock').settings.set({ layers: { notes: false } })
    expect(await noted()).toEqual(['ada monday', 'ada tuesday'])
    await memory.project('dock').settings.set({ layers: null })
    expect(await noted()).toEqual(['ada monday', 'ada tuesday', 'bob monday', 'bob tuesday'])
  })

  // requirement: NOTE-1
  test('is on, off, or as with the project for a session', async () => {
    const { ada, bob, noted } = await talked({ layers: { gists: false, facts: false } })
    await ada.sessions.ensure('monday', { layers: { notes: true } })
    expect(await noted()).toEqual(['ada monday'])
    await bob.sessions.ensure('monday', { layers: { notes: true } })
    await bob.sessions.ensure('monday', { layers: { notes: null } })
    expect(await noted()).toEqual(['ada monday'])
    expect(await ada.notes.due('monday')).toMatchObject({ on: true, due: false })
    await ada.sessions.ensure('monday', { layers: { notes: false } })
    expect(await ada.notes.due('monday')).toMatchObject({ on: false })
    expect(await rejection(ada.sessions.ensure('monday', untyped({ layers: { notes: 'yes' } })))).toBeInstanceOf(InvalidOption)
  })
})

describe('a project’s settings', () => {
  test('name the sections of its pages', async () => {
    const template = [
      { heading: 'Barges', guidance: 'Which, and where.' },
      { heading: 'Trouble', guidance: '' },
    ]
    const { memory, play, server } = await noting({}, { ...soon, template })
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 4))
    play(() => edits(['Trouble', '- It rains.']))
    expect((await ada.notes.update('monday')).content).toBe('# Barges\n_Which, and where._\n\n# Trouble\n\n- It rains.\n')
    expect(server.requests[0]?.prompt).toContain('The sections: "Barges", "Trouble".')
  })

  test('change the page at the next update: new sections come, and what stands in others is kept', async () => {
    const { memory, play } = await noting()
    const ada = memory.for('ada')
    await ada.append('monday', steps('crane', 4))
    play(() => edits(['Learnings', '- It rains.']))
    await ada.notes.update('monday')
    await memory.project('default').settings.set({
      notes: {
        ...soon,
        template: [
          { heading: 'Trouble', guidance: '' },
          { heading: 'Worklog', guidance: '' },
        ],
      },
    })
    await ada.append('monday', steps('crane', 1, 5))
    play(() => edits(['Trouble', '- It still rains.']))
    const { content } = await ada.notes.update('monday')
    expect(headingsOf(content)).toEqual(expect.arrayContaining(['Trouble', 'Worklog', 'Learnings']))
    for (const line of ['- It rains.', '- It still rains.']) expect(content).toContain(line)
  })

  // requirement: NOTE-4
  test('are positive whole numbers: zero, negative, a fraction and no number are refused, not ignored', async () => {
    const memory = await openForTest()
    const { settings } = memory.project('default')
    for (const name of ['firstTokens', 'growthTokens', 'toolCalls', 'sectionTokens', 'maxTokens'] as const) {
      for (const value of [0, -1, 1.5, Number.NaN, Infinity])
        expect(await rejection(settings.set({ notes: { [name]: value } })), `${name} ${value}`).toMatchObject({
          code: 'OPTION_INVALID',
          option: `settings.notes.${name}`,
        })
    }
    expect(withoutVersion(await settings.get())).toEqual({})
  })

  test('that are not known, and templates without sections, are refused', async () => {
    const memory = await openForTest()
    const { settings } = memory.project('default')
    const twice = [
      { heading: 'Log', guidance: '' },
      { heading: 'log', guidance: '' },
    ]
    for (const notes of [
      { growth: 1 },
      { template: [] },
      { template: twice },
      { template: [{ heading: '# Log', guidance: '' }] },
      { maxTokens: 10 },
      7,
    ]) {
      expect(await rejection(settings.set(untyped({ notes }))), JSON.stringify(notes)).toBeInstanceOf(InvalidOption)
    }
  })
})

test('notes that are due are written and counted, however many shorter sessions others talked in since', async () => {
  const { memory } = await noting()
  const [ada, bo] = [memory.for('ada'), memory.for('bo')]
  await ada.append('monday', steps('crane', 4))
  await Promise.all(Array.from({ length: 1_001 }, (_, place) => bo.append(`aside-${place}`, { role: 'user', content: 'hello' })))
  expect((await memory.upkeep.status()).backlog.notes).toBe(1)
  expect(await memory.upkeep.run({ project: 'default', user: 'bo' })).toMatchObject({ noted: 0 })
  expect(await memory.upkeep.run()).toMatchObject({ noted: 1, settled: true })
  expect(await ada.notes.get('monday')).toMatchObject({ revision: 2, upTo: 4 })
})

test('notes of a long session keep to the limits of a run, and the next one goes on where they are', async () => {
  const { memory, server } = await noting({ modelWindow: 8_192 })
  const ada = memory.for('ada')
  await ada.append('monday', [...steps('crane', 299), { role: 'assistant', content: 'The crane is at the north pier.' }])
  expect(await memory.upkeep.run({ maxCalls: 1 })).toMatchObject({ settled: false })
  const first = await ada.notes.get('monday')
  expect([server.count, first?.revision]).toEqual([1, 2])
  expect(await memory.upkeep.run()).toMatchObject({ settled: true })
  expect(await ada.notes.get('monday')).toMatchObject({ upTo: 300, lineage: [{ session: 'monday', from: 1, to: 300 }] })
  expect(first?.upTo).toBeLessThan(300)
  expect(server.count).toBeGreaterThan(2)
})

test('notes, their list and when they are due can be named by a host that holds them', async () => {
  const { memory } = await noting()
  const ada = memory.for('ada')
  await ada.append('monday', steps('crane', 4))
  const due: NotesDue = await ada.notes.due('monday')
  const page: Notes = await ada.notes.update('monday')
  const list: readonly NotesEntry[] = await ada.notes.list()
  expect([due.reason, list.map(({ id }) => id)]).toEqual(['first', [page.id]])
})
