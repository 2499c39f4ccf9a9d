import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'
import { scriptedModelServer } from '../../packages/varve/src/testing/scripted-model-server.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')
const home = newHome('layers')
const escape = '\u001b['

/**
 * The environment of a shell, without the variables that tell how the tests were started. The cache is for speed: a
 * command compiles its sources.
 */
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  TERM: 'xterm-256color',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  VARVE_EMBEDDINGS: 'off',
}

interface Running {
  readonly input?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Outcome>
  /** Resolves when the process has written the text to stderr; rejects when it ends before. */
  said(text: string): Promise<void>
}

/** Starts a command in a process of its own, for tests of signals and of output while it runs. */
function start(args: readonly string[], { cwd = home, env = {} }: Running = {}): Started {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...environment, ...env }, stdio: 'pipe' })
  const told = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told.stderr += text))
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...told }))
  })
  const said = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (told.stderr.includes(text) && resolve())
      child.stderr.on('data', look)
      child.on('close', () => reject(new RangeError(`it ended, and has not said ${text}: ${told.stderr}`)))
      look()
    })
  return { child, ended, said }
}

function varve(args: readonly string[], { cwd = home, env = {}, ...running }: Running = {}): Promise<Outcome> {
  return typedHere(args, { ...running, cwd, env: { ...environment, ...env } })
}

