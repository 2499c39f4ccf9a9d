import fc from 'fast-check'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import type { ClientMachine } from '../../packages/varve/src/cli/clients/client-places.ts'
import { claudeSettings, hasHooks, hookEntry, withHooks, withoutHooks } from '../../packages/varve/src/cli/clients/claude-hooks.ts'
import { mcpClientNamed, mcpClientNames, withoutServer, withServer } from '../../packages/varve/src/cli/clients/mcp-clients.ts'
import { folderProject } from '../../packages/varve/src/integrations/claude-code/folder-project.ts'
import { SettingsFile } from '../../packages/varve/src/cli/clients/json-file.ts'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, home, store } = typedIn('mcp-install')
const entry = { command: '/opt/node', args: ['/opt/varve/main.js', 'mcp', '--store', '/srv/ada.db', '--user', 'ada "o\' \\neil'] }

const clientOf = (name: string) => {
  const client = mcpClientNamed(name)
  if (client === undefined) throw new RangeError(`there is no client ${name}`)
  return client
}

test.each([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.config/Claude/claude_desktop_config.json', '/home/ada/.config/Code/User/mcp.json'],
  [
    'darwin',
    { HOME: '/Users/ada' },
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
  ],
  [
    'win32',
    { USERPROFILE: '/u/ada', APPDATA: '/u/ada/roam' },
    '/u/ada/roam/Claude/claude_desktop_config.json',
    '/u/ada/roam/Code/User/mcp.json',
  ],
] as const)('each client’s file is where it looks for it: %s', (platform, env, desktop, code) => {
  const machine: ClientMachine = { platform, env, cwd: '/srv/kiosk' }
  const own = platform === 'win32' ? '/u/ada' : env.HOME
  const file = (name: string, scope: 'user' | 'project') => clientOf(name).file(machine, scope)
  expect(mcpClientNames.map((name) => file(name, 'user'))).toEqual([
    `${own}/.claude.json`,
    desktop,
    `${own}/.codex/config.toml`,
    `${own}/.cursor/mcp.json`,
    `${own}/.gemini/settings.json`,
    code,
  ])
  expect(mcpClientNames.map((name) => file(name, 'project'))).toEqual([
    '/srv/kiosk/.mcp.json',
    undefined,
    '/srv/kiosk/.codex/config.toml',
    '/srv/kiosk/.cursor/mcp.json',
    '/srv/kiosk/.gemini/settings.json',
    '/srv/kiosk/.vscode/mcp.json',
  ])
  expect(claudeSettings(machine, 'user')).toBe(`${own}/.claude/settings.json`)
})

