import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import { allRoutes } from '../../packages/varve/src/server/routes.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { called, onMark, project, type Rivals, rivalEdits, routeOf, session } from '../fixtures/memory/rival-edits.ts'
import { type Got, send, type Served, served } from '../fixtures/server/serve.ts'
import { OtherProcess } from './other-process.ts'

const options = { layers: { gists: true, facts: true, bank: true }, isolation: 'silent', embeddingModel: false } as const

const names = Object.keys(rivalEdits)

let server: Served
let key: string

beforeAll(async () => {
  server = await served(options)
  key = (await server.memory.keys.create({ access: 'admin' })).key
})

afterAll(() => server.close())

function given(name: string, user: string): Promise<Rivals> {
  const make = rivalEdits[name]
  if (make === undefined) throw new TypeError(`no edit ${name}`)
  return make(server.memory, user)
}

/** The code of each that failed; undefined for one that was done. */
function codesOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.map((one) => (one.status === 'fulfilled' ? undefined : Object(one.reason).code))
}

const refused = expect.stringMatching(/^(STALE_REVISION|NOT_FOUND)$/)

test('every operation that takes If-Match is raced here', () => {
  const taking = allRoutes().flatMap(({ operation }) => (operation.expects === undefined ? [] : [operation.name]))
  expect(new Set(names)).toEqual(new Set(taking))
})

describe('of two edits of the same state, made at once, exactly one is done', () => {
  test.each(names)('%s', async (name) => {
    for (const order of ['first', 'second'] as const) {
      const user = `library-${order}-${name}`
      const { mark, first, rival = name, second } = await given(name, user)
      const [one, other] = [onMark(name, mark, first), onMark(rival, mark, second)]
      const calls = [() => called(server.memory, name, user, one), () => called(server.memory, rival, user, other)]
      if (order === 'second') calls.reverse()
      const outcomes = codesOf(await Promise.allSettled(calls.map((call) => call())))
      expect(outcomes.toSorted(), name).toEqual([refused, undefined])
      if (!name.endsWith('.delete')) expect(outcomes).toContain('STALE_REVISION')
    }
  })
})

describe('an edit of a state that another one changed before is refused, and changes nothing', () => {
  test.each(names)('%s', async (name) => {
    const user = `later-${name}`
    const { mark, first, rival = name, second } = await given(name, user)
    await called(server.memory, rival, user, onMark(rival, mark, second))
    const stands = await everything(user)
    const outcome = await called(server.memory, name, user, onMark(name, mark, first)).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ code: 'STALE_REVISION', expected: mark, isRetryable: true })
    expect(await everything(user)).toEqual(stands)
  })
})

/** All that an edit here may change. */
async function everything(user: string): Promise<unknown> {
  const [ada, own] = [server.memory.for({ project, user }), server.memory.project(user)]
  const ofSession = (await ada.sessions.list()).length === 0 ? [] : [await ada.gists.get(session), await ada.notes.get(session)]
  return [
    ...[ofSession, await ada.sessions.list(), await ada.blocks.list(), await ada.documents.list(), await ada.documents.read('Ferry')],
    ...[await ada.facts.history({ subject: 'I' }), await ada.instructions.list({ ended: true }), await ada.bank.entries()],
    ...[await ada.bank.history(), await ada.settings.get(), await own.settings.get(), await own.bank.sharing()],
  ]
}

/** Sends an operation with If-Match. */
function sent(name: string, user: string, fields: Readonly<Record<string, unknown>>, mark: string): Promise<Got> {
  const { verb, path, places, on } = routeOf(name)
  const owners: Readonly<Record<string, string>> = on === 'user' ? { project, user } : { project: user }
  const address = path.replaceAll(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(String(fields[place] ?? owners[place])))
  const body = Object.fromEntries(Object.entries(fields).filter(([field]) => !places.includes(field)))
  return send(server.url, verb, address, { key, body, headers: { 'if-match': `"${mark}"` } })
}

describe('over HTTP the other one is answered 412, or 404 when the thing is gone', () => {
  test.each(names)('%s', async (name) => {
    const user = `http-${name}`
    const { mark, first, rival = name, second } = await given(name, user)
    const [one, other] = await Promise.all([sent(name, user, first, String(mark)), sent(rival, user, second, String(mark))])
    expect([one, other].filter(({ status }) => status < 300)).toHaveLength(1)
    const [loser] = [one, other].filter(({ status }) => status >= 300)
    const { code } = Object(loser?.json())
    expect([loser?.status, code]).toEqual(code === 'NOT_FOUND' ? [404, 'NOT_FOUND'] : [412, 'STALE_REVISION'])
    if (!name.endsWith('.delete')) expect(code).toBe('STALE_REVISION')
  })
})

