// Runs the built client of `varve/client` against a real `varve serve`, in each runtime that it is for: `npm run check:runtimes`.
// It installs the runtimes of test/fixtures/runtimes into a folder of its own. Chromium is taken from the PATH.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { bundleClient } from './bundle.ts'

const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'varve-runtimes-'))
const timeoutMs = 60_000

/** The answers of `exercise.js`. */
const expected = {
  found: 'The robin ferry’s pier is on Hven 海.',
  context: true,
  pages: ['otter', 'robin', 'tulip'],
  missing: 'NOT_FOUND',
  path: 'OPTION_INVALID',
  retried: { ok: true },
  aborted: 'CANCELLED',
  late: 'DEADLINE_EXCEEDED',
  exported: 3,
  imported: 3,
  event: 'appended',
  closed: 'MEMORY_CLOSED',
}

/** A runtime: its command, whose last argument will be the options of the exercise. */
interface Runtime {
  readonly name: string
  readonly command: readonly string[]
  readonly version: readonly string[]
}

/** Finds a program on the PATH, but for those of this repository. */
function programOf(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

function runtimes(port: number): readonly Runtime[] {
  const bin = (name: string): string => join(home, 'node_modules', '.bin', name)
  const versionOf = (name: string): readonly string[] => [
    process.execPath,
    '-p',
    `JSON.parse(fs.readFileSync('node_modules/${name}/package.json')).version`,
  ]
  // The package's own command is made by its install script, which .npmrc switches off.
  const [bun = 'bun'] = globSync('node_modules/@oven/*/bin/bun', { cwd: home }).map((path) => join(home, path))
  const [own, other, browser] = [process.execPath, programOf('node'), programOf('chromium', 'chromium-browser', 'google-chrome')]
  return [
    { name: 'Node', command: [own, 'main.js'], version: [own, '--version'] },
    ...(other === undefined ? [] : [{ name: 'Node of this machine', command: [other, 'main.js'], version: [other, '--version'] }]),
    { name: 'Deno', command: [bin('deno'), 'run', '--allow-net', 'main.js'], version: [bin('deno'), '--version'] },
    { name: 'Bun', command: [bun, 'main.js'], version: [bun, '--version'] },
    { name: 'workerd', command: [own, 'workerd.js'], version: versionOf('workerd') },
    { name: 'Edge Runtime', command: [own, 'edge-vm.js'], version: versionOf('@edge-runtime/vm') },
    ...(browser === undefined
      ? []
      : [{ name: 'Chromium', command: [own, 'page.js', browser, String(port)], version: [browser, '--version'] }]),
  ]
}

/** Serves a busy server and a silent one, to every origin. */
async function frontServer(): Promise<{ readonly server: Server; readonly port: number }> {
  const met = new Set<string>()
  const server = createServer((request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'content-type': 'application/json' }
    const { url = '', method } = request
    const who = request.headers['user-agent'] ?? ''
    if (method === 'OPTIONS') response.writeHead(204, headers).end()
    else if (url.startsWith('/silent')) request.resume()
    else if (met.delete(who)) response.writeHead(200, headers).end('{"ok":true}')
    else {
      met.add(who)
      response.writeHead(503, headers).end(JSON.stringify({ title: 'StoreBusy', code: 'STORE_BUSY', detail: 'busy.', isRetryable: true }))
    }
  })
  return { server, port: await portOf(server) }
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts `varve serve` on a new store, which pages at this port may call. */
async function serve(pagePort: number): Promise<{ readonly child: ChildProcess; readonly url: string; readonly key: string }> {
  const main = join(root, 'packages/varve/src/cli/main.ts')
  const args = ['serve', '--store', join(home, 'store.db'), '--port', '0', '--json', '--allow-origin', `http://127.0.0.1:${pagePort}`]
  const env = { ...process.env, VARVE_EMBEDDINGS: 'off', VARVE_ENGINE: 'inline' }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => ['{}'])])
  const { url, key }: { url?: string; key?: string } = JSON.parse(String(line))
  if (url === undefined || key === undefined) throw new TypeError(`varve serve did not start: ${String(line)}`)
  return { child, url, key }
}

function run([program = '', ...args]: readonly string[]): { readonly ok: boolean; readonly output: string } {
  const done = spawnSync(program, args, {
    cwd: home,
    encoding: 'utf8',
    timeout: timeoutMs,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
  })
  return { ok: done.status === 0, output: `${done.stdout}${done.stderr}${done.error?.message ?? ''}` }
}

/** Returns the reason why an answer is wrong. */
function wrongIn({ ok, output }: { readonly ok: boolean; readonly output: string }): string | undefined {
  const [answer = 'null'] = /^\{.*\}$/m.exec(output) ?? []
  return ok && isDeepStrictEqual(JSON.parse(answer), expected) ? undefined : output
}

async function checked(): Promise<readonly string[]> {
  cpSync(join(root, 'test/fixtures/runtimes'), home, { recursive: true })
  cpSync(join(root, '.npmrc'), join(home, '.npmrc'))
  const { code } = await bundleClient(join(root, 'packages/varve/src/client/index.ts'), { minify: true })
  writeFileSync(join(home, 'client.js'), code.replace(/\n\/\/# sourceMappingURL=.*/, ''))
  const installed = run(['npm', 'install', '--no-package-lock'])
  if (!installed.ok) throw new TypeError(installed.output)
  const pages = createServer()
  const pagePort = await portOf(pages)
  pages.close()
  const front = await frontServer()
  const { child, url, key } = await serve(pagePort)
  const failed: string[] = []
  try {
    for (const { name, command, version } of runtimes(pagePort)) {
      const given = { url, key, front: `http://127.0.0.1:${front.port}`, project: name }
      const wrong = wrongIn(await asynchronous([...command, JSON.stringify(given)]))
      const [told = ''] = run(version).output.split('\n')
      console.log(`${wrong === undefined ? 'ok  ' : 'FAIL'} ${name}: ${told}`)
      if (wrong === undefined) continue
      console.log(wrong.trim().slice(-3_000).replaceAll(/^/gm, '     '))
      failed.push(name)
    }
  } finally {
    front.server.closeAllConnections()
    front.server.close()
    if (child.exitCode === null) {
      child.kill()
      await once(child, 'exit')
    }
  }
  return failed
}

/** Runs a command while the front server of this process answers. */
async function asynchronous([program = '', ...args]: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }> {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1' }
  const child = spawn(program, args, { cwd: home, env, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const [status] = await once(child, 'close')
  return { ok: status === 0, output }
}

try {
  const failed = await checked()
  console.log(failed.length === 0 ? 'The client runs everywhere.' : `${failed.length} runtimes failed: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
