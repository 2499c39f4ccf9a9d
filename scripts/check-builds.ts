// Builds and runs the fixtures of `test/fixtures/builds` with the packed package, each with its real tool, and reports
// what each costs. `npm run package` makes the package. VARVE_BUILDS=full adds the one that costs most.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Build, inlinedBuilds, shownBuilds } from './builds.ts'

interface Done {
  readonly ok: boolean
  readonly output: string
}

const root = dirname(import.meta.dirname)
const home = mkdtempSync(join(tmpdir(), 'varve-builds-'))
const failures: string[] = []
let stores = 0

const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$|NODE_(?:ENV|OPTIONS|PATH)$|VARVE_)/.test(name)),
  ),
  PATH: [join(home, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  NEXT_TELEMETRY_DISABLED: '1',
  DENO_NO_UPDATE_CHECK: '1',
}

/** CPU seconds of all children that have ended. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  // cutime and cstime, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function newStore(): string {
  stores += 1
  return join(home, `store-${stores}.db`)
}

function run(command: string, folder: string, more: readonly string[] = []): Done {
  const [program = '', ...given] = command.split(' ')
  const done = spawnSync(program, [...given, ...more], { cwd: join(home, folder), env, encoding: 'utf8', timeout: 180_000 })
  return { ok: done.status === 0, output: `${done.stdout}${done.stderr}${done.error?.message ?? ''}` }
}

async function timed(name: string, work: () => Promise<string | undefined>): Promise<void> {
  const [began, cpu] = [performance.now(), childSeconds()]
  const wrong = await work()
  const cost = `${((performance.now() - began) / 1000).toFixed(1)} s, ${(childSeconds() - cpu).toFixed(1)} CPU-s`
  console.log(`${wrong === undefined ? 'ok  ' : 'FAIL'} ${name} (${cost})`)
  if (wrong === undefined) return
  console.log(wrong.trim().slice(-3_000).replaceAll(/^/gm, '     '))
  failures.push(name)
}

/** Returns the reason why an exercise's answer is wrong. */
function wrongIn(output: string): string | undefined {
  const answer = /^\{.*\}$/m.exec(output)?.[0]
  const expected =
    '{"found":"The physician told me to drink less coffee.","dated":true,"degraded":[],"context":true,"erased":"done","warnings":[]}'
  return answer === expected ? undefined : output
}

async function builtAndRun({ folder, steps, run: command }: Build): Promise<string | undefined> {
  for (const step of steps) {
    const { ok, output } = run(step, folder)
    if (!ok) return `${step}: ${output}`
  }
  if (folder.startsWith('next')) return wrongIn(await answerOf(command, folder))
  return wrongIn(run(command, folder, [newStore()]).output)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts a server of Next.js, and asks its route. */
async function answerOf(command: string, folder: string): Promise<string> {
  const port = await freePort()
  const [program = '', ...given] = command.split(' ')
  const server = spawn(program, given, {
    cwd: join(home, folder),
    env: { ...env, PORT: String(port), HOSTNAME: '127.0.0.1', VARVE_STORE: newStore() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const heard = (text: Buffer): void => {
    said += String(text)
    if (said.includes('Ready in')) resolve()
  }
  server.stdout.on('data', heard)
  server.stderr.on('data', heard)
  const ended = new Promise<void>((done) => server.once('exit', () => done()))
  try {
    await Promise.race([ready, ended])
    const response = await fetch(`http://127.0.0.1:${port}/api/memory`, { signal: AbortSignal.timeout(60_000) })
    return `${await response.text()}\n${said}`
  } catch (error) {
    return `${String(error)}\n${said}`
  } finally {
    server.kill()
    await ended
  }
}

/** The same builds where the package is not installed: the code of Varve is there, its files are not. */
function withoutPackage({ name, folder, run: command }: Build): string | undefined {
  const { ok, output } = run(command, folder, [newStore()])
  const says = ['PACKAGE_FILE_MISSING', 'serverExternalPackages', '--external:varve', 'docs/guides/bundlers.md']
  const silent = says.filter((part) => !output.includes(part))
  return ok || silent.length > 0 ? `${name} does not say ${silent.join(', ')}: ${output}` : undefined
}

/** A package that has lost its model answers by words, and says so in the answer and once in the log. */
function withoutModel(): string | undefined {
  const { output } = run('node main.js', '.', [newStore()])
  const { degraded, warnings, context }: { degraded: string[]; warnings: string[]; context: boolean } = JSON.parse(output)
  const tells = (text: string | undefined): boolean => /model\/minilm\.onnx is missing.*serverExternalPackages/.test(text ?? '')
  return degraded.length === 1 && tells(degraded[0]) && warnings.length === 1 && tells(warnings[0]) && context ? undefined : output
}

/** Runs work while a part of the installed package is away. */
function without(part: string, work: () => string | undefined): string | undefined {
  const [here, away] = [join(home, 'node_modules/varve', part), join(home, 'away')]
  renameSync(here, away)
  try {
    return work()
  } finally {
    renameSync(away, here)
  }
}

async function checkBuilds(tarball: string): Promise<void> {
  cpSync(join(root, 'test/fixtures/builds'), home, { recursive: true })
  cpSync(join(root, '.npmrc'), join(home, '.npmrc'))
  await timed('npm ci, and the package', async () => {
    for (const command of ['npm ci', `npm install ${tarball} --no-save`]) {
      const { ok, output } = run(command, '.')
      if (!ok) return output
    }
    return undefined
  })
  if (failures.length > 0) return
  mkdirSync(join(home, 'next-plain'))
  cpSync(join(home, 'next/app'), join(home, 'next-plain/app'), { recursive: true })
  // It takes as much as all others together: Turbopack reads and minifies all of Varve.
  const plain: Build = { name: 'Next.js, without configuration', folder: 'next-plain', steps: ['next build'], run: 'next start' }
  const whole = process.env['VARVE_BUILDS'] === 'full' ? [plain] : []
  for (const build of [...shownBuilds, ...whole, ...inlinedBuilds]) await timed(build.name, () => builtAndRun(build))
  await timed('a package without its model', async () => without('model/minilm.onnx', withoutModel))
  for (const build of inlinedBuilds) await timed(`${build.name}, without the package`, async () => without('', () => withoutPackage(build)))
}

const [tarball] = globSync('dist-package/*.tgz', { cwd: root }).map((path) => join(root, path))
try {
  if (tarball === undefined) failures.push('there is no dist-package/*.tgz: npm run package')
  else await checkBuilds(tarball)
} finally {
  rmSync(home, { recursive: true, force: true })
}
console.log(failures.length === 0 ? 'The package works in every build.' : `${failures.length} builds failed: ${failures.join('; ')}`)
process.exitCode = failures.length === 0 ? 0 : 1
