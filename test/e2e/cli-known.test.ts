import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('known')
const escape = '\u001b['
const environment = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color', VARVE_EMBEDDINGS: 'off' }

function varve(args: readonly string[], cwd = home): Promise<Outcome> {
  return typedHere(args, { env: environment, cwd })
}

/** Gives the data of a command that must succeed. */
async function data(args: readonly string[]) {
  const { code, stdout, stderr } = await varve([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const store = join(home, 'known.db')
const as = (user: string, ...args: string[]): string[] => [...args, '--store', store, '--user', user]
const facts = (...args: string[]): string[] => as('ada', 'facts', ...args)

/** The same file in this process, to look at the state that the commands left without another process. */
let memory: Memory
let ada: ReturnType<Memory['for']>

async function said(session: string, content: string, at: string): Promise<string> {
  const { messages } = await ada.append(session, { role: 'user', content, at })
  await ada.distil(session)
  return messages[0]?.id ?? ''
}

/** Gives the id of the fact of a predicate. */
async function idOf(predicate: string): Promise<string> {
  return (await ada.facts.query({ subject: 'ada', predicate }))[0]?.id ?? ''
}

let oslo = ''

beforeAll(async () => {
  memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  ada = memory.for({ user: 'ada' })
  oslo = await said('winter', 'I live in Oslo.', '2026-01-05T09:00:00Z')
  await said('spring', 'I live in Bergen now. I am allergic to hazelnuts.', '2026-04-02T10:30:00Z')
})

afterAll(async () => {
  await memory.close()
  rmSync(home, { recursive: true })
})

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

describe('facts', () => {
  test('are listed by subject, with since when, whose words, and the id', async () => {
    const { code, stdout, stderr } = await varve(facts())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^ada\\n(?: {3}.*\\n {5}.*\\n {5}.*\\n {5}id ${id}\\n){2}$`))
    expect(stdout).toContain(
      '   lives in Bergen, since 2026-04-02  [confidence 0.8]\n     "I live in Bergen now."\n     = spring #1, 2026-04-02 10:30\n     id ',
    )
    expect(stdout).not.toContain('Oslo')
    expect(await data(facts('list'))).toEqual({ facts: await ada.facts.list() })
  })

  test('are filtered, and asked for at another time', async () => {
    expect((await data(facts('--predicate', 'lives in', '--valid-at', '2026-02-01'))).facts).toMatchObject([{ object: 'Oslo' }])
    expect((await data(facts('--object', 'hazelnuts', '--limit', '1'))).facts).toMatchObject([{ predicate: 'allergic to' }])
    expect(await varve(facts('--as-of', '2026-01-01'))).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          String.raw`^No fact: nothing was known as of 2026-01-01: the facts known now were learnt from ` +
            String.raw`\d{4}-\d\d-\d\d \d\d:\d\d on\. --valid-at asks for facts that were true then\.\nNext: varve facts ` +
            String.raw`--valid-at 2026-01-01 --store .* --user ada\n$`,
        ),
      ),
    })
  })

  test('show tells of one with all of its sources, by its id or a beginning of it', async () => {
    const whole = await idOf('lives in')
    const { stdout } = await varve(facts('show', whole))
    expect(stdout).toMatch(
      new RegExp(
        `^ada lives in Bergen, since 2026-04-02 {2}\\[confidence 0\\.8\\]\\n {3}id ${whole}, learnt .* by extractive\\n ` +
          `{3}said in 1 message:\\n {3}"I live in Bergen now\\."\\n {5}= spring #1, 2026-04-02 10:30, message ${id}\\n$`,
      ),
    )
    expect((await data(facts('show', whole.slice(0, -1)))).fact).toEqual((await ada.facts.query({ predicate: 'lives in' }))[0])
    expect(await varve(facts('show', 'nope'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `varve: no fact "nope" here.\nNext: varve facts --store ${store} --user ada\n`,
    })
  })

  test('history tells what was believed, and what took its place', async () => {
    const { stdout } = await varve(facts('history', 'ada', 'lives in'))
    expect(stdout).toMatch(
      new RegExp(
        `^ada\\n {3}lives in Oslo, 2026-01-05 to 2026-04-02 .*\\n {5}superseded by "Bergen", known since \\d{4}-.*\\n {5}"I ` +
          `live in Oslo\\."\\n(?:.*\\n){2} {3}lives in Bergen, since 2026-04-02 `,
      ),
    )
    const { facts: found } = await data(facts('history', await idOf('lives in')))
    expect(found).toEqual(await ada.facts.history({ subject: 'I', predicate: 'lives in' }))
    expect((await varve(facts('history', 'Nobody'))).stderr).toMatch(
      /^No fact: nothing was ever known of Nobody\. Known are: .*ada.*\.\nNext: varve facts /,
    )
    expect((await varve(facts('history', 'ada', 'living'))).stderr).toMatch(
      /^No fact: of ada none is known with "living"\. There is: lives in.*\.\nNext: varve facts history ada 'lives in' --store .*\n$/,
    )
    expect((await varve(facts('--predicate', 'livng'))).stderr).toMatch(
      /^No fact: none is known with "livng"\. There is: lives in.*\.\nNext: varve facts --predicate 'lives in' --store .*\n$/,
    )
    expect((await varve(facts('--predicate', 'lives in', '--object', 'Atlantis'))).stderr).toBe(
      `No fact: no known fact is like that.\nNext: varve facts --store ${store} --user ada\n`,
    )
  })

  test('are found by their words, and around a name', async () => {
    expect((await varve(facts('recall', 'where', 'does', 'Ada', 'live', '--limit', '1'))).stdout).toMatch(
      /^1\. +[01]\.\d{3} {2}2026-04-02 10:30 {2}fact {2}spring\n {3}ada lives in Bergen\n {3}= .*\n {3}id .*, by extractive\n$/,
    )
    expect((await data(facts('recall', 'Oslo', '--valid-at', '2026-02-01'))).hits).toMatchObject([
      { kind: 'fact', text: 'ada lives in Oslo' },
    ])
    expect(
      (await data(as('ada', 'recall', 'hazelnuts', '--kinds', 'fact,message'))).hits.map(({ kind }: { kind: string }) => kind).sort(),
    ).toEqual(['fact', 'message'])
    expect((await varve(facts('around', 'Bergen', '--hops', '2'))).stdout).toMatch(
      /^of Bergen\n {3}ada lives in Bergen, since .*\n(?:.*\n){3}\n2 steps away\n {3}ada allergic to hazelnuts, since /,
    )
    expect((await data(facts('around', 'Bergen', '--hops', '1'))).facts).toMatchObject([{ object: 'Bergen', hops: 1 }])
  })
})

describe('what is changed by hand', () => {
  test('add says a fact with its words, and ends the one before it', async () => {
    const added = await varve(
      facts('add', 'works at', 'the ferry office', '--valid-from', '2026-03-01', '--source', `${oslo}:live in Oslo`),
    )
    expect(added.stdout).toMatch(
      /^ada works at the ferry office, since 2026-03-01 {2}\[by hand\]\n.* by person\n {3}said in 1 message:\n {3}"live in Oslo"\n/,
    )
    const { fact } = await data(
      facts(
        'add',
        'has',
        'a moped',
        '--subject',
        'Bo',
        '--valid-until',
        '2026-12-24',
        '--confidence',
        '0.5',
        '--depends-on',
        await idOf('works at'),
      ),
    )
    expect(fact).toMatchObject({
      subject: 'Bo',
      object: 'a moped',
      validUntil: Date.parse('2026-12-24'),
      confidence: 0.5,
      dependsOn: [await idOf('works at')],
      writer: 'person',
      sources: [],
    })
    await varve(facts('add', 'parks at', 'the quay', '--single'))
    await varve(facts('add', 'parks at', 'the mill', '--single'))
    expect(await ada.facts.query({ predicate: 'parks at' })).toMatchObject([{ object: 'the mill' }])
  })

  test('correct puts right what never was so; retract takes it back, or ends it', async () => {
    const before = await idOf('works at')
    expect((await varve(facts('correct', before, 'the harbour office'))).stdout).toMatch(
      /^ada works at the harbour office, since 2026-03-01 {2}\[by hand\]\n/,
    )
    expect((await varve(facts('show', before))).stdout).toContain('\n   corrected to "the harbour office", known since ')
    expect((await data(facts('correct', await idOf('works at'), '--valid-from', '2026-02-01'))).fact).toMatchObject({
      object: 'the harbour office',
      validFrom: Date.parse('2026-02-01'),
    })
    expect((await varve(facts('retract', await idOf('works at'), '--valid-until', '2026-06-01'))).stdout).toMatch(
      /^ada works at the harbour office, 2026-02-01 to 2026-06-01 .*\n.*\n {3}ended, known since /,
    )
    expect((await varve(facts('retract', await idOf('parks at')))).stdout).toContain('\n   taken back, known since ')
    expect(await ada.facts.query({ predicate: 'works at' })).toEqual([])
  })

  test('what rests on something that has fallen is said to be doubtful', async () => {
    expect((await varve(facts('--subject', 'Bo'))).stdout).toContain('   has a moped, ')
    expect((await varve(facts('--subject', 'Bo'))).stdout).toContain('[confidence 0.5, by hand, doubtful]')
  })

  test('merge has a name count as another', async () => {
    expect((await varve(facts('merge', 'Bo', 'Bodil'))).stdout).toBe('Bo counts as Bodil from now on, in earlier facts too.\n')
    expect(await ada.facts.query({ subject: 'Bodil' })).toMatchObject([{ object: 'a moped' }])
    expect(await data(facts('merge', 'Bob', 'Bodil'))).toEqual({ name: 'Bob', into: 'Bodil' })
  })

  test.each([
    ['--valid-from', ['add', 'likes', 'figs', '--valid-from', 'yesterday'], 2],
    ['ISO 8601', ['--valid-at', '2026-04-02T10:00'], 2],
    ['after 2026-03-01', ['add', 'likes', 'figs', '--valid-from', '2026-03-01', '--valid-until', '2026-02-01'], 2],
    ['0 to 1', ['add', 'likes', 'figs', '--confidence', '2'], 2],
    ['missing required argument', ['add', 'likes'], 2],
    ['give a correction', ['correct', '01a203b8-8817-7394-b370-d4b3b0b05cab'], 2],
    ['1 to 4', ['around', 'ada', '--hops', '9'], 2],
    ['no message "nope"', ['add', 'likes', 'figs', '--source', 'nope'], 1],
    ['no fact "nope"', ['add', 'likes', 'figs', '--depends-on', 'nope'], 1],
    ['no fact', ['retract', '01a203b8-8817-7394-b370-d4b3b0b05cab'], 1],
    ['comes second', ['merge', 'I', 'Bodil'], 2],
  ])('%s is told, with what to type next, and nothing is changed', async (what, args, code) => {
    const before = await ada.facts.list()
    expect(await varve(facts(...args))).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(/^varve: .*\nNext: varve \S+.*\n$/),
    })
    expect((await varve(facts(...args, '--json'))).stderr).toContain(JSON.stringify(what).slice(1, -1))
    expect(await ada.facts.list()).toEqual(before)
  })
})