test('variables move the folders of Claude Code, Codex and the desktop', () => {
  const env = { HOME: '/home/ada', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/g' }
  const file = (name: string) => clientOf(name).file({ platform: 'linux', env, cwd: '/' }, 'user')
  expect(['claude-code', 'codex', 'vscode'].map(file)).toEqual(['/c/.claude.json', '/x/config.toml', '/g/Code/User/mcp.json'])
})

test.each(mcpClientNames)('%s: install writes an entry that it can start, and uninstall takes it out', async (name) => {
  const file = clientOf(name).file({ platform: process.platform, env: { HOME: home }, cwd: home }, 'user') ?? ''
  const { code, stdout } = await varve(['mcp', 'install', name, '--user', 'ada', '--project', 'kiosk', '--yes'])
  expect(code).toBe(0)
  expect(stdout).toContain('varve')
  const text = readFileSync(file, 'utf8')
  const data = name === 'codex' ? parse(text) : JSON.parse(text)
  const key = name === 'codex' ? 'mcp_servers' : name === 'vscode' ? 'servers' : 'mcpServers'
  const args = [expect.stringMatching(/main\.[jt]s$/), 'mcp', '--store', store, '--project', 'kiosk', '--user', 'ada']
  const typed = name === 'vscode' || name === 'claude-code' ? { type: 'stdio' } : {}
  expect(data).toEqual({ [key]: { varve: { ...typed, command: process.execPath, args } } })
  expect((await varve(['mcp', 'install', name, '--user', 'ada', '--project', 'kiosk', '--yes'])).stderr).toContain('Nothing to do')
  await varve(['mcp', 'uninstall', name, '--yes'])
  expect(existsSync(file)).toBe(false)
})

test('of a client that starts servers anywhere, --project . is written as the name of this folder’s project', async () => {
  expect(JSON.parse((await varve(['mcp', 'install', 'cursor', '--project', '.', '--dry-run', '--json'])).stdout).diff).toContain(
    `"${folderProject(home)}"`,
  )
  expect(JSON.parse((await varve(['mcp', 'install', 'claude-code', '--dry-run', '--json'])).stdout).diff).toMatch(
    /"--project",\s*\+\s*"\."/,
  )
})

test('no key and no other variable is written', async () => {
  const secret = ['sk', 'made-up-of-two-halves'].join('-')
  const env = { PATH: '', HOME: home, VARVE_MODEL_KEY: secret, VARVE_KEY: secret, VARVE_USER: 'ada', VARVE_STORE: store }
  const { stdout } = await typedHere(['mcp', 'install', 'cursor', '--yes', '--npx'], { env, cwd: home })
  const text = readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')
  expect(text + stdout).not.toContain(secret)
  expect(JSON.parse(text)).toEqual({
    mcpServers: { varve: { command: 'npx', args: ['-y', expect.stringMatching(/^varve@/), 'mcp', '--store', store, '--user', 'ada'] } },
  })
  await varve(['mcp', 'uninstall', 'cursor', '--yes'])
})

test('what a person added to the entry stays, and the other servers', () => {
  const client = clientOf('gemini-cli')
  const before = '{ "mcpServers": { "git": { "command": "uvx" }, "varve": { "command": "old", "args": [], "timeout": 9 } } }'
  const after = withServer(client, before, entry)
  expect(JSON.parse(after)).toEqual({ mcpServers: { git: { command: 'uvx' }, varve: { ...entry, timeout: 9 } } })
  // An entry that install did not write stays.
  expect(withoutServer(client, before)).toBe(before)
})

test('Codex: tables, comments and long strings around the entry stay byte for byte', () => {
  const codex = clientOf('codex')
  const git = ['[mcp_servers.git]', 'command = "uvx" # git', 'note = """', '[mcp_servers.varve]', '"""', 'big = 9007199254740993']
  const before = ['# mine', 'model = "o"', '', ...git, ''].join('\r\n')
  const after = withServer(codex, before, entry)
  expect(after.startsWith(before)).toBe(true)
  expect(withoutServer(codex, after)).toBe(before)
  const ours = withServer(codex, '', { command: 'old', args: ['/opt/main.js', 'mcp', '--store', '/s.db'] })
  expect(withoutServer(codex, `${ours}[mcp_servers.varve.env]\nA = "1"\n\n[tui]\nx = 1\n`)).toBe('[tui]\nx = 1\n')
})

test('Codex: comments behind the entry belong to what follows, and stay when it is taken out', () => {
  const codex = clientOf('codex')
  const ours = withServer(codex, '', { command: 'node', args: ['/opt/main.js', 'mcp', '--store', '/s.db'] })
  const others = ['# The next server.\n\n# Ask Ada.\n[mcp_servers.git]\ncommand = "uvx"\n', '# The end.\n']
  for (const behind of others) for (const gap of ['', '\n', '\n\n']) expect(withoutServer(codex, `${ours}${gap}${behind}`)).toBe(behind)
})

test('Codex: an entry is changed below a comment that looks like it', () => {
  const text = '# [mcp_servers.varve]\n[mcp_servers.varve]\ncommand = "old"\nargs = []\n'
  expect(withServer(clientOf('codex'), text, { command: 'node', args: ['mcp'] })).toBe(
    '# [mcp_servers.varve]\n[mcp_servers.varve]\ncommand = "node"\nargs = ["mcp"]\n',
  )
})

test.each([
  ['an inline table', 'mcp_servers = { git = { command = "uvx" } }\n'],
  ['dotted names', 'mcp_servers.varve.command = "x"\n'],
  ['a list', 'mcp_servers = []\n'],
  ['an entry that is a list', '[[mcp_servers.varve]]\ncommand = "x"\n'],
  ['an entry of a server elsewhere', '[mcp_servers.varve]\nurl = "https://example.com/mcp"\n'],
  ['no TOML', '[mcp_servers\n'],
])('Codex: %s is refused and left alone', async (_name, text) => {
  const file = join(home, '.codex', 'config.toml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const { code, stderr } = await varve(['mcp', 'install', 'codex', '--yes'])
  expect([code, readFileSync(file, 'utf8')]).toEqual([1, text])
  expect(stderr).toMatch(/cannot be edited/)
})

test('a link in the place of the copy is not followed: what it leads to stays as it was', async () => {
  const file = join(home, '.cursor', 'mcp.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{ "mcpServers": {} }')
  const goal = join(home, 'profile-of-a-shell')
  writeFileSync(goal, 'mine')
  symlinkSync(goal, `${file}.before-varve`)
  expect((await varve(['mcp', 'install', 'cursor', '--yes'])).code).toBe(0)
  expect(readFileSync(goal, 'utf8')).toBe('mine')
  expect([lstatSync(`${file}.before-varve`).isSymbolicLink(), readFileSync(`${file}.before-varve`, 'utf8')]).toEqual([
    false,
    '{ "mcpServers": {} }',
  ])
})

test('a client without settings of a project is told, and an unknown one too', async () => {
  expect((await varve(['mcp', 'install', 'claude-desktop', '--scope', 'project', '--yes'])).stderr).toContain('no settings of a project')
  expect((await varve(['mcp', 'install', 'emacs', '--yes'])).code).toBe(2)
})

const name = fc.oneof(fc.constantFrom('a', 'b', 'hooks', 'Stop', 'mcpServers', 'servers', 'git', '__proto__'), fc.string({ maxLength: 6 }))
const fields = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
const server = fc.dictionary(
  name.filter((one) => one !== 'varve'),
  fields,
  { maxKeys: 3 },
)
const group = fc.record({
  hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { minLength: 1, maxLength: 2 }),
})
const settings = fc
  .tuple(
    fields,
    server,
    fc.dictionary(fc.constantFrom('Stop', 'SessionStart', 'PreToolUse'), fc.array(group, { maxLength: 2 }), { maxKeys: 3 }),
  )
  .chain(([all, servers, hooks]) =>
    fc.subarray(Object.entries({ ...all, mcpServers: servers, servers, hooks }).filter(([key]) => key !== '__proto__')).map((kept) => {
      const { hooks: _h, mcpServers: _m, servers: _s, ...plain } = all
      return { ...plain, ...Object.fromEntries(kept.filter(([key]) => !Object.hasOwn(plain, key))) }
    }),
  )
/** A text with indentation of some kind, comments, CRLF, a mark at its start. */
const written = fc
  .tuple(settings, fc.constantFrom('', '  ', '    ', '\t'), fc.boolean(), fc.boolean(), fc.boolean(), fc.constantFrom('', '\n', '\n\n'))
  .map(([data, indent, comments, windows, mark, end]) => {
    const json = `${JSON.stringify(data, undefined, indent)}${end}`
    const text = comments ? `// One.\n${json.replace('{', '{ /* two */ ')}// three\n` : json
    return `${mark ? '\uFEFF' : ''}${windows ? text.replaceAll('\n', '\r\n') : text}`
  })

/** Runs a command's install and uninstall over a file of this text, and returns the text between and after. */
async function there(file: string, text: string, install: readonly string[], uninstall: readonly string[]) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const { code, stderr } = await varve([...install, '--yes'])
  if (code !== 0) throw new RangeError(stderr)
  const between = readFileSync(file, 'utf8')
  await varve([...uninstall, '--yes'])
  return { between, after: readFileSync(file, 'utf8') }
}