/** Gives the data of a command that must succeed. */
async function data(args: readonly string[]) {
  const { code, stdout, stderr } = await varve([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** 20 messages make a session due at once. */
const enough = 20

const days = ['2026-03-02', '2026-03-09', '2026-04-07', '2026-04-20', '2026-05-04']
const things = ['barometer', 'soup kettle', 'ferry ticket', 'paint tin', 'smokehouse']

/** Makes lines of talk in sessions of several weeks, each on a subject of its own. */
function talk(sessions: readonly string[]): string {
  const thing = (day: string): string => things[days.indexOf(day)] ?? ''
  return sessions
    .flatMap((day) =>
      Array.from({ length: enough }, (_, line) =>
        JSON.stringify({
          session: `talk-${day}`,
          sessionName: `About the ${thing(day)}`,
          id: `${day}-${line}`,
          role: 'user',
          name: line % 2 === 0 ? 'Marlene' : 'Nando',
          at: `${day}T09:${String(line).padStart(2, '0')}:00Z`,
          content: `We bought the ${thing(day)} number ${line} for ${line + 3} euros, and it must be paid by Friday ${line}.`,
        }),
      ),
    )
    .join('\n')
}

const newest = 'talk-2026-05-04'
const store = join(home, 'layers.db')
const file = join(home, 'talk.jsonl')
const on = (...args: string[]): string[] => [...args, '--store', store]

/** The same file in this process, to look at the state that the commands left without another process. */
let memory: Memory

beforeAll(async () => {
  writeFileSync(file, talk(days))
  memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false })
  for (const day of days)
    await memory.for({}).append(
      `talk-${day}`,
      talk([day])
        .split('\n')
        .map((line) => withoutSession(JSON.parse(line))),
    )
  for (const [place, day] of days.entries()) await memory.for({}).sessions.rename(`talk-${day}`, `About the ${things[place]}`)
  await memory.project('default').settings.set({ layers: { bank: true }, bank: { maxTokens: 300 } })
})

afterAll(async () => {
  await memory.close()
  rmSync(home, { recursive: true })
})

function withoutSession({
  session: _session,
  sessionName: _name,
  ...message
}: {
  session: string
  sessionName: string
  role: 'user'
  content: string
}) {
  return message
}

const waiting = new RegExp(
  String.raw`^1 session waits until \d{4}-\d\d-\d\d \d\d:\d\d UTC, since the talk may go on: a session is read ` +
    String.raw`10 minutes after its last message was stored, or after 20 new ones, unless its project has ` +
    String.raw`other settings\.\nNext: varve upkeep --all --store .*\n$`,
)

describe('gists', () => {
  test('there is none before upkeep, which then says what it did', async () => {
    const none = await varve(on('gists'))
    expect(none).toEqual({ code: 0, stdout: '', stderr: `100 messages not read yet.\nNext: varve upkeep --store ${store}\n` })
    const { backlog } = await data(on('upkeep', 'status'))
    expect(backlog).toMatchObject({ erasures: 0, embeddings: 0, gists: 5, facts: 5, documents: 0, bank: 5, shared: 0, edits: 0, notes: 0 })
    const { code, stdout } = await varve(on('upkeep'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Read 5 sessions, made [1-9]\d* digests and 0 vectors, finished 0 erasures, with 0 model calls\.\n/)
    expect(stdout).toContain('Sessions to read: none.')
    expect(stdout).toContain('Written by the extractive writer')
    expect(await memory.for({}).gists.pending()).toBe(0)
  })

  test('are listed, the newest talk first', async () => {
    const { gists } = await data(on('gists'))
    expect(gists.map(({ session }: { session: string }) => session)).toEqual(days.map((day) => `talk-${day}`).reverse())
    const { stdout } = await varve(on('gists', '--limit', '1'))
    expect(stdout).toMatch(/^2026-05-04 09:19 {2}talk-2026-05-04 {2}About the smokehouse\n {3}\S.*smokehouse.*\n$/)
  })

  test('show tells what wrote it and from what; with --sources, each sentence has its messages', async () => {
    const { gist } = await data(on('gists', 'show', newest))
    expect(gist).toEqual(await memory.for({}).gists.get(newest))
    const whole = await varve(on('gists', 'show', newest))
    expect(whole.stdout).toContain(`\n   ${gist.text}\n`)
    expect(whole.stdout).toMatch(
      /\n {3}id [0-9a-f-]{36}, written .* by extractive\n {3}from 20 messages \(#1 to #20\), 2026-05-04 09:00 to 2026-05-04 09:19\n$/,
    )
    const sources = await varve(on('gists', 'show', newest, '--sources'))
    for (const { text, from } of gist.sentences) {
      expect(sources.stdout).toContain(`   ${text}\n     = rests on ${from.map((seq: number) => `#${seq}`).join(', ')}\n`)
    }
  })

  test('recall finds sessions, and leaves out the one that runs', async () => {
    const found = await varve(on('gists', 'recall', 'the', 'paint', 'tin', '--limit', '1'))
    expect(found.stdout).toMatch(/^1\. +[01]\.\d{3} {2}2026-04-20 09:19 {2}gist {2}talk-2026-04-20 {2}About the paint tin\n/)
    const { hits } = await data(on('gists', 'recall', 'paint tin', '--exclude-session', 'talk-2026-04-20'))
    expect(hits.map(({ session }: { session: string }) => session)).not.toContain('talk-2026-04-20')
  })

  test('a person writes one, as an argument or on stdin', async () => {
    const written = await varve(on('gists', 'write', 'talk-2026-03-02', 'The barometer is ours.'))
    expect(written.stdout).toMatch(/\n {3}The barometer is ours\.\n.* by person\n/)
    const piped = await varve(on('gists', 'write', 'talk-2026-03-02', '-', '--json'), { input: 'It fell down.\n' })
    expect(JSON.parse(piped.stdout).gist).toMatchObject({ session: 'talk-2026-03-02', text: 'It fell down.', writer: 'person' })
    expect((await memory.for({}).gists.recall('ours')).hits).toEqual([])
  })

  test('that are off in a project are said to be, with what switches them on', async () => {
    const quiet = memory.for({ project: 'quiet', user: 'ada' })
    await quiet.append('talk', { role: 'user', content: 'The vet says that Chispa must not eat onions.' })
    await memory.project('quiet').settings.set({ layers: { gists: false } })
    const off = `Gists are off in this project.\nNext: varve settings set layers.gists on --store ${store} --project quiet\n`
    expect(await varve(on('gists', '--project', 'quiet', '--user', 'ada'))).toEqual({ code: 0, stdout: '', stderr: off })
    expect((await varve(on('gists', 'show', 'talk', '--project', 'quiet', '--user', 'ada'))).stderr).toContain(off)
    await quiet.forget({ all: true })
  })

  test('distil reads a session that is not due', async () => {
    await memory
      .for({})
      .append('short', { role: 'user', content: 'The vet says that Chispa must not eat onions.', at: '2026-01-01T10:00:00Z' })
    expect(await data(on('gists', 'pending', 'short'))).toEqual({ messages: 1 })
    expect(await varve(on('gists', 'show', 'short'))).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`Next: varve gists distil short --store ${store}\n`),
    })
    const { stdout } = await varve(on('gists', 'distil', 'short'))
    expect(stdout).toContain('onions')
    expect(await memory.for({}).gists.pending('short')).toBe(0)
    expect((await varve(on('gists', 'pending', 'nope'))).code).toBe(1)
  })
})

describe('recall', () => {
  test('finds the kinds that it is asked for, and shows bullets as lines', async () => {
    const { hits } = await data(on('recall', 'ferry ticket', '--kinds', 'gist,bank,message', '--limit', '40'))
    expect(new Set(hits.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['gist', 'bank', 'message']))
    const { stdout } = await varve(on('recall', 'ferry ticket', '--kinds', 'bank', '--limit', '1'))
    expect(stdout).toMatch(/^1\. +[01]\.\d{3} {2}2026-04-07 09:19 {2}bank, \w+ {2}2026-\S+.*\n( {3}- .*ferry ticket.*\n)+ {3}= /)
    expect(await varve(on('recall', 'x', '--kinds', 'rumour'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('They must be of message, gist, bank, block, fact, document, notes, with commas between them.'),
    })
  })
})

describe('the bank', () => {
  test('is the rendered block, within its budget', async () => {
    const { code, stdout, stderr } = await varve(on('bank', '--max-tokens', '250'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Summaries of earlier conversations/)
    expect(stderr).toMatch(/^\d+ tokens of at most 250, \d+ entr/)
    expect(stdout).toBe(`${(await memory.for({}).bank.render(250)).text}\n`)
    expect(await data(on('bank'))).toEqual(await memory.for({}).bank.render())
  })

  test('says why it is empty, and what to type', async () => {
    const empty = await varve(on('bank', '--project', 'kiosk'))
    expect(empty).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^varve: no message is stored for .*\nThe bank is empty, and it is off in this project\.\nNext: .*\n$/),
    })
    expect(empty.stderr).toContain(`Next: varve settings set layers.bank on --store ${store} --project kiosk\n`)
    expect((await varve(on('bank', '--shared'))).stderr).toContain(`Next: varve bank share on --store ${store}\n`)
    expect((await varve(on('bank', '--user', 'ada'))).stderr).toContain(`Next: varve upkeep --store ${store}\n`)
  })

  test('has entries, which are counted and found', async () => {
    expect(await data(on('bank', 'stats'))).toEqual(await memory.for({}).bank.stats())
    expect(await data(on('bank', 'entries', '--granularity', 'conversation'))).toEqual({
      entries: await memory.for({}).bank.entries({ granularity: 'conversation' }),
    })
    const one = await varve(on('bank', 'entries', '--granularity', 'conversation', '--limit', '1'))
    expect(one.stdout).toMatch(
      new RegExp(
        String.raw`^conversation 2026-05-04 {2}talk-2026-05-04 {2}About the smokehouse\n( {3}- .*\n)+ {3}id ` +
          String.raw`[0-9a-f-]{36}, of 20 messages, written .*, by extractive\n$`,
      ),
    )
    expect((await varve(on('bank', 'stats'))).stdout).toMatch(
      /^6 conversations, .*\.\nRendered: \d+ of at most 300 tokens\.\n0 pinned, 0 provisional\.\n$/,
    )
    const { hits } = await data(on('bank', 'search', 'barometer', '--limit', '2'))
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.every(({ kind }: { kind: string }) => kind === 'bank')).toBe(true)
  })

  test('an entry is pinned, corrected and unpinned, by its id or a beginning of it', async () => {
    const { bank } = memory.for({})
    const entries = await bank.entries()
    const id = entries[0]?.id ?? ''
    const start = id.slice(
      0,
      shortestUnique(
        id,
        entries.map((entry) => entry.id),
      ),
    )
    expect(await data(on('bank', 'pin', start))).toEqual({ id, pinned: true })
    expect((await bank.render()).text).toContain(', pinned]')
    const corrected = await varve(on('bank', 'correct', start, '-'), { input: '- The smokehouse is paid.\n- So are the eels.\n' })
    expect(corrected.stdout).toContain('[pinned, corrected]\n   - The smokehouse is paid.\n   - So are the eels.\n')
    expect((await bank.render()).text).toContain('- So are the eels.')
    expect((await varve(on('bank', 'unpin', id))).stdout).toContain('not pinned any more')
    expect((await bank.render()).text).not.toContain(', pinned]')
  })

  test('a beginning that several have, and an id that none has, change nothing', async () => {
    const entries = await memory.for({}).bank.entries()
    const several = await varve(on('bank', 'delete', entries[0]?.id.slice(0, 8) ?? '', '--yes'))
    expect(several).toMatchObject({ code: 2, stderr: expect.stringMatching(/begins the ids of \d+ entries/) })
    const none = await varve(on('bank', 'delete', '01a00000-0000-7000-8000-000000000000', '--yes'))
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(`Next: varve bank entries --store ${store}\n`) })
    expect(await memory.for({}).bank.entries()).toEqual(entries)
  })

  test('delete shows what would go, and does it with --yes', async () => {
    const { bank, sessions } = memory.for({})
    const id = (await bank.entries({ granularity: 'conversation' })).find(({ session }) => session === 'short')?.id ?? ''
    const shown = await varve(on('bank', 'delete', id))
    expect(shown.stdout).toContain('onions')
    expect(shown.stderr).toContain(
      `Nothing was done yet. For 30 days it can be taken back: varve bank history --store ${store} names it.\n` +
        `Next: varve bank delete ${id} --store ${store} --yes\n`,
    )
    expect((await varve(on('bank', 'delete', id, '--forget'))).stderr).toContain('Nothing was done yet. It cannot be undone.\n')
    expect((await bank.stats()).entries.conversation).toBe(6)
    const deleted = await varve(on('bank', 'delete', id, '--yes'))
    expect(deleted.stdout).toMatch(/^Deleted: 1 bank entry[^\n]*\.\nIt is in no answer any more; its words are kept for 30 days/)
    const receipt = /Receipt (\S+)/.exec(deleted.stdout)?.[1] ?? ''
    expect((await varve(on('receipts', 'show', receipt))).stdout).toContain('its words are kept for 30 days')
    expect(await data(on('receipts', 'show', receipt))).toMatchObject({ erased: { kept: true }, physical: 'done' })
    expect((await bank.stats()).entries.conversation).toBe(5)
    expect((await sessions.get('short')).messages).toBe(1)
  })

  test('history lists what was changed by hand, and restore takes it back', async () => {
    const { bank } = memory.for({})
    const [change] = await bank.history()
    const shown = await varve(on('bank', 'history'))
    expect(shown.stdout).toMatch(/^\S+ \S+  deleted by person, entry [\da-f-]{36}\n {3}conversation /)
    expect(shown.stdout).toContain('onions')
    expect(shown.stdout).toContain(`id ${change?.id}, can be restored until`)
    expect(await data(on('bank', 'history'))).toEqual({ changes: JSON.parse(JSON.stringify(await bank.history())) })
    expect((await varve(on('bank', 'restore', change?.id ?? ''))).stdout).toMatch(/^Taken back:\n/)
    expect((await bank.stats()).entries.conversation).toBe(6)
    await bank.delete(change?.entry ?? '')
  })

  test('a gist’s earlier texts are listed and restored', async () => {
    const { gists } = memory.for({})
    const before = await gists.get('short')
    await varve(on('gists', 'write', 'short', 'Mira keeps the word.'))
    expect((await varve(on('gists', 'revisions', 'short'))).stdout).toMatch(
      /^revision 2 .* by person, stands\n {3}Mira keeps the word\.\n\nrevision 1 .*by person\n/,
    )
    expect(await data(on('gists', 'restore', 'short', '1'))).toEqual({
      gist: { ...before, version: expect.not.stringMatching(before?.version ?? '') },
    })
  })

  test('clear shows what would go, and does it with --yes; rebuild brings all back', async () => {
    const { bank } = memory.for({})
    expect(await data(on('bank', 'clear'))).toMatchObject({ done: false, entries: { conversation: 5 } })
    expect((await bank.stats()).entries.conversation).toBe(5)
    expect((await varve(on('bank', 'clear', '--yes'))).stdout).toMatch(/^Deleted: \d+ bank entries\.\n/)
    expect((await bank.render()).text).toBe('')
    expect(await data(on('bank', 'rebuild'))).toEqual({ sessions: 6 })
    await memory.upkeep.run()
    expect((await bank.stats()).entries.conversation).toBe(6)
  })

  test('is shared when members were told', async () => {
    const { bank } = memory.project('default')
    const asked = await varve(on('bank', 'share', 'on', '--backfill'))
    expect(asked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Agents of all members of this project will read summaries/),
      stderr: `Nothing was done yet.\nNext: varve bank share on --backfill --store ${store} --yes\n`,
    })
    expect((await bank.sharing()).on).toBe(false)
    expect(await data(on('bank', 'share', 'on', '--backfill', '--yes'))).toMatchObject({ done: true, on: true, since: 0 })
    expect((await bank.sharing()).on).toBe(true)
    expect((await varve(on('bank', 'share', 'off', '--backfill'))).code).toBe(2)
  })

  test('tells members what to type, and Ctrl-C at its question is 130', async () => {
    const typed = on('bank', 'share', 'on', '--project', 'kiosk')
    const { child, ended, said } = start(typed, { env: { NODE_OPTIONS: onTerminal } })
    await said('Were the members of kiosk told?')
    child.stdin?.end('\u0003')
    const { code, stdout, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toContain(' stopped. Nothing was done.\n')
    expect(stderr).toContain(`Next: varve ${typed.join(' ')} --yes\n`)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(varve sessions share <id> off), or all of theirs (varve settings set share off)')
    expect((await memory.project('kiosk').bank.sharing()).on).toBe(false)
  })

  test('is fed by a session begun before it was shared only with a backfill: that is said', async () => {
    await using earlier = await openMemory({ store, upkeep: 'manual', clock: { now: () => Date.now() - 60_000 } })
    await earlier.for({ project: 'late', user: 'ada' }).sessions.ensure('old')
    const share = on('sessions', 'share', 'old', 'on', '--project', 'late', '--user', 'ada')
    const next = `Next: varve bank share on --backfill --store ${store} --project late\n`
    await memory.project('late').bank.setSharing(true)
    expect(await varve(share)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^old may feed .*, but began before sharing was switched on \(.*\): it does so only with a backfill\.\n$/,
      ),
      stderr: next,
    })
    await memory.project('late').bank.setSharing(true, { acknowledge: true, backfill: true })
    expect(await varve(share)).toEqual({ code: 0, stdout: "old may feed the project's shared bank.\n", stderr: '' })
  })

  test('has nothing of a session that was kept out, and loses all when sharing ends', async () => {
    const { bank } = memory.project('default')
    await varve(on('sessions', 'share', newest, 'off'))
    await varve(on('upkeep'))
    expect((await data(on('bank', 'entries', '--shared', '--granularity', 'conversation'))).entries).toHaveLength(
      (await memory.for({}).sessions.list()).length - 1,
    )
    expect((await bank.search('smokehouse')).hits).toEqual([])
    expect((await varve(on('bank', 'share', 'off'))).stdout).toMatch(/Withdrawn: \d+ bank entries\.\n/)
    expect(await bank.entries()).toEqual([])
    expect((await memory.for({}).bank.stats()).entries.conversation).toBeGreaterThanOrEqual(days.length)
  })
})

