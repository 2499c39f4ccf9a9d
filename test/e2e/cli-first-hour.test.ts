import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { openMemoryIn } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('first-hour')
const environment = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }

interface Typing {
  readonly cwd?: string
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

async function varve(args: readonly string[], { env = {}, ...typing }: Typing = {}): Promise<Outcome> {
  const { code, stdout, stderr } = await typedHere(args, { cwd: home, ...typing, env: { ...environment, ...env } })
  return { code, stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) }
}

function emptyFolder(): string {
  return mkdtempSync(join(home, 'empty-'))
}

/** The command lines that a text tells to type, as words. */
function toldLines(text: string): string[][] {
  return [...text.matchAll(/^ {2}varve (.*?)(?: {2}.*)?$/gm)].map(([, line = '']) =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  )
}

const old = ['--at', '2026-05-04T09:00:00Z']

/** Makes a store with two users of one project, and an anonymous user of another. */
async function sharedStore(): Promise<string> {
  const cwd = emptyFolder()
  await varve(['append', 'monday', 'The spare key hangs in the bait shop.', '--user', 'ada', ...old], { cwd })
  await varve(['append', 'monday', 'The soup costs seven euros.', '--user', 'bob', ...old], { cwd })
  await varve(['append', 'tuesday', 'The tide turns at noon.', '--project', 'pier', ...old], { cwd })
  return cwd
}

afterAll(() => {
  process.chdir('/')
  rmSync(home, { recursive: true })
})

describe('varve alone on a terminal', () => {
  test('says in an empty folder how to begin, and makes nothing; each told line works', async () => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await varve([], { cwd, columns: 80 })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('There is no store at ./varve.db yet')
    expect(readdirSync(cwd)).toEqual([])
    const [first, ...rest] = toldLines(stdout)
    expect(first).toEqual(['import', 'export.zip'])
    expect(rest.map(([command]) => command)).toEqual(['append', 'recall', '--help'])
    for (const line of rest) expect(await varve(line, { cwd }), line.join(' ')).toMatchObject({ code: 0, stdout: /\S/ })
    expect((await varve(rest[1] ?? [], { cwd })).stdout).toContain('bait shop')
  })

  test('says what the store holds: projects, users, messages, due work, and what to type', async () => {
    const cwd = await sharedStore()
    const { code, stdout, stderr } = await varve([], { cwd, columns: 80 })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\.\/varve\.db, \d+\.\d MB$/m)
    expect(stdout).toMatch(
      new RegExp(
        String.raw`project default\n {4}ada +1 message in 1 session, last 2026-05-04 09:00\n {4}bob +1 message in 1 session, .*\n` +
          String.raw` {2}project pier\n {4}the anonymous user +1 message in 1 session`,
      ),
    )
    expect(stdout).toContain('Due: 3 sessions to read for gists, facts and instructions.')
    expect(toldLines(stdout)).toEqual([['recall', 'a question', '--user', 'ada'], ['sessions', '--user', 'ada'], ['upkeep'], ['--help']])
    for (const line of toldLines(stdout).slice(1))
      expect(await varve(line, { cwd }), line.join(' ')).toMatchObject({ code: 0, stdout: /\S/ })
    expect((await varve([], { cwd, columns: 80 })).stdout).toContain('No work is due.')
  })

  test('bounds what it shows, and keeps to a narrow terminal', async () => {
    const cwd = emptyFolder()
    for (let user = 0; user < 10; user += 1) await varve(['append', 's', 'x', '--user', `user-${user}`, ...old], { cwd })
    const { stdout } = await varve(['--user', 'user-3'], { cwd, columns: 60 })
    expect(stdout.match(/user-\d /g)).toHaveLength(8)
    expect(stdout).toContain('… more users')
    expect(stdout).toContain("  # finds messages\n  varve recall 'a question' --user user-3\n")
    expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
  })

  test('is the help in a pipe, with --json an error, and no command in a program either', async () => {
    const cwd = await sharedStore()
    const piped = await varve([], { cwd })
    expect(piped).toMatchObject({ code: 2, stdout: '' })
    expect(piped.stderr).toMatch(/^Usage: varve .*no command was given\.\nNext: varve --help\n$/s)
    const asked = await varve(['--json'], { cwd, columns: 80 })
    expect(JSON.parse(asked.stderr)).toMatchObject({ error: { code: 'USAGE' } })
    expect((await varve(['--help'], { cwd, columns: 80 })).stdout).toMatch(/^Usage: varve /)
    expect((await varve(['--bogus'], { cwd, columns: 80 })).stderr).toContain("unknown option '--bogus'")
  })
})

