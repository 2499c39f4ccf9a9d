import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { eventJson, stop } from '../fixtures/hooks/claude-code.ts'

const theirs = `{
    // Mine.
    "model": "opus",
    "permissions": { "allow": ["Bash(npm test)"] },
    "hooks": {
        "Stop": [
            { "hooks": [{ "type": "command", "command": "say done" }] },
        ],
        "PreToolUse": []
    }
}
`

function setUp(name: string, settings?: string) {
  const typed = typedIn(name)
  const file = join(typed.home, '.claude', 'settings.json')
  mkdirSync(dirname(file), { recursive: true })
  if (settings !== undefined) writeFileSync(file, settings)
  const hooks = (...args: readonly string[]) => typed.varve(['hooks', ...args])
  return { ...typed, file, hooks, read: () => readFileSync(file, 'utf8') }
}

interface Settings {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string; readonly timeout?: number }[] }[]>
  >
}
const settingsIn = (text: string): Settings => JSON.parse(text)

test('install writes a hook an event, with the memory plainly in its line, and the lines work', async () => {
  const { hooks, read, store, home } = setUp('installs')
  const { code, stdout, stderr } = await hooks('install', 'claude-code', '--user', "ada o'neil", '--project', 'kiosk', '--yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining('Installed: ')])
  expect(stdout).toContain('+    "UserPromptSubmit": [')
  const { hooks: written } = settingsIn(read())
  expect(Object.keys(written)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact', 'SessionEnd'])
  const { command = '', timeout } = written['Stop']?.[0]?.hooks[0] ?? {}
  expect(command).toContain(`hook claude-code --store ${store} --project kiosk --user 'ada o'\\''neil'`)
  expect(command.startsWith(process.execPath)).toBe(true)
  expect(timeout).toBeGreaterThan(0)
  writeFileSync(join(home, 'session.jsonl'), '')
  // From the sources and from what is built, the path ends with main.ts or main.js.
  const main = /\S+main\.[jt]s/.exec(command)?.[0] ?? ''
  if (existsSync(main)) execFileSync('bash', ['-c', command], { input: eventJson(stop('Closed.'), home), cwd: home, env: { HOME: home } })
})

test('install --url writes the server in place of a store, and never a key or a password', async () => {
  const { read, home, file } = setUp('url')
  const key = ['vk', 'made-up-of-two-halves'].join('-')
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'dumb', VARVE_KEY: key }
  const hooks = (...args: readonly string[]) => typedHere(['hooks', ...args, '--yes'], { input: '', env })
  const refused = async (reason: string, ...args: readonly string[]) => {
    const { code, stderr } = await hooks('install', 'claude-code', ...args)
    expect([code, stderr, existsSync(file)]).toEqual([2, expect.stringContaining(reason), false])
    expect(stderr).not.toContain(key)
  }
  for (const url of [`http://:${key}@127.0.0.1:8737`, `http://ada:${key}@127.0.0.1`, `https://host/?key=${key}`, 'file:///varve', 'host'])
    await refused('must be an address', '--url', url)
  await refused('exclude each other', '--url', 'http://127.0.0.1:8737', '--store', './other.db')
  expect((await hooks('install', 'claude-code', '--url', 'http://127.0.0.1:8737', '--user', 'ada')).code).toBe(0)
  expect(settingsIn(read()).hooks['Stop']?.[0]?.hooks[0]?.command).toMatch(
    / hook claude-code --url http:\/\/127\.0\.0\.1:8737 --project \. --user ada$/,
  )
  expect(read()).not.toContain(key)
  await hooks('uninstall', 'claude-code')
  expect(existsSync(file)).toBe(false)
})

test('install keeps the comments, the indentation and the hooks that are there, and a second one changes nothing', async () => {
  const { hooks, read, file } = setUp('keeps', theirs)
  await hooks('install', 'claude-code', '--user', 'ada', '--yes')
  const written = read()
  for (const kept of [
    '    // Mine.',
    '"permissions": { "allow": ["Bash(npm test)"] }',
    '"say done"',
    '"PreToolUse": []',
    '\n        "SessionStart": [',
  ])
    expect(written).toContain(kept)
  expect(readFileSync(`${file}.before-varve`, 'utf8')).toBe(theirs)
  expect((await hooks('install', 'claude-code', '--user', 'ada', '--yes')).stderr).toContain('Nothing to do')
  expect(read()).toBe(written)
  await hooks('install', 'claude-code', '--user', 'bob', '--yes')
  expect(read()).toBe(written.replaceAll('--user ada', '--user bob'))
  expect(readFileSync(`${file}.before-varve`, 'utf8')).toBe(theirs)
  await hooks('uninstall', 'claude-code', '--yes')
  expect(read()).toBe(theirs)
  expect(existsSync(`${file}.before-varve`)).toBe(false)
})

test('uninstall takes out Varve’s hooks alone, from a file that was edited since', async () => {
  const { hooks, read, file } = setUp('edited', theirs)
  await hooks('install', 'claude-code', '--user', 'ada', '--yes')
  writeFileSync(file, read().replace('"opus"', '"sonnet"').replace('"say done"', '"say it"'))
  expect((await hooks('uninstall', 'claude-code', '--yes')).code).toBe(0)
  expect(read()).toBe(theirs.replace('"opus"', '"sonnet"').replace('"say done"', '"say it"'))
  expect((await hooks('uninstall', 'claude-code', '--yes')).stderr).toContain('Nothing to do')
  // A hook that a person put into a group with their own goes alone.
  const own = '{"type":"command","command":"/usr/bin/varve hook claude-code --user ada"}'
  writeFileSync(file, `{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"a"},${own}]}]}}`)
  await hooks('uninstall', 'claude-code', '--yes')
  expect(JSON.parse(read())).toEqual({ hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: 'a' }] }] } })
})