test('what a member keeps out of what is shared is withdrawn with a receipt', async () => {
  const [stall, ada] = [memory.project('stall'), memory.for({ project: 'stall', user: 'ada' })]
  await stall.bank.setSharing(true, { acknowledge: true, backfill: true })
  for (const session of ['rye', 'oats', 'spelt'])
    await ada.append(session, { role: 'user', content: `The ${session} comes from the mill of Aunt Gesche.` })
  for (const session of ['rye', 'oats', 'spelt']) await ada.distil(session)
  const of = (...args: string[]): string[] => on(...args, '--project', 'stall', '--user', 'ada')
  const withdrawn = "Withdrawn: 1 bank entry.\nIt is in no answer any more; its words are gone from the files' bytes.\nReceipt "
  expect((await varve(of('sessions', 'share', 'rye', 'off'))).stdout).toContain(
    `rye does not feed the project's shared bank.\n${withdrawn}`,
  )
  expect(await data(of('sessions', 'share', 'oats', 'off'))).toMatchObject({
    id: 'oats',
    receipt: { counts: { bank: 1 }, physical: 'done' },
  })
  const settings = of('settings', 'set', 'share', 'off')
  expect((await varve(settings)).stdout).toContain(withdrawn)
  expect((await varve(settings)).stdout).not.toContain('Withdrawn')
  expect(await stall.bank.entries()).toEqual([])
})