test('any JSON settings: install then uninstall gives the file back byte for byte', async () => {
  const file = join(home, '.claude', 'settings.json')
  await fc.assert(
    fc.asyncProperty(written, async (text) => {
      const { between, after } = await there(file, text, ['hooks', 'install', 'claude-code'], ['hooks', 'uninstall', 'claude-code'])
      expect(hasHooks(between)).toBe(true)
      expect(after).toBe(text)
      const mcp = await there(
        join(home, '.gemini', 'settings.json'),
        text,
        ['mcp', 'install', 'gemini-cli'],
        ['mcp', 'uninstall', 'gemini-cli'],
      )
      expect(mcp.after).toBe(text)
    }),
    { numRuns: 60 },
  )
})

test('any JSON settings: without a copy, what is left says the same, but for what was empty', () => {
  const hook = hookEntry({ command: '/opt/node', args: ['/opt/varve/main.js', 'hook', 'claude-code'] }, 'linux')
  const full = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(full)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, full(inner)]))
  }
  const withoutEmpty = (text: string, key: string): unknown => {
    const { [key]: own, ...rest } = objectIn(text)
    const kept =
      typeof own === 'object' && own !== null ? Object.entries(own).filter(([, one]) => !Array.isArray(one) || one.length > 0) : []
    return full({ ...rest, [key]: Object.fromEntries(kept) })
  }
  fc.assert(
    fc.property(written, (text) => {
      expect(withoutEmpty(withoutHooks(withHooks(text, hook)), 'hooks')).toEqual(withoutEmpty(text, 'hooks'))
      const vscode = clientOf('vscode')
      expect(withoutEmpty(withoutServer(vscode, withServer(vscode, text, entry)), 'servers')).toEqual(withoutEmpty(text, 'servers'))
    }),
    { numRuns: 200 },
  )
})

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value = new SettingsFile(text).at([])
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

