import fc from 'fast-check'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, home } = typedIn('mcp-install-again')
const cursor = join(home, '.cursor', 'mcp.json')
const codex = join(home, '.codex', 'config.toml')

/** Writes a client's file, or none, without a copy of before. */
function fresh(file: string, text?: string): void {
  mkdirSync(dirname(file), { recursive: true })
  for (const old of [file, `${file}.before-varve`]) rmSync(old, { force: true, recursive: true })
  if (text !== undefined) writeFileSync(file, text)
}

const read = (file: string): string => readFileSync(file, 'utf8')
const install = (client: string, user = 'ada') => varve(['mcp', 'install', client, '--user', user, '--yes'])
const uninstall = (client: string) => varve(['mcp', 'uninstall', client, '--yes'])

test('JSON: another install changes command and arguments alone, byte for byte', async () => {
  fresh(cursor, '{ "mcpServers": {} }\n')
  await install('cursor')
  const edited = read(cursor)
    .replace('"varve": {', '"varve": {\n  // Mine.\n  "env": { "LANG":"de" }, /* odd */\n\t"timeout" :9,')
    .replace('{ "mcpServers"', '{ "zeta": [1,2],  "mcpServers"')
  writeFileSync(cursor, edited)
  await install('cursor', 'bob')
  expect(read(cursor)).toBe(edited.replace('"ada"', '"bob"'))
  expect((await install('cursor', 'bob')).stderr).toContain('Nothing to do')
})