test('a file that Varve made goes with its hooks; one of another’s hook about varve stays', async () => {
  const { hooks, file, read } = setUp('made')
  await hooks('install', 'claude-code', '--yes')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await hooks('uninstall', 'claude-code', '--yes')
  expect(existsSync(file)).toBe(false)
  const other = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo varve hook claude-codex"}]}]}}'
  writeFileSync(file, other)
  await hooks('uninstall', 'claude-code', '--yes')
  expect(read()).toBe(other)
})

test('a dry run and a line without --yes write nothing, and show the lines that would change', async () => {
  const { hooks, read, file } = setUp('dry', theirs)
  const dry = await hooks('install', 'claude-code', '--dry-run')
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('+    "SessionStart": [') })
  const asked = await hooks('install', 'claude-code')
  expect(asked.stderr).toMatch(/Nothing was written yet\.\nNext: .*--yes/)
  const json = JSON.parse((await hooks('install', 'claude-code', '--json')).stdout)
  expect(json).toMatchObject({ file, changed: false, next: expect.stringContaining('--yes') })
  expect([read(), existsSync(`${file}.before-varve`)]).toEqual([theirs, false])
})

test('the shown lines do not have another setting’s secrets', async () => {
  const secret = ['sk', 'made-up-of-two-halves'].join('-')
  const { hooks } = setUp('secrets', `{\n  "env": {\n    "TOKEN": "${secret}"\n  },\n  "key": "${secret}"\n}\n`)
  const { stdout, stderr } = await hooks('install', 'claude-code', '--yes')
  expect(stdout).toContain('UserPromptSubmit')
  expect(stdout + stderr).not.toContain(secret)
})