const tomlValue = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.integer().map(String),
  fc.boolean().map(String),
  fc.constantFrom(
    '[1, 2]',
    '{ a = 1 }',
    '1979-05-27T07:32:00Z',
    "'''\n[mcp_servers.varve]\n'''",
    '"""\n# no\n[x]\n"""',
    '9007199254740993',
  ),
)
const tomlKey = fc.stringMatching(/^[a-z]{1,6}$/)
const tomlTable = (header: string) =>
  fc.uniqueArray(fc.tuple(tomlKey, tomlValue), { maxLength: 3, selector: ([key]) => key }).map((pairs) => {
    const lines = pairs.map(([key, value]) => `${key} = ${value}`)
    return [...(header === '' ? [] : [`[${header}] # a comment`]), ...lines, ''].join('\n')
  })
const toml = fc
  .tuple(
    tomlTable(''),
    tomlTable('tui'),
    tomlTable('mcp_servers.git'),
    tomlTable('mcp_servers.varvenot'),
    fc.boolean(),
    fc.constantFrom('', '\n', '# end'),
  )
  .map(([top, tui, git, other, windows, end]) => {
    const text = `${[top, tui, git, other].join('\n')}${end}`
    return windows ? text.replaceAll('\n', '\r\n') : text
  })

test('any TOML settings: install then uninstall gives the file back byte for byte', async () => {
  const file = join(home, '.codex', 'config.toml')
  await fc.assert(
    fc.asyncProperty(toml, async (text) => {
      const { between, after } = await there(file, text, ['mcp', 'install', 'codex'], ['mcp', 'uninstall', 'codex'])
      expect(parse(between, { integersAsBigInt: true })['mcp_servers']).toHaveProperty('varve')
      expect(after).toBe(text)
      // Without the copy too, but for the break that a last line lacked.
      const codex = clientOf('codex')
      expect(withoutServer(codex, withServer(codex, text, entry)).trimEnd()).toBe(text.trimEnd())
    }),
    { numRuns: 60 },
  )
})