describe('the tag of an answer', () => {
  const at = `/v1/projects/${project}/users/tags`
  const asked = (verb: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
    send(server.url, verb, path, { key, headers, ...(body === undefined ? {} : { body }) })

  test.each([
    ['/sessions/talk', 'PUT', '/sessions/talk/name', { name: 'Ferry' }],
    ['/sessions/talk/gist', 'PUT', '/sessions/talk/gist', { text: 'Mira keeps her word.' }],
    ['/settings', 'PATCH', '/settings', { share: false }],
  ])('of %s is taken back by an edit, once, and answers 304 while nothing changed', async (path, verb, edit, body) => {
    const user = server.memory.for({ project, user: 'tags' })
    await user.append(session, { role: 'user', content: 'Mira said that the barge needs a new rudder.' })
    await user.distil(session)
    const tag = (await asked('GET', `${at}${path}`)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[\w-]{16}\.[\w-]{12}"$/)
    expect((await asked('GET', `${at}${path}`, { 'if-none-match': tag })).status).toBe(304)
    expect((await asked(verb, `${at}${edit}`, { 'if-match': tag }, body)).status).toBe(200)
    expect((await asked(verb, `${at}${edit}`, { 'if-match': tag }, body)).status).toBe(412)
    const next = await asked('GET', `${at}${path}`, { 'if-none-match': tag })
    expect([next.status, next.headers.get('etag') === tag]).toEqual([200, false])
  })

  test('of a session changes with a message, and an edit that was begun before the message is done', async () => {
    const user = server.memory.for({ project, user: 'talking' })
    const path = `/v1/projects/${project}/users/talking/sessions/talk`
    await user.append(session, { role: 'user', content: 'The ferry leaves at nine.' })
    const tag = (await asked('GET', path)).headers.get('etag') ?? ''
    await user.append(session, { role: 'user', content: 'It is late today.' })
    expect((await asked('GET', path, { 'if-none-match': tag })).status).toBe(200)
    expect((await asked('PUT', `${path}/name`, { 'if-match': tag }, { name: 'Ferry' })).status).toBe(200)
  })

  test('of a block changes with its place, which is no new revision', async () => {
    const user = server.memory.for({ project, user: 'ordered' })
    for (const name of ['one', 'two']) await user.blocks.set(name, name)
    const path = `/v1/projects/${project}/users/ordered/blocks/one`
    const tag = (await asked('GET', path)).headers.get('etag') ?? ''
    await user.blocks.reorder(['two'])
    expect((await asked('GET', path, { 'if-none-match': tag })).status).toBe(200)
  })

  test.each(['*', 'W/"x"', '"a", "b"', '""', '"a b"', 'x', `"${'a'.repeat(65)}"`])('that is none (%s) is refused', async (tag) => {
    await server.memory.for({ project, user: 'tags' }).sessions.ensure(session)
    expect((await asked('PUT', `${at}/sessions/talk/name`, { 'if-match': tag }, { name: 'x' })).status).toBe(400)
  })
})

test('a gist that is not there yet, and a session, can be made by exactly one', async () => {
  const user = server.memory.for({ project, user: 'nothing' })
  const ensured = [{ name: 'One' }, { name: 'Two' }].map((one) => user.sessions.ensure(session, { ...one, expectedVersion: 'none' }))
  expect(codesOf(await Promise.allSettled(ensured)).toSorted()).toEqual(['STALE_REVISION', undefined])
  await user.append(session, { role: 'user', content: 'Hello.' })
  const written = ['One.', 'Two.'].map((text) => user.gists.write(session, text, { expectedVersion: 'none' }))
  expect(codesOf(await Promise.allSettled(written)).toSorted()).toEqual(['STALE_REVISION', undefined])
})

test('of two people who replace the same words of a message, one is told that others stand', async () => {
  const user = server.memory.for({ project, user: 'replacing' })
  const { messages } = await user.append(session, { role: 'user', content: 'The ferry leaves at nine.' })
  const id = messages[0]?.id ?? ''
  const edits = ['at ten.', 'at noon.'].map((content) => user.replace(id, content, { expectedContent: 'The ferry leaves at nine.' }))
  const outcomes = await Promise.allSettled(edits)
  expect(codesOf(outcomes).toSorted()).toEqual(['STALE_REVISION', undefined])
  const [error] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(JSON.stringify({ ...Object(error), message: String(error) })).not.toMatch(/ferry|at ten|at noon/)
})

test('the client sends the version as the option of the same name', async () => {
  const remote = connect({ url: server.url, key })
  const user = remote.for({ project, user: 'client' })
  await user.append(session, { role: 'user', content: 'The ferry leaves at nine.' })
  const { version } = await user.sessions.get(session)
  const renamed = await user.sessions.rename(session, 'Ferry', { expectedVersion: version })
  expect(renamed.version).not.toBe(version)
  await expect(user.sessions.rename(session, 'Barge', { expectedVersion: version })).rejects.toMatchObject({
    code: 'STALE_REVISION',
    expected: version,
    standing: renamed.version,
  })
  await remote.close()
})

test('settings without a change are still compared with the version', async () => {
  const { settings } = server.memory.for({ project, user: 'unchanged' })
  const { version } = await settings.get()
  expect(await settings.set({ expectedVersion: version })).toEqual({ share: true, version })
  await expect(settings.set({ expectedVersion: 'older' })).rejects.toMatchObject({ code: 'STALE_REVISION', standing: version })
})

const wrong = ['', 'a b', 'x'.repeat(65), '"x"']

test.each(wrong)('a version that cannot be (%j) is refused, and nothing changes', async (expectedVersion) => {
  const user = server.memory.for({ project, user: 'wrong' })
  const { version } = await user.sessions.ensure(session)
  await expect(user.sessions.rename(session, 'x', { expectedVersion })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    option: 'expectedVersion',
  })
  expect((await user.sessions.get(session)).version).toBe(version)
})

test('of two processes that edit the same state, exactly one does it', async () => {
  const store = newStore()
  const here = await openForTest({ ...options, store })
  const other = await OtherProcess.start(store)
  const ada = here.for({ project, user: 'ada' })
  await ada.append(session, { role: 'user', content: 'Mira said that the barge needs a new rudder.' })
  await ada.distil(session)
  await ada.instructions.add('Show the tide in metres.')
  await ada.facts.add({ predicate: 'lives in', object: 'Oslo' })
  for (let round = 0; round < 6; round += 1) {
    const [{ version: ofSession }, gist] = [await ada.sessions.get(session), await ada.gists.get(session)]
    const [[instruction], [fact], [entry]] = [await ada.instructions.list(), await ada.facts.list(), await ada.bank.entries()]
    const edits: readonly (readonly [readonly string[], readonly unknown[], string | undefined])[] = [
      [['sessions', 'rename'], [session, 'NAME'], ofSession],
      [['gists', 'write'], [session, 'NAME keeps her word.'], gist?.version],
      [['instructions', 'edit'], [instruction?.id, 'NAME'], instruction?.version],
      [['bank', 'correct'], [entry?.id, 'NAME keeps her word.'], entry?.version],
      [['facts', 'correct'], [fact?.id, { object: 'NAME' }], fact?.version],
    ]
    for (const [path, args, expectedVersion] of edits) {
      expect(expectedVersion, path.join('.')).toMatch(/^[\w-]{16}$/)
      const ofWhom = (who: string) =>
        path[0] === 'facts'
          ? [args[0], { object: `${who}${round}`, expectedVersion }]
          : [args[0], String(args[1]).replace('NAME', `${who}${round}`), { expectedVersion }]
      const calls = [Reflect.apply(methodOf(ada, path), handleOf(ada, path), ofWhom('Here')), other.call(path, ...ofWhom('There'))]
      const outcomes = await Promise.allSettled(calls)
      expect(outcomes.map(({ status }) => status).toSorted(), path.join('.')).toEqual(['fulfilled', 'rejected'])
      const [error] = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      expect(error, path.join('.')).toMatch(/is at version [\w-]{16} by now/)
    }
  }
}, 60_000)

function handleOf(of: object, [name = '']: readonly string[]): object {
  return Object(Reflect.get(of, name))
}

function methodOf(of: object, path: readonly string[]): (...args: unknown[]) => Promise<unknown> {
  return Reflect.get(handleOf(of, path), path[1] ?? '')
}