test.each([
  ['broken JSON', '{"a": 1', /CloseBraceExpected at line 1/],
  ['a list', '[1]', /no JSON object/],
  ['hooks that are a text', '{"hooks": "no"}', /hooks is no object/],
  ['an event that is a text', '{"hooks": {"Stop": "no"}}', /hooks\.Stop is no list/],
  ['hooks twice', '{"hooks": {}, "hooks": {}}', /hooks stands there twice/],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /not UTF-8/],
])('a settings file with %s is refused and left alone', async (name, content, told) => {
  const { hooks, file } = setUp(`refused-${name.slice(-4).trim()}`)
  writeFileSync(file, content)
  const before = readFileSync(file)
  const { code, stderr } = await hooks('install', 'claude-code', '--yes')
  expect(code).toBe(1)
  expect(stderr).toMatch(told)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('a link stays a link, and a file keeps its mode', async () => {
  const { hooks, file, home, read } = setUp('links')
  const target = join(home, 'dotfiles.json')
  writeFileSync(target, theirs)
  chmodSync(target, 0o640)
  symlinkSync(target, file)
  await hooks('install', 'claude-code', '--yes')
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(statSync(target).mode & 0o777).toBe(0o640)
  expect(read()).toContain('hook claude-code')
  await hooks('uninstall', 'claude-code', '--yes')
  expect([lstatSync(file).isSymbolicLink(), readFileSync(target, 'utf8')]).toEqual([true, theirs])
})

test('scopes have files of their own, CLAUDE_CONFIG_DIR moves the user’s, and npx is written when asked for', async () => {
  const { home, store } = setUp('scopes')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'elsewhere'),
    VARVE_USER: 'ada',
    VARVE_STORE: store,
  }
  const typed = (...args: readonly string[]) => typedHere(['hooks', 'install', 'claude-code', '--yes', ...args], { env, cwd: home })
  expect((await typed()).code).toBe(0)
  expect((await typed('--scope', 'project', '--npx')).code).toBe(0)
  expect((await typed('--scope', 'local', '--deadline-ms', '500', '--no-upkeep')).code).toBe(0)
  const text = (...path: string[]) => readFileSync(join(home, ...path), 'utf8')
  expect(text('elsewhere', 'settings.json')).toContain(`--store ${store} --project . --user ada`)
  expect(text('.claude', 'settings.json')).toMatch(/"command": "npx -y varve@[\d.]+ hook claude-code/)
  expect(text('.claude', 'settings.local.json')).toContain('hook claude-code --deadline-ms 500 --no-upkeep')
})

test('Claude Code waits longer for a hook than its deadline, and a longer wait of the user stays', async () => {
  const { hooks, read, file } = setUp('waits')
  const install = (...args: readonly string[]) => hooks('install', 'claude-code', '--user', 'ada', '--yes', ...args)
  const timeoutOf = (event: string) => settingsIn(read()).hooks[event]?.[0]?.hooks[0]?.timeout
  for (const ms of [1, 300, 4_000, 4_999, 5_000, 20_000, 99_999]) {
    await install('--deadline-ms', String(ms))
    for (const event of ['SessionStart', 'UserPromptSubmit']) expect(timeoutOf(event)).toBeGreaterThan(ms / 1_000 + 1)
    // What install wrote for the deadline is its own: the file goes with it.
    await hooks('uninstall', 'claude-code', '--yes')
    expect(existsSync(file)).toBe(false)
  }
  await install()
  expect([timeoutOf('UserPromptSubmit'), timeoutOf('Stop')]).toEqual([5, 60])
  writeFileSync(
    file,
    read()
      .replace(/"timeout": ?60/, '"timeout": 300')
      .replace(/"timeout": ?30\b/, '"timeout": 3'),
  )
  await install('--deadline-ms', '400')
  expect([timeoutOf('Stop'), timeoutOf('PreCompact'), timeoutOf('UserPromptSubmit')]).toEqual([300, 30, 5])
})

test('wrong usage is told, and nothing is written', async () => {
  const { hooks, file } = setUp('usage')
  for (const [args, told] of [
    [['install', 'cursor'], 'no hooks are known for cursor'],
    [['install', 'claude-code', '--scope', 'all'], 'scope'],
    [['install', 'claude-code', '--deadline-ms', 'soon'], '--deadline-ms'],
    [['install', 'claude-code', '--user', '..'], 'user'],
    [['install', 'claude-code', '--notes-directory', '/tmp'], '--notes-directory'],
    [['install'], 'client'],
  ] as const) {
    const { code, stderr } = await hooks(...args, '--yes')
    expect(code, args.join(' ')).toBe(2)
    expect(stderr).toContain(told)
  }
  expect(existsSync(file)).toBe(false)
})