describe('what is not known', () => {
  test('is said to be: because nothing was said, was not read yet, is not plain, or is not read for it', async () => {
    const of = (...args: string[]): string[] => [...args, '--store', store, '--project', 'quiet', '--user', 'cy']
    expect(await varve(of('facts'))).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^varve: no message is stored for user cy .*\nNo fact: nothing was said here yet\.\n$/),
    })
    const cy = memory.for({ project: 'quiet', user: 'cy' })
    await cy.append('talk', { role: 'user', content: 'Well, well.' })
    expect((await varve(of('facts'))).stderr).toMatch(
      /^1 message not read yet\. 1 session waits until .*\nNext: varve upkeep --all --store .*\n$/,
    )
    await cy.distil('talk')
    expect((await varve(of('facts'))).stderr).toBe('No fact: no message here states one plainly enough.\nNext: varve facts add --help\n')
    expect((await varve(of('settings', 'set', 'layers.facts', 'off'))).stdout).toMatch(/layers\.facts +off\n/)
    expect((await varve(of('facts'))).stderr).toBe(
      `Facts are off in this project: nothing is read for them.\nNext: varve settings set layers.facts on --store ${store} ` +
        `--project quiet\n`,
    )
  })

  test('a project says whether a predicate has one object at a time', async () => {
    const of = (...args: string[]): string[] => ['settings', ...args, '--store', store, '--project', 'pier']
    expect((await varve(of('set', 'predicates.moors at', 'single'))).stdout).toMatch(/predicates\.moors at +single\n/)
    const { facts: known } = memory.for({ project: 'pier', user: 'ada' })
    for (const object of ['the quay', 'the mill']) await known.add({ predicate: 'moors at', object })
    expect(await known.list()).toMatchObject([{ object: 'the mill' }])
    expect((await data(of('unset', 'predicates.moors at'))).settings).toEqual({})
    expect(await varve(of('set', 'predicates.moors at', 'many'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of single, multi'),
    })
  })

  test('is what another user said: nothing of it is seen, shown or changed', async () => {
    const living = await idOf('lives in')
    for (const args of [
      ['show', living],
      ['correct', living, 'Turku'],
      ['retract', living],
      ['history', living],
    ]) {
      expect(await varve(as('bob', 'facts', ...args)), args[0]).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('no fact'),
      })
    }
    expect(await data(as('bob', 'facts', 'recall', 'Bergen'))).toEqual({ hits: [], degraded: [] })
    expect((await data(as('bob', 'profile'))).counts.facts).toBe(0)
    const anonymous = await varve(['facts', '--store', store])
    expect(anonymous).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^varve: no --user was given, .*\n/s) })
    expect(await idOf('lives in')).toBe(living)
  })
})