/** Makes a process take its pipes for a terminal. */
const onTerminal =
  '--import=data:text/javascript,for(const{stdin,stderr}of[process]){stdin.isTTY=stderr.isTTY=true;stdin.setRawMode=()=>stdin}'

/** Gives the prefix of an id that no other id begins with: 8 characters or more. */
function shortestUnique(id: string, all: readonly string[]): number {
  return (
    Array.from({ length: 28 }, (_, more) => 8 + more).find(
      (length) => all.filter((other) => other.startsWith(id.slice(0, length))).length === 1,
    ) ?? id.length
  )
}

describe('settings', () => {
  const of = (...args: string[]): string[] => on('settings', ...args, '--project', 'kiosk', '--user', 'ada')
  const all = { timeZone: 'Europe/Berlin', bank: { maxTokens: 1500 }, layers: { bank: true, gists: false }, ceiling: { tokens: 200_000 } }

  test('are set one by one, and what stands beside one stays', async () => {
    expect(await data(of())).toEqual({ project: 'kiosk', settings: {}, user: { share: true } })
    const shown = (await varve(of())).stdout
    expect(shown).toMatch(/timeZone +UTC \(default\)\n +hemisphere +north \(default\)\n.*gists +on .*\n.*bank +off .*[^]*calls +none /)
    expect(shown).toMatch(/maxTokens +2000 .*\n.*memberShare +0.333 [^]*firstTokens +10000 /)
    const pairs = [
      ['timeZone', 'Europe/Berlin'],
      ['bank.maxTokens', '1500'],
      ['layers.bank', 'on'],
      ['layers.gists', 'off'],
      ['ceiling.tokens', '200000'],
      ['share', 'off'],
    ]
    for (const pair of pairs) expect((await varve(of('set', ...pair))).code, pair[0]).toBe(0)
    expect(await data(of())).toEqual({ project: 'kiosk', user: { share: false }, settings: all })
    expect((await varve(of())).stdout).toMatch(
      /timeZone +Europe\/Berlin\n.*layers\.gists +off\n.*layers\.bank +on\n.*bank\.maxTokens +1500\n/s,
    )
    expect(withoutVersion(await memory.for({ project: 'kiosk', user: 'bob' }).settings.get())).toEqual({ share: true })
  })

  test('of a project concern no user: its anonymous one is not warned of', async () => {
    await memory.for({ project: 'crew', user: 'ada' }).sessions.ensure('talk')
    for (const change of [
      ['set', 'layers.bank', 'on'],
      ['unset', 'layers.bank'],
    ]) {
      expect(await varve(on('settings', ...change, '--project', 'crew'))).toMatchObject({ code: 0, stderr: '' })
    }
    expect((await varve(on('settings', 'set', 'share', 'off', '--project', 'crew'))).stderr).toContain('no --user was given')
  })

  test('that cannot be are refused, with what can', async () => {
    for (const [name, value] of [
      ['colour', 'red'],
      ['timeZone', 'Moon/Crater'],
      ['layers.bank', 'yes'],
    ] as const) {
      expect(await varve(of('set', name, value)), name).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^varve: .*\nNext: varve settings --help\n$/),
      })
    }
    expect(withoutVersion(await memory.project('kiosk').settings.get())).toEqual(all)
  })

  test('of readings: on and off, with bounds that stay while they are on', async () => {
    const reader = (...args: string[]): string[] => on('settings', ...args, '--project', 'reader')
    const readings = async (): Promise<unknown> => (await memory.project('reader').settings.get()).readings
    expect((await varve(reader())).stdout).toMatch(/readings +off \(default\)\n/)
    const usual = { perSession: 10, perDay: 30 }
    const steps: readonly (readonly [readonly string[], unknown])[] = [
      [['set', 'readings', 'on'], usual],
      [['set', 'readings.perDay', '5'], { ...usual, perDay: 5 }],
      [['set', 'readings', 'on'], { ...usual, perDay: 5 }],
      [['unset', 'readings.perDay'], usual],
      [['unset', 'readings.perSession'], usual],
      [['set', 'readings', 'off'], undefined],
      [['unset', 'readings.perDay'], undefined],
      [['set', 'readings.perSession', '3'], { ...usual, perSession: 3 }],
      [['unset', 'readings'], undefined],
    ]
    for (const [args, wanted] of steps) {
      expect((await varve(reader(...args))).code, args.join(' ')).toBe(0)
      expect(await readings(), args.join(' ')).toEqual(wanted)
    }
    expect((await varve(reader('set', 'readings', 'perhaps'))).code).toBe(2)
    const ada = memory.for({ project: 'reader', user: 'ada' })
    expect(await ada.readings.next()).toMatchObject({ none: 'off' })
    expect((await varve(reader('set', 'readings', 'on'))).stdout).toMatch(/readings +on\n.*perSession +10\n.*perDay +30\n/)
    expect(await ada.readings.next()).toMatchObject({ none: 'nothing' })
  })

  test('are unset one by one', async () => {
    for (const name of ['timeZone', 'layers.gists', 'bank.maxTokens', 'share']) await varve(of('unset', name))
    const { settings, user } = await data(of())
    expect({ settings, user }).toEqual({ settings: { layers: { bank: true }, ceiling: { tokens: 200_000 } }, user: { share: true } })
  })
})