describe('VARVE_USER and VARVE_PROJECT', () => {
  test('stand for the flags, which go before them; a blank one counts as absent', async () => {
    const cwd = await sharedStore()
    const of = async (args: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> => {
      const { sessions } = JSON.parse((await varve(['sessions', '--json', ...args], { cwd, env })).stdout)
      return sessions.length
    }
    expect(await of([], { VARVE_USER: 'ada' })).toBe(1)
    expect(await of(['--user', 'carol'], { VARVE_USER: 'ada' })).toBe(0)
    expect(await of([], { VARVE_USER: '' })).toBe(0)
    expect(await of([], { VARVE_PROJECT: 'pier' })).toBe(1)
    expect(await of(['--project', 'default'], { VARVE_PROJECT: 'pier' })).toBe(0)
    const next = await varve(['facts', '--store', './varve.db'], { cwd, env: { VARVE_USER: 'ada', VARVE_PROJECT: 'default' } })
    expect(next).toMatchObject({ code: 0, stderr: expect.not.stringContaining('--user') })
    const wrong = await varve(['sessions', 'show', 'nope'], { cwd, env: { VARVE_USER: 'ada' } })
    expect(wrong.stderr).toBe('varve: no session "nope" here.\nNext: varve sessions --user ada\n')
    const erasing = await varve(['forget', '--all'], {
      cwd,
      env: { VARVE_USER: 'ada', VARVE_PROJECT: 'default', VARVE_STORE: './varve.db' },
    })
    expect(erasing.stderr).toContain('Next: varve forget --all --store ./varve.db --project default --user ada --yes\n')
    const blank = await varve(['append', 's', 'x'], { cwd, env: { VARVE_USER: ' ' } })
    expect(blank).toMatchObject({ code: 2, stderr: expect.stringContaining('user must not be blank') })
  })

  test('are for a person at a command line: memory.for() of a program does not read them', async () => {
    const cwd = await sharedStore()
    const env = { VARVE_USER: 'ada', VARVE_PROJECT: 'pier', VARVE_EMBEDDINGS: 'off' }
    await using memory = await openMemoryIn(env, { store: join(cwd, 'varve.db'), engine: 'inline', upkeep: 'manual', isolation: 'silent' })
    expect(await memory.for({}).sessions.list()).toEqual([])
    expect(await memory.for({ project: 'pier' }).sessions.list()).toHaveLength(1)
  })
})

describe('a forgotten --user', () => {
  const anonymous =
    'varve: no --user was given, so this was the memory of the anonymous user. Project default has named users: name one with --user or ' +
    'VARVE_USER. On a terminal, varve alone lists them.\n'

  test.each([['recall', 'key'], ['context', 'key'], ['sessions'], ['facts'], ['gists'], ['profile'], ['blocks'], ['bank']])(
    'is told by %s in the words of the command line',
    async (...args) => {
      const cwd = await sharedStore()
      const { code, stderr } = await varve(args, { cwd })
      expect(code).toBe(0)
      expect(stderr).toContain(anonymous)
      expect(stderr).not.toMatch(/ISOLATION|handle|isolation|ada|bob/)
    },
  )

  test('is told before the error of a session that is another’s, and not in JSON', async () => {
    const cwd = await sharedStore()
    expect(await varve(['sessions', 'show', 'monday'], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${anonymous}varve: no session "monday" here.\nNext: varve sessions\n`,
    })
    expect(JSON.parse((await varve(['sessions', 'show', 'monday', '--json'], { cwd })).stderr).error.code).toBe('NOT_FOUND')
  })

  test('or --project, or a misspelt name: nothing is stored there, and the store has others, who are not named', async () => {
    const cwd = await sharedStore()
    for (const [flags, who] of [
      [['--user', 'adda'], 'user adda in project default'],
      [['--project', 'peer'], 'the anonymous user in project peer'],
    ] as const) {
      const { stderr } = await varve(['recall', 'key', ...flags], { cwd })
      expect(stderr).toContain(`varve: no message is stored for ${who}, and this store has other memories`)
      expect(stderr).not.toMatch(/\bada\b|\bbob\b|pier/)
    }
  })

  test('is not told where nobody else is, nor to one who has a memory, nor by work on the whole store', async () => {
    const [alone, shared] = [emptyFolder(), await sharedStore()]
    await varve(['append', 's', 'A word.', '--user', 'ada'], { cwd: alone })
    await varve(['forget', '--all', '--yes', '--user', 'ada'], { cwd: alone })
    expect((await varve(['recall', 'x', '--user', 'ada'], { cwd: alone })).stderr).not.toContain('other memories')
    expect((await varve(['recall', 'tide', '--user', 'ada'], { cwd: shared })).stderr).not.toContain('other memories')
    for (const command of ['upkeep', 'doctor', 'ledger'])
      expect((await varve([command], { cwd: shared })).stderr, command).not.toMatch(/--user|other memories/)
    for (const args of ['bank share', 'bank withdraw bob', 'bank search tide --shared', 'blocks --shared'])
      expect((await varve(args.split(' '), { cwd: shared })).stderr, args).not.toMatch(/--user|other memories/)
    expect((await varve(['forget', '--all', '--yes', '--user', 'ada'], { cwd: shared })).stderr).not.toContain('other memories')
  })
})

describe('the help', () => {
  test('lists every command once, in groups, a line each, in 80 columns', async () => {
    const { stdout } = await varve(['--help'])
    const lines = stdout.split('\n')
    const headings = lines.filter((line) => /^\S.*:$/.test(line))
    expect(headings).toEqual([
      'Options of every command:',
      'Options:',
      'Conversations:',
      'Finding:',
      'Layers, made from conversations or written by hand:',
      'Agents:',
      'The store:',
      'Begin with:',
    ])
    const listed = lines
      .slice(lines.indexOf('Conversations:'))
      .flatMap((line) => /^ {2}([a-z-]+)(?: [<[].*?[>\]])* {2,}\S/.exec(line)?.[1] ?? [])
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed).toEqual(expect.arrayContaining(['import', 'recall', 'facts', 'bank', 'upkeep', 'doctor', 'completion', 'help']))
    expect(listed).toHaveLength(41)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.length).toBeLessThan(80)
  })

  test('has the flags of every command in one place', async () => {
    for (const of of [['recall'], ['blocks', 'set'], ['sessions', 'show'], ['completion']]) {
      const { stdout } = await varve([...of, '--help'])
      expect(stdout, of.join(' ')).not.toMatch(/^ {2}(--store|--project|--user|--json|--notes-directory)/m)
      expect(stdout).toMatch(/\nAlso --store, --project, --user, --notes-directory, --json: see varve --help\.\n$/)
    }
    expect((await varve(['blocks', 'set', '--help'])).stdout).toMatch(/^ {2}--shared /m)
  })
})

describe('import and upkeep', () => {
  test('an import says what upkeep would add, and the command that adds it', async () => {
    const cwd = emptyFolder()
    const talk = join(import.meta.dirname, '../../examples/ferry-kiosk/conversations.jsonl')
    const imported = await varve(['import', talk, '--user', 'ada'], { cwd, env: { VARVE_EMBEDDINGS: 'auto' } })
    expect(imported.stderr).toContain('Upkeep would now add: 18 sessions to read for gists, facts and instructions.\nNext: varve upkeep\n')
    expect(await varve(['upkeep'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('Read 18 sessions') })
    const again = await varve(['import', talk, '--user', 'ada'], { cwd })
    expect(again.stderr).toBe('Next: varve sessions --user ada\n')
  })
})
