import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { folderProject } from '../../packages/varve/src/integrations/claude-code/folder-project.ts'
import { builtProgram } from '../built.ts'
import { newHome } from '../fixtures/cli/in-process.ts'
import { eventJson, type HookAnswer, prompt, sessionOfHooks, start, stop } from '../fixtures/hooks/claude-code.ts'
import { assistant, user } from '../fixtures/importers/transcript.ts'
import { clientFor, textOf } from '../fixtures/mcp/connected.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')

/** A home, a repository in it, and both doors of Claude Code as the commands install them. */
function installed(name: string, flags: readonly string[] = ['--user', 'ada']) {
  const home = newHome(name)
  const folder = join(home, 'work', 'kiosk')
  const deep = join(folder, 'src', 'till')
  mkdirSync(join(folder, '.git'), { recursive: true })
  mkdirSync(deep, { recursive: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  const varve = (args: readonly string[], cwd = home): string =>
    execFileSync(process.execPath, [main, ...args], { cwd, env, encoding: 'utf8' })
  varve(['hooks', 'install', 'claude-code', '--yes', '--no-upkeep', '--deadline-ms', '60000', ...flags])
  varve(['mcp', 'install', 'claude-code', '--yes', ...flags])
  const settings = JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8'))
  const entry = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers.varve
  return {
    ...{ home, folder, deep, env, varve, entry },
    /** Starts a hook by its line, as Claude Code does. */
    hook(event: Parameters<typeof eventJson>[0], cwd = deep): HookAnswer | undefined {
      const [{ hooks = [{ command: '' }] } = {}] = settings.hooks[event.hook_event_name]
      const input = eventJson({ cwd, ...event }, home)
      const said = execFileSync('bash', ['-c', hooks[0].command], {
        cwd,
        input,
        encoding: 'utf8',
        env: { ...env, CLAUDE_PROJECT_DIR: cwd },
      })
      return said === '' ? undefined : JSON.parse(said)
    },
    /** Starts the server by its entry, as Claude Code does. */
    async client(cwd = deep, more: Readonly<Record<string, string>> = { CLAUDE_PROJECT_DIR: cwd }) {
      const client = clientFor({})
      await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args, cwd, env: { ...env, ...more } }))
      return client
    },
  }
}

function saidIn(home: string, place: number, question: string, answer: string): void {
  const lines = [user(place, question), assistant(place + 1, [{ type: 'text', text: answer }])]
  const text = lines.map((line) => `${JSON.stringify({ ...line, sessionId: sessionOfHooks })}\n`).join('')
  writeFileSync(join(home, 'session.jsonl'), text)
}

test('what a hook stores, the installed server finds, and the other way round', async () => {
  const { home, folder, hook, client, varve, entry } = installed('folder-memory')
  expect(entry.args.slice(-4)).toEqual(['--project', '.', '--user', 'ada'])
  saidIn(home, 1, 'The ferry timetable is parsed by src/ferry.ts.', 'Noted.')
  hook(stop('Noted.'))
  const agent = await client()
  expect(textOf(await agent.callTool({ name: 'memory_recall', arguments: { query: 'ferry timetable' } }))).toContain('src/ferry.ts')
  await agent.callTool({ name: 'memory_remember', arguments: { predicate: 'lives in', object: 'Oslo' } })
  const other = { session_id: '11111111-0000-4000-8000-000000000000' }
  const told = hook(start('startup', other))?.hookSpecificOutput.additionalContext
  for (const words of ['src/ferry.ts', 'Oslo']) expect(told).toContain(words)
  // A folder of the repository, without a variable of Claude Code, and a command that a person types there.
  expect(textOf(await (await client(folder, {})).callTool({ name: 'memory_recall', arguments: { query: 'ferry' } }))).toContain('ferry.ts')
  const store = ['--store', join(home, '.varve', 'varve.db')]
  expect(varve(['recall', 'ferry timetable', ...store, '--project', '.', '--user', 'ada'], folder)).toContain('src/ferry.ts')
  expect(varve(['projects', ...store])).toContain(folderProject(folder))
})

test('another folder has another memory, by both doors', async () => {
  const { home, hook, client } = installed('folder-others')
  saidIn(home, 1, 'The ferry timetable is parsed by src/ferry.ts.', 'Noted.')
  hook(stop('Noted.'))
  const elsewhere = join(home, 'work', 'other')
  mkdirSync(join(elsewhere, '.git'), { recursive: true })
  const agent = await client(elsewhere)
  expect(textOf(await agent.callTool({ name: 'memory_recall', arguments: { query: 'ferry timetable' } }))).not.toContain('src/ferry.ts')
  expect(hook(prompt('Which file parses the ferry timetable?', { session_id: 'other' }), elsewhere)).toBeUndefined()
})

test('a project that is named at the install holds for both doors, in any folder', async () => {
  const { home, hook, client, entry } = installed('folder-named', ['--project', 'kiosk', '--user', 'ada'])
  expect(entry.args.slice(-4)).toEqual(['--project', 'kiosk', '--user', 'ada'])
  saidIn(home, 1, 'The ferry timetable is parsed by src/ferry.ts.', 'Noted.')
  hook(stop('Noted.'))
  const agent = await client(home)
  expect(textOf(await agent.callTool({ name: 'memory_recall', arguments: { query: 'ferry timetable' } }))).toContain('src/ferry.ts')
})