/** Tells whether a session has a gist. The work that another process does by itself shows only in the store. */
async function hasGist(store: string, session: string): Promise<boolean> {
  await using other = await openMemory({ store, upkeep: 'manual' })
  return (await other.for({}).gists.get(session)) !== undefined
}

describe('upkeep', () => {
  const watched = join(home, 'watched.db')
  const watch = ['upkeep', '--watch', '--store', watched]

  test('--watch does what becomes due, until Ctrl-C', async () => {
    await varve(['append', 'before', 'Nothing is due yet.', '--store', watched])
    expect(await varve(['upkeep', '--store', watched])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Sessions to read: 1 for gists, 1 for facts, 1 for instructions.'),
      stderr: expect.stringMatching(waiting),
    })
    const { child, ended, said } = start(watch)
    await said('Watching; Ctrl-C ends it.\n')
    await varve(['append', 'due', '--jsonl', '--store', watched], {
      input: talk(['2026-03-02']).replaceAll('"session":"talk-2026-03-02"', '"session":"due"'),
    })
    while (!(await hasGist(watched, 'due'))) await setTimeout(100)
    child.kill('SIGINT')
    expect(await ended).toEqual({
      code: 0,
      stdout: 'Read 1 session, made 0 digests and 0 vectors, finished 0 erasures, with 0 model calls.\n',
      // On a slow machine it tells what is left.
      stderr: expect.stringMatching(/^Watching; Ctrl-C ends it\.\n/),
    })
  })

  test('old talk is read at once, talk of now with --all: each command names the one that leads on', async () => {
    const fresh = join(home, 'fresh.db')
    const at = (...args: string[]): string[] => [...args, '--store', fresh]
    await varve(at('append', 'old', 'I live in Oslo.', '--at', '2026-03-02T09:00:00Z'))
    expect((await varve(at('facts'))).stderr).toBe(`1 message not read yet.\nNext: varve upkeep --store ${fresh}\n`)
    expect(await varve(at('upkeep'))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Read 1 session,/), stderr: '' })
    await varve(at('append', 'new', 'My name is Ada Wind.'))
    expect((await varve(at('facts'))).stderr).toMatch(
      /^1 message not read yet\. 1 session waits until .*\nNext: varve upkeep --all --store .*\n$/,
    )
    expect(await varve(at('upkeep'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Read 0 sessions,/),
      stderr: expect.stringMatching(waiting),
    })
    expect((await data(at('upkeep', 'status'))).waiting).toEqual({ sessions: 1, until: expect.any(Number) })
    expect(await varve(at('upkeep', '--all'))).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Read 1 session,/), stderr: '' })
    expect((await varve(at('facts'))).stdout).toMatch(/lives in.*Oslo[^]*name.*Ada Wind|name.*Ada Wind[^]*lives in.*Oslo/)
  })

  test('--watch and --all do not go together', async () => {
    expect(await varve([...watch, '--all'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Next: varve upkeep --all'),
    })
  })

  test('--watch ends on SIGTERM too', async () => {
    const { child, ended, said } = start([...watch, '--json'])
    await said('\n')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({
      code: 0,
      stdout: '{"done":{"distilled":0,"digested":0,"embedded":0,"documented":0,"noted":0,"erasures":0,"modelCalls":0}}\n',
    })
  })

  test('--watch ends by itself after --max-seconds', async () => {
    const { code, stdout } = await varve([...watch, '--max-seconds', '0.2'])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Read 0 sessions, .*\nVectors are off/) })
  })

  test.each([
    ['--max-calls', '1.5'],
    ['--max-seconds', '-1'],
  ])('%s %s is refused', async (flag, value) => {
    expect(await varve(on('upkeep', flag, value))).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(flag) })
  })
})

