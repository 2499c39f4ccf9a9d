// Checks the packed package as its users get it: manifest, files, an install with and without install scripts, the
// command, and the README's first example. `npm run check:package` first runs publint and attw. `npm run package` makes
// the package.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Consumer, type Outcome } from './consumer.ts'
import { entryPoints } from './entry-points.ts'

/** The files that the package may hold. */
const published = new RegExp(
  String.raw`^(dist/.*|docs/.*\.(?:md|sql|schema\.json)|docs/start\.svg|` +
    String.raw`model/(?:minilm\.onnx|tokenizer\.json|sha256\.json|LICENSE|NOTICE\.md)|README\.md|llms\.txt|LICENSE|package\.json)$`,
)
const root = dirname(import.meta.dirname)
const [tarball] = globSync('dist-package/*.tgz', { cwd: root }).map((path) => join(root, path))
if (tarball === undefined) {
  console.error('There is no dist-package/*.tgz: npm run package')
  process.exit(1)
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const mostMegabytes = 94

const failures: string[] = []

function check(what: string, { ok, output = '', ms }: Partial<Outcome> & { readonly ok: boolean }): void {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ms === undefined ? '' : ` (${ms} ms)`}`)
  if (output !== '') console.log(output.replaceAll(/^/gm, '     '))
  if (!ok) failures.push(what)
}

function fromTarball(file: string): string {
  return spawnSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }).stdout
}

function checkFiles(file: string): void {
  const entries = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' }).stdout.trim().split('\n')
  const files = entries.map((entry) => entry.replace(/^package\//, ''))
  const strange = files.filter((name) => !published.test(name) || /\.test\.|\/fixtures\//.test(name))
  check('only dist, docs, model, README.md, llms.txt, LICENSE and package.json are in it', {
    ok: strange.length === 0,
    output: strange.join('\n'),
  })
  const absent = [
    'README.md',
    'LICENSE',
    'llms.txt',
    'package.json',
    'docs/guides/server.md',
    'docs/get-started.md',
    'docs/start.svg',
    ...entryPoints().flatMap(({ module }) => [`dist/${module}.js`, `dist/${module}.d.ts`]),
    'dist/cli/main.js',
    'dist/server/errors.json',
    'dist/server/openapi.json',
    'dist/third-party-notices.md',
    'model/minilm.onnx',
    'model/tokenizer.json',
    'model/sha256.json',
    'model/LICENSE',
    'model/NOTICE.md',
  ].filter((name) => !files.includes(name))
  check('what it needs is in it', { ok: absent.length === 0, output: absent.map((name) => `${name} is absent`).join('\n') })
}

function checkManifest(manifest: Manifest): void {
  const needed = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies })
  const strange = needed.filter(
    ([name, range]) => /^node(-|$)/.test(name) || /^(workspace|file|link|portal|git|https?):/.test(range) || range === '*',
  )
  check('its dependencies are published ones, and none is a Node', { ok: strange.length === 0, output: strange.map(String).join('\n') })
}

function readmeExample(): string | undefined {
  if (!existsSync(join(root, 'README.md'))) return undefined
  return /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1]
}

function checkInstalled(consumer: Consumer, manifest: Manifest): void {
  const version = consumer.run('node_modules/.bin/varve', '--version')
  check('varve --version', { ...version, ok: version.ok && version.output.includes(manifest.version) })
  for (const { subpath } of entryPoints()) {
    const entry = `${manifest.name}${subpath.slice(1)}`
    const imported = consumer.run(process.execPath, '--input-type=module', '-e', `await import('${entry}')`)
    const missing = /Cannot find package '([^']+)'/.exec(imported.output)?.[1]
    const isPeer = missing !== undefined && missing in (manifest.peerDependencies ?? {})
    check(`import('${entry}')`, isPeer ? { ok: true, output: `needs its peer ${missing}` } : imported)
  }
}

/** Commands of a day's work, with what each answers. */
const daysWork: readonly (readonly [command: string, expected: RegExp])[] = [
  ['import talk.jsonl --json', /"stored":400/],
  ['import talk.jsonl --json', /"duplicates":400/],
  ['append talk-0 Gravel-is-out --json', /"seq":21/],
  // On a busy machine vectors may be waiting: a message with one is found before a message without.
  ['upkeep --json', /"embeddings":0/],
  ['recall which barge is 234 --json', /Barge 234 carries/],
  ['context what is out? --session talk-0 --max-tokens 300 --json', /Gravel-is-out/],
  ['sessions --json', /"talk-19"/],
  // This loads the parser of dates.
  ['recall which barge came yesterday --json', /"name":"date"/],
  ['forget --session talk-3 --yes --json', /"physical":"done"/],
  ['append talk-0 The-physician-told-me-to-drink-less-coffee --json', /"seq":22/],
  // No message has a word of this question.
  ['recall medical advice about caffeine --limit 1 --json', /physician/],
  ['upkeep status --json', /"runtime":"wasm"|"embeddings":0/],
  ['doctor --json', /"ok":true/],
]

/** Install scripts change what is native alone, which these use: the database, its files, and the model's runtime. */
const nativeWork = daysWork.filter(
  ([command], place) => place === 0 || /^(?:upkeep --json|recall which barge is 234|forget|doctor)/.test(command),
)

/** Checks work with the command: the built code with its queries, its threads and its late-loaded parsers. */
function checkCommands(consumer: Consumer, store: string, said = daysWork): void {
  const lines = Array.from({ length: 400 }, (_, place) =>
    JSON.stringify({
      session: `talk-${place % 20}`,
      id: `m${place}`,
      role: 'user',
      content: `Barge ${place} carries gravel to the lower lock, says the keeper of house ${place % 20}.`,
    }),
  )
  consumer.write('talk.jsonl', lines.join('\n'))
  const wrong = said.flatMap(([command, expected]) => {
    const { ok, output } = consumer.run('node_modules/.bin/varve', ...command.split(' '), '--store', store)
    return ok && expected.test(output) ? [] : [`varve ${command}: ${output.slice(0, 500)}`]
  })
  check(`${said.length} commands, from import to doctor, do what they say`, { ok: wrong.length === 0, output: wrong.join('\n') })
}

/** Checks the script of hooks: at its first run, and with the code that it kept. */
function checkHook(consumer: Consumer, store: string): void {
  const prompt = 'Which barge carries gravel to house 7?'
  consumer.write('prompt.json', JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 'now', prompt, source: 'user' }))
  const line = `node_modules/.bin/varve hook claude-code --store ${store} --project default --deadline-ms 60000 < prompt.json`
  const [first, again] = [consumer.run('sh', '-c', line), consumer.run('sh', '-c', line)]
  check('a hook gives what a prompt asks for', { ...first, ok: first.ok && /additionalContext.*Barge 7 carries/.test(first.output) })
  const saidAgain = { ok: again.ok && again.output.length === first.output.length, output: again.output }
  check('a hook with kept code gives the same', saidAgain)
  const traced = consumer.run('sh', '-c', `NODE_DEBUG=module ${line} 2>&1`)
  const loaded = [...traced.output.matchAll(/load "[^"]*\/hook\/(\w+\.cjs)"/g)].map(([, file]) => file)
  check('a hook loads what it needs and no more', { ok: loaded.length > 0 && !loaded.includes('rest.cjs'), output: loaded.join(' ') })
}

/** Tells whether the types of an integration are those of a framework, which the user who imports it has. */
function needsPeer(module: string, { peerDependencies }: Manifest): boolean {
  if (!module.startsWith('integrations/')) return false
  const folder = join(root, 'packages', 'varve', 'dist', dirname(module))
  const types = globSync('*.d.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  return Object.keys(peerDependencies ?? {}).some((peer) => types.some((text) => text.includes(`from '${peer}`)))
}