// requirement: PART-18
test('profile tells what there is of a user', async () => {
  expect(await data(as('ada', 'profile'))).toEqual(await ada.profile())
  const { stdout } = await varve(as('ada', 'profile'))
  expect(stdout).toMatch(
    new RegExp(
      String.raw`^user ada\n {2}2 messages in 2 sessions, 2 gists, \d+ facts ever known; last ` +
        String.raw`seen 2026-04-02 10:30\n\nrecent conversations\n {2}2026-04-02 10:30 {2}1 message {3}spring\n`,
    ),
  )
  expect(stdout).toContain('\nwhat is known, as it was said\nada\n   ')
  const { stderr } = await varve(as('bob', 'profile'))
  expect(stderr).toMatch(/^varve: no message is stored for user bob /)
  expect(stderr).toContain(`\nNothing is known of this user.\nNext: varve facts --store ${store} --user bob\n`)
})

describe('what holds for all of them', () => {
  test.each(['facts', 'facts show x', 'facts add likes figs', 'facts merge a b', 'profile'])(
    '%s does not make a store that is not there',
    async (line) => {
      const cwd = mkdtempSync(join(home, 'empty-'))
      expect(await varve(line.split(' '), cwd)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('there is no store at'),
      })
      expect(readdirSync(cwd)).toEqual([])
    },
  )

  test.each([
    ['history', 'I', '--as-of', '2000-01-01'],
    ['--subject', 'Bo', 'history', 'I'],
    ['--predicate', 'likes', 'history', 'I'],
    ['recall', 'figs', '--subject', 'Bo'],
    ['around', 'I', '--predicate', 'likes'],
    ['add', 'likes', 'figs', '--valid-at', '2001-01-01'],
    ['merge', 'Bo', 'Bodil', '--limit', '1'],
  ])('a flag that facts %s does not heed is refused', async (...args) => {
    const flag = args.find((arg) => arg.startsWith('--')) ?? ''
    expect(await varve(as('ada', 'facts', ...args))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`does not know ${flag}`),
    })
  })

  test('stored text cannot command the terminal', async () => {
    const eve = memory.for({ user: 'eve' })
    const {
      messages: [said],
    } = await eve.append(`bell\u0007 ${escape}2J`, { role: 'user', content: `I clear ${escape}2J the \u0007 screen.` })
    const { id: known } = await eve.facts.add({
      subject: 'Mallory',
      predicate: 'likes',
      object: 'screens',
      sources: [{ message: said?.id ?? '' }],
    })
    for (const args of [[], ['show', known], ['history', known], ['recall', 'screens'], ['around', 'Mallory']]) {
      const { stdout } = await varve(as('eve', 'facts', ...args))
      expect(stdout, args[0]).toContain('[U+')
      expect(stdout, args[0]).not.toContain(escape)
    }
    expect((await varve(as('eve', 'profile'))).stdout).not.toContain(escape)
  })
})