test('TOML: another install changes command and arguments alone, byte for byte', async () => {
  fresh(codex, '[mcp_servers.git]\ncommand = "uvx"\n')
  await install('codex')
  const written = read(codex)
  const edited = written
    .replace('[mcp_servers.varve]\n', '[mcp_servers.varve] # mine\nstartup_timeout_sec = 20\n')
    .replace(/(command = "[^"]*node")/, '$1 # of nvm')
    .replace(/$/, 'enabled = true # yes\n\n[mcp_servers.varve.env]\nLANG = "de"\n\n[tui]\nx = 1\n')
  writeFileSync(codex, edited)
  await install('codex', 'bob')
  expect(read(codex)).toBe(edited.replace('"ada"', '"bob"'))
  expect(parse(read(codex))).toMatchObject({ mcp_servers: { varve: { startup_timeout_sec: 20, env: { LANG: 'de' } } }, tui: { x: 1 } })
  await uninstall('codex')
  expect(read(codex)).toBe('[mcp_servers.git]\ncommand = "uvx"\n[tui]\nx = 1\n')
})

test.each([
  ['over several lines', 'args = [\n  "a", # one\n  "b]",\n] # end\n', ' # end\n'],
  ['absent', '', '\n'],
])('TOML: arguments that are %s are replaced where they stand', async (_name, args, rest) => {
  fresh(codex, `[mcp_servers.varve]\ncommand = 'old'\n${args}x = 1\n`)
  expect((await install('codex')).code).toBe(0)
  expect(read(codex)).toMatch(/^\[mcp_servers\.varve\]\n(?:args = \[.*\]\n)?command = ".*"\n(?:args = \[.*\](?: # end)?\n)?x = 1\n$/)
  expect(read(codex)).toContain(`"ada"]${rest}`)
  await uninstall('codex')
  expect(read(codex)).toBe(`[mcp_servers.varve]\ncommand = 'old'\n${args}x = 1\n`)
})

test.each([
  ['cursor', cursor, '{ "mcpServers": { "varve": { "command": "docker", "args": ["run", "varve", "mcp"], "timeout": 9 } } }\n'],
  ['cursor', cursor, '{"mcpServers":{"varve":{"command":"npx","args":["-y","varve","mcp"]}}}'],
  ['codex', codex, '[mcp_servers.varve] # mine\ncommand = "docker"\nargs = ["run", "varve"]\n'],
] as const)('%s: an entry that was there before comes back, and without an install it stays', async (client, file, text) => {
  fresh(file, text)
  expect((await uninstall(client)).stderr).toContain('Nothing to do')
  expect(read(file)).toBe(text)
  for (const user of ['ada', 'bob']) expect((await install(client, user)).code).toBe(0)
  expect(read(`${file}.before-varve`)).toBe(text)
  await uninstall(client)
  expect([read(file), existsSync(`${file}.before-varve`)]).toEqual([text, false])
  // Also when the file was edited since, and when an old copy is there.
  await install(client)
  const more = client === 'codex' ? 'y = 2\n' : '\n// More.\n'
  writeFileSync(file, `${read(file)}${more}`)
  await uninstall(client)
  const end = client === 'codex' ? parse(read(file))['mcp_servers'] : JSON.parse(read(file).replace('// More.', '')).mcpServers
  expect(end).toMatchObject({ varve: { command: text.includes('docker') ? 'docker' : 'npx' } })
  expect(read(file)).toContain(more.trim())
  expect(existsSync(`${file}.before-varve`)).toBe(true)
  writeFileSync(file, text)
  await install(client)
  expect(read(`${file}.before-varve`)).toBe(text)
})

test('a file that held anything else is never deleted, with or without the copy', async () => {
  for (const text of ['{}', '', ' ', '{ "mcpServers": {} }\n', '// mine\n{}\n'])
    for (const isCopyKept of [true, false]) {
      fresh(cursor, text)
      await install('cursor')
      if (!isCopyKept) rmSync(`${cursor}.before-varve`)
      await uninstall('cursor')
      expect([text, isCopyKept, existsSync(cursor)]).toEqual([text, isCopyKept, text !== '' || isCopyKept])
      if (isCopyKept) expect(read(cursor)).toBe(text)
    }
  for (const [client, file] of [
    ['cursor', cursor],
    ['codex', codex],
  ] as const) {
    fresh(file)
    for (const user of ['ada', 'bob']) await install(client, user)
    await uninstall(client)
    expect([existsSync(file), existsSync(`${file}.before-varve`)]).toEqual([false, false])
  }
  fresh(cursor)
  await install('cursor')
  writeFileSync(cursor, `${read(cursor)}// A word.\n`)
  await uninstall('cursor')
  expect(read(cursor)).toContain('// A word.')
})

test('no word of a neighbour is shown, even where all stands on one line', async () => {
  const secret = ['sk', 'made-up-of-two-halves'].join('-')
  const neighbour = `"git":{"command":"uvx","env":{"TOKEN":"${secret}"}}`
  const own = `"varve":{"command":"old","args":["${'y'.repeat(9)}"],"env":{"A":"${secret}"}}`
  const hook = `{"type":"command","command":"say ${secret}"}`
  for (const text of [
    `{"mcpServers":{${neighbour}}}`,
    `{"mcpServers":{${neighbour},${own}}}`,
    `{"mcpServers":{${own},${neighbour}},"key":"${secret}"}`,
    `{"key":"${secret}","hooks":{"Stop":[{"hooks":[${hook}]}],"SessionStart":[]},"mcpServers":{}}`,
  ])
    for (const [file, line] of [
      [cursor, ['mcp', 'install', 'cursor']],
      [join(home, '.claude', 'settings.json'), ['hooks', 'install', 'claude-code']],
    ] as const) {
      fresh(file, text)
      const runs = [await varve([...line, '--dry-run']), await varve([...line, '--json']), await varve([...line, '--yes'])]
      runs.push(await varve([...line, '--user', 'bob', '--yes']), await varve([line[0], 'uninstall', line[2], '--yes']))
      for (const { code, stdout, stderr } of runs) {
        expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining(secret)])
        expect(stdout).toMatch(/main\.|"bob"/)
      }
      expect(read(file)).toBe(text)
    }
})

test.each([
  ['cursor', cursor],
  ['codex', codex],
] as const)('%s: the flags of the server stand in the written line, and uninstall knows it', async (client, file) => {
  fresh(file)
  const flags = ['--read-only', '--readings', '--tools', '--session', 'work', '--notes-directory', join(home, 'notes')]
  expect((await varve(['mcp', 'install', client, '--user', 'ada', ...flags, '--yes'])).code).toBe(0)
  const text = read(file)
  const { varve: entry } = client === 'codex' ? Object(parse(text)['mcp_servers']) : JSON.parse(text).mcpServers
  for (const flag of flags) expect(entry.args.slice(entry.args.indexOf('mcp'))).toContain(flag)
  await uninstall(client)
  expect(existsSync(file)).toBe(false)
})

test('a flag that no line of a server could have is refused, and nothing is written', async () => {
  fresh(cursor)
  for (const [args, told] of [
    [['install', 'cursor', '--session', ''], 'session'],
    [['install', 'cursor', '--url', 'http://ada:word@127.0.0.1'], '--url must be an address'],
    [['install', 'cursor', '--url', 'http://127.0.0.1:8737', '--store', './other.db'], 'exclude each other'],
    [['install', 'cursor', '--url', 'http://127.0.0.1:8737', '--notes-directory', home], '--notes-directory'],
    [['uninstall', 'cursor', '--read-only'], '--read-only'],
  ] as const) {
    const { code, stderr } = await typedHere(['mcp', ...args, '--yes'], { env: { PATH: '', HOME: home } })
    expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining(told)])
  }
  expect(existsSync(cursor)).toBe(false)
})

test('a line of install with flags that a person added is taken out, and never put back', async () => {
  const withReadings = (text: string) => text.replace('"--store"', '"--readings",\n        "--store"')
  fresh(cursor)
  await install('cursor')
  writeFileSync(cursor, withReadings(read(cursor)))
  expect((await uninstall('cursor')).stderr).toContain('Removed: ')
  expect(existsSync(cursor) ? read(cursor) : '').not.toContain('"varve"')
  // Another install copies the text of before: its line is one of install's own.
  fresh(cursor)
  await install('cursor')
  writeFileSync(cursor, `${withReadings(read(cursor))}// Mine.\n`)
  await install('cursor', 'bob')
  const gone = await uninstall('cursor')
  expect([gone.stderr, read(cursor)]).toEqual([expect.stringContaining('Removed: '), expect.not.stringContaining('"varve"')])
})