function checkExample(consumer: Consumer, manifest: Manifest): void {
  const example = readmeExample()
  consumer.write(
    'entries.ts',
    entryPoints()
      .filter(({ module }) => !needsPeer(module, manifest))
      .map(({ subpath }, at) => `export * as from${at} from '${manifest.name}${subpath.slice(1)}'\n`)
      .join(''),
  )
  consumer.write('example.ts', example ?? '')
  check('what it exports and the README’s first example compile', consumer.typeCheck('entries.ts', 'example.ts'))
  if (example === undefined) check('the README has an example', { ok: false, output: 'README.md is absent, or has no ```ts block' })
  else check('the README’s first example runs', consumer.run(process.execPath, 'example.ts'))
}

function checkSize(megabytes: number): void {
  check(`it takes at most ${mostMegabytes} MB installed`, { ok: megabytes <= mostMegabytes, output: `${megabytes} MB` })
  for (const document of ['README.md', 'docs/get-started.md']) {
    const said = Number(/takes about (\d+) MB/.exec(readFileSync(join(root, document), 'utf8'))?.[1])
    check(`${document} says how much it takes, within 2 MB`, { ok: Math.abs(said - megabytes) <= 2, output: `${said} MB` })
  }
}

function checkInstall(file: string, manifest: Manifest): void {
  using consumer = new Consumer()
  const installed = consumer.install(file)
  check('it installs with --ignore-scripts', installed)
  if (!installed.ok) return
  checkSize(consumer.installedMegabytes())
  checkInstalled(consumer, manifest)
  checkCommands(consumer, 'without-scripts.db')
  checkHook(consumer, 'without-scripts.db')
  checkExample(consumer, manifest)
  // This is many seconds faster than a second install, in the same place. Install scripts change no type.
  check('its install scripts run', consumer.runInstallScripts())
  checkInstalled(consumer, manifest)
  checkCommands(consumer, 'with-scripts.db', nativeWork)
}

const manifest: Manifest = JSON.parse(fromTarball(tarball))
console.log(`${manifest.name} ${manifest.version}, on Node ${process.versions.node}`)
checkFiles(tarball)
checkManifest(manifest)
checkInstall(tarball, manifest)

console.log(failures.length === 0 ? 'The package is sound.' : `${failures.length} of its checks failed: ${failures.join('; ')}`)
process.exitCode = failures.length === 0 ? 0 : 1