describe('a language model', () => {
  const paid = join(home, 'paid.db')

  test('is told of, obeys --max-calls, and each of its calls is in the ledger', async () => {
    await using server = await scriptedModelServer(() => ({ object: {}, tokens: { input: 1234, output: 5 } }))
    const env = { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'scripted' }
    await varve(['import', file, '--store', paid], { env })
    await varve(['append', 'talk-2026-03-02', 'One more.', '--store', paid], { env })
    expect(server.count).toBe(0)
    const { code, stdout, stderr } = await varve(['upkeep', '--max-calls', '3', '--store', paid], { env })
    // In a small window each layer is asked for by itself. A useless answer is asked for again once; after the second one the
    // session waits, and status tells of the failure.
    expect(code).toBe(1)
    expect(stdout).toContain('\nWritten by openai-compatible:scripted\n')
    expect(stderr).toMatch(/^varve: openai-compatible:scripted is asked to write gists/)
    expect(stderr).toContain('--max-calls is reached')
    expect(server.count).toBe(3)
    expect(JSON.parse((await varve(['ledger', '--store', paid, '--json'])).stdout)).toMatchObject({
      calls: ['facts', 'gists', 'gists'].map((layer) => ({
        project: 'default',
        task: 'distil',
        layers: [layer],
        model: 'openai-compatible:scripted',
        inputTokens: 1234,
        outputTokens: 5,
      })),
      totals: (['gists', 'facts'] as const).map((layer, one) => ({
        layer,
        calls: 2 - one,
        inputTokens: (2 - one) * 1234,
        outputTokens: (2 - one) * 5,
      })),
    })
  })

  test('has its runs listed, with the calls and the reasons', async () => {
    const { code, stdout } = await varve(['upkeep', 'runs', '--store', paid])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}default {2}asked, [\d,]+ ms, \d calls, [\d,]+ tokens in, \d+ out$/m)
    expect(stdout).toMatch(/^ {2}session: \d+ due, \d+ done, 1 failed\n {4}MODEL_FAILED: it was missing, or no list \(\d times?\)$/m)
    const [newest] = JSON.parse((await varve(['upkeep', 'runs', '--limit', '1', '--store', paid, '--json'])).stdout)
    expect(newest).toMatchObject({ by: 'asked', at: expect.any(Number), work: expect.any(Array) })
    expect(await varve(['upkeep', 'runs', '--to', '2026-01-01', '--store', paid])).toMatchObject({
      stderr: 'Upkeep did nothing in that time.\n',
    })
  })

  test('costs what the ledger says, by project and time', async () => {
    const { stdout } = await varve(['ledger', '--limit', '1', '--store', paid])
    expect(stdout).toMatch(
      new RegExp(
        String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d {2}default {2}distil {2}\w+ {2}openai-compatible:scrip… {2}` +
          String.raw`1,234 in {2}5 out {2}\S+ ms {2}\w+\n` +
          String.raw`\nThe newest 1 call\. In all (\d) calls, ([\d,]+) tokens in, \d+ out\n(\w+: \d calls?, [\d,]+ tokens in, \d+ out\n)+$`,
      ),
    )
    const bill = await varve(['ledger', 'costs', '--by', 'model,day', '--store', paid])
    expect(bill.stdout).toMatch(/^openai-compatible:scripted {2}\d{4}-\d\d-\d\d: (\d) calls, .*\nIn all \1 calls, /)
    const today = new Date().toISOString().slice(0, 10)
    expect((await varve(['ledger', '--from', '2026-01-01', '--to', today, '--store', paid])).stdout).toContain('In all')
    for (const none of [
      ['--project', 'kiosk'],
      ['--to', '2026-01-01'],
    ]) {
      expect(await varve(['ledger', ...none, '--store', paid])).toEqual({ code: 0, stdout: '', stderr: 'No call to a language model.\n' })
    }
  })

  test('that hangs is left when a person stops upkeep', async () => {
    const asked = Promise.withResolvers<void>()
    await using server = await scriptedModelServer(() => (asked.resolve(), { hangs: true }))
    const { child, ended } = start(['upkeep', '--store', paid], { env: { VARVE_MODEL_URL: server.url, VARVE_MODEL: 'hanging' } })
    await asked.promise
    child.kill('SIGINT')
    expect(await ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(
        /varve: stopped\. Read 0 sessions.* with 1 model call\. Finished work stays\.\nNext: varve upkeep --store .*\n$/,
      ),
    })
  })
})

describe('what holds for all of them', () => {
  const lines = ['gists', 'gists write x y', 'bank', 'bank share on --yes', 'ledger', 'settings set layers.bank on', 'upkeep --watch']

  test.each(lines)('%s does not make a store that is not there', async (line) => {
    const cwd = mkdtempSync(join(home, 'empty-'))
    const { code, stdout, stderr } = await varve(line.split(' '), { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('there is no store at')
    expect(readdirSync(cwd)).toEqual([])
  })

  test('another user sees nothing of it', async () => {
    const bob = ['--user', 'bob']
    expect((await data(on('gists', ...bob))).gists).toEqual([])
    expect((await data(on('bank', ...bob))).text).toBe('')
  })

  test('stored text cannot command the terminal', async () => {
    await memory.for({}).gists.write('talk-2026-03-02', `clear ${escape}2J the \u0007 screen`)
    for (const line of [['gists'], ['gists', 'recall', 'screen']]) {
      const { stdout } = await varve(on(...line))
      expect(stdout).toContain('the [U+0007] screen')
      expect(stdout).not.toContain(escape)
    }
  })
})
