import { describe, expect, test } from 'vitest'
import { openMemory, type ProjectMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { type IsolationKit, isolationKit, type MemoryUnderTest } from '../../packages/varve/src/testing/index.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { callsOfUser } from '../fixtures/memory/every-call.ts'

const silent = {
  store: 'memory:',
  upkeep: 'manual',
  isolation: 'silent',
  embeddingModel: false,
  logger: { warn: () => undefined },
} as const

/** The calls that end an owner's memory: they are made last. */
const endings = ['forget', 'sessions.delete', 'bank.clear', 'documents.delete', 'blocks.delete', 'notes.delete']

function endingsLast(calls: Readonly<Record<string, () => unknown>>): Record<string, () => unknown> {
  return Object.fromEntries(Object.entries(calls).toSorted(([one], [other]) => endings.indexOf(one) - endings.indexOf(other)))
}

/** Varve, as the handle of a user shows it. */
const users: MemoryUnderTest<UserMemory> = {
  open: async () => {
    const memory = await openMemory({ ...silent, layers: { gists: true, facts: true, bank: true, documents: true, notes: true } })
    return { handle: (owner) => memory.for(owner), close: () => memory.close() }
  },
  write: async (ada, session, text) => {
    const { messages } = await ada.append(session, { role: 'user', content: text })
    await ada.blocks.set('gate', text)
    const fact = await ada.facts.add({ predicate: 'said', object: text })
    const instruction = await ada.instructions.add(`Always say: ${text}`)
    await ada.documents.edit('Gate', `- ${text}`)
    await ada.notes.edit(session, `# Gate\n\n- ${text}`)
    await ada.distil(session)
    const entries = await ada.bank.entries()
    return [...messages, fact, instruction, ...entries].map(({ id }) => id)
  },
  calls: (ada, { id, session, question, text }) =>
    endingsLast({
      ...callsOfUser(ada, { id, question }),
      standing: () => ada.standing(session, [{ externalId: id, role: 'user' }]),
      replace: () => ada.replace(id, text),
      'pendingForget.confirm': () => ada.pendingForget.confirm(id),
      forget: async () => {
        await ada.forget({ messages: [id] })
        await ada.forget({ session })
      },
      previewForget: () => ada.previewForget({ messages: [id] }),
      showForget: () => ada.showForget({ what: { messages: [id] } }),
      confirmForget: () => ada.confirmForget('none', { what: { messages: [id] } }),
    }),
  state: async (ada) => ({
    messages: await ada.messages('talk', { limit: 1_000 }),
    sessions: await ada.sessions.list(),
    blocks: await ada.blocks.list(),
    gists: await ada.gists.list(),
    facts: await ada.facts.list(),
    instructions: await ada.instructions.list(),
    documents: await ada.documents.list(),
    entries: await ada.bank.entries(),
    profile: await ada.profile(),
  }),
  search: (ada, question) => ada.recall(question, { limit: 50, neighbours: 2 }),
  forgetAll: (ada) => ada.forget({ all: true }),
  areNotPublic: ['calls'],
  reachesNothing: {
    shouldCompact: 'counts the tokens of what it is given',
    tools: 'its tools make the calls of the handle',
    'blocks.tools': 'its tools make the calls of blocks',
    'documents.tools': 'its tools make the calls of documents',
    'facts.tools': 'its tools make the calls of facts',
    'instructions.tools': 'its tools make the calls of instructions',
  },
}

/** Varve, as the handle of a project shows it: what one project shares is not another's. */
const projects: MemoryUnderTest<ProjectMemory> = {
  apart: ['project'],
  open: async () => {
    const memory = await openMemory({ ...silent, layers: { bank: true } })
    return { handle: ({ project }) => memory.project(project), close: () => memory.close() }
  },
  write: async (acme, _session, text) => {
    const block = await acme.blocks.set('gate', text)
    const page = await acme.documents.edit('Gate', `- ${text}`)
    return [block.name, page.name]
  },
  calls: (acme, { id, question, text }) => ({
    users: () => acme.users(),
    changes: () => acme.changes(),
    sharing: () => acme.sharing(),
    'settings.get': () => acme.settings.get(),
    'settings.set': () => acme.settings.set({ timeZone: 'Europe/Berlin' }),
    'blocks.list': () => acme.blocks.list(),
    'blocks.get': () => acme.blocks.get('gate'),
    'blocks.set': () => acme.blocks.set('gate', text),
    'blocks.append': () => acme.blocks.append('gate', text),
    'blocks.reorder': () => acme.blocks.reorder(['gate']),
    'blocks.revisions': () => acme.blocks.revisions('gate'),
    'blocks.restore': () => acme.blocks.restore('gate', 1),
    'documents.list': () => acme.documents.list(),
    'documents.read': () => acme.documents.read('Gate'),
    'documents.recollect': () => acme.documents.recollect(question),
    'documents.edit': () => acme.documents.edit('Gate', `- ${text}`),
    'documents.revisions': () => acme.documents.revisions('Gate'),
    'documents.restore': () => acme.documents.restore('Gate', 1),
    'documents.memorize': () => acme.documents.memorize('talk'),
    'bank.stats': () => acme.bank.stats(),
    'bank.entries': () => acme.bank.entries(),
    'bank.render': () => acme.bank.render(),
    'bank.search': () => acme.bank.search(question),
    'bank.sharing': () => acme.bank.sharing(),
    'bank.setSharing': () => acme.bank.setSharing(true, { acknowledge: true }),
    'bank.withdraw': () => acme.bank.withdraw('kim'),
    'bank.pin': () => acme.bank.pin(id),
    'bank.correct': () => acme.bank.correct(id, text),
    'bank.delete': () => acme.bank.delete(id),
    'bank.history': () => acme.bank.history(),
    'bank.restore': () => acme.bank.restore(id),
    'bank.rebuild': () => acme.bank.rebuild(),
    export: () => Array.fromAsync(acme.export()),
    import: () => acme.import([]),
    'imports.list': () => acme.imports.list(),
    'imports.get': () => acme.imports.get(id),
    'imports.accept': () => acme.imports.accept(id),
    'imports.discard': () => acme.imports.discard(id),
    'bank.clear': () => acme.bank.clear(),
    'blocks.delete': () => acme.blocks.delete('gate'),
    'documents.delete': () => acme.documents.delete('Gate'),
  }),
  state: async (acme) => ({
    blocks: await acme.blocks.list(),
    documents: await acme.documents.list(),
    page: await acme.documents.recollect('What is the code of the harbour gate?'),
    settings: await acme.settings.get(),
  }),
  search: (acme, question) => acme.documents.recollect(question, { minScore: 0 }),
  areNotPublic: ['calls'],
  reachesNothing: { 'blocks.tools': 'its tools make the calls of blocks', 'documents.tools': 'its tools make the calls of documents' },
}

const seeds = Array.from({ length: runs(3) }, (_, place) => place + 1)

function testAll(kitOf: (seed: number) => IsolationKit): void {
  for (const seed of seeds) for (const check of kitOf(seed).checks) test(`${check.name} (seed ${seed})`, () => check.run())
}

// requirement: P2.13
describe('handles of users', () => {
  testAll((seed) => isolationKit(users, seed))
})

// requirement: P2.13
describe('handles of projects', () => {
  testAll((seed) => isolationKit(projects, seed))
})

test('counts the checks that a memory cannot run', () => {
  expect(isolationKit(users).absent).toEqual([])
  expect(isolationKit(projects).absent).toEqual(['who forgets all forgets nothing of another'])
})