test('uninstall says whether an entry is gone, is the earlier one, or stays', async () => {
  const text = '{"mcpServers":{"varve":{"command":"npx","args":["-y","varve","mcp"]}}}'
  fresh(cursor, text)
  expect((await uninstall('cursor')).stderr).toMatch(/^Nothing to do: .* has an entry that install did not write\. It stays\./)
  await install('cursor')
  expect((await uninstall('cursor')).stderr).toContain('Your earlier entry is back: ')
  expect(read(cursor)).toBe(text)
  fresh(cursor, '{}')
  expect((await uninstall('cursor')).stderr).toContain('has nothing that install wrote.')
})

test('a link that leads nowhere, or to itself, is refused and stays', async () => {
  const nowhere = join(home, 'gone', 'mcp.json')
  for (const goal of [nowhere, cursor]) {
    fresh(cursor)
    symlinkSync(goal, cursor)
    for (const run of [await install('cursor'), await uninstall('cursor')])
      expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/mcp\.json: it is a link to a file that is not there/) })
    expect([lstatSync(cursor).isSymbolicLink(), existsSync(nowhere)]).toEqual([true, false])
  }
  rmSync(cursor)
})

test('a folder in the way, or a file in the place of a folder, is told in words', async () => {
  fresh(cursor)
  mkdirSync(cursor)
  expect(await install('cursor')).toMatchObject({ code: 1, stderr: expect.stringContaining('it is no file') })
  rmSync(dirname(cursor), { recursive: true })
  writeFileSync(dirname(cursor), 'mine')
  for (const run of [await install('cursor'), await uninstall('cursor')])
    expect(run.stderr).toMatch(/^varve: .*mcp\.json: it cannot be .*ENOTDIR|Nothing to do/)
  expect(read(dirname(cursor))).toBe('mine')
  rmSync(dirname(cursor))
})

test('a store in memory is refused: it would end with each process', async () => {
  fresh(cursor)
  for (const line of [
    ['mcp', 'install', 'cursor'],
    ['hooks', 'install', 'claude-code'],
  ]) {
    const env = { PATH: '', HOME: home }
    const said = await typedHere([...line, '--yes', '--store', 'memory:'], { env })
    const { code, stderr } = await typedHere([...line, '--yes'], { env: { ...env, VARVE_STORE: 'memory:' } })
    expect(said).toMatchObject({ code: 2, stderr })
    expect([code, stderr]).toEqual([2, expect.stringContaining('memory:')])
  }
  expect(existsSync(cursor)).toBe(false)
})

test.each([
  ['{"mcpServers": []}', /mcpServers is no object/],
  ['{"mcpServers": null}', /mcpServers is no object/],
  ['{"mcpServers": "varve"}', /mcpServers is no object/],
  ['{"mcpServers": 7}', /mcpServers is no object/],
  ['{"mcpServers": {"varve": []}}', /mcpServers\.varve/],
  ['{"mcpServers": {"varve": null}}', /mcpServers\.varve/],
  ['{"mcpServers": {"varve": {"type": "http", "url": "https://example.com/mcp"}}}', /mcpServers\.varve/],
  ['[]', /no JSON object/],
  ['null', /no JSON object/],
  ['"varve"', /no JSON object/],
  ['{} {}', /cannot be edited/],
  ['['.repeat(200_000), /cannot be edited/],
  [`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, /cannot be edited|Installed/],
])('an odd file is refused in words, and nothing is lost: %#', async (text, told) => {
  fresh(cursor, text)
  const run = await install('cursor')
  expect(run.stderr).toMatch(told)
  expect(run.stderr).not.toMatch(/defect|UNEXPECTED|Maximum call stack/)
  await uninstall('cursor')
  expect(read(cursor)).toBe(text)
})

const word = fc.stringMatching(/^[a-z]{1,5}$/).filter((name) => !['command', 'args', 'type'].includes(name))
const more = fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })

test('any entry: what a person added stays through two installs, and all of it comes back', async () => {
  await fc.assert(
    fc.asyncProperty(more, more, fc.constantFrom(undefined, '  ', '\t'), fc.array(fc.string()), async (before, after, indent, args) => {
      const text = JSON.stringify({ mcpServers: { varve: { ...before, command: 'mine', args, ...after } } }, undefined, indent)
      fresh(cursor, text)
      for (const user of ['ada', 'bob']) {
        expect((await install('cursor', user)).code).toBe(0)
        const { command, args: now, ...kept } = JSON.parse(read(cursor)).mcpServers.varve
        expect([command, now.at(-1)]).toEqual([process.execPath, user])
        expect(kept).toEqual(JSON.parse(JSON.stringify({ ...before, ...after })))
      }
      await uninstall('cursor')
      expect(read(cursor)).toBe(text)
    }),
    { numRuns: 40 },
  )
})
