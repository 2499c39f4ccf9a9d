// Joins the modules that tsc made into few files: `varve sessions` loads 30 in the place of 206 (decision 0015).
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { entryPoints } from './entry-points.ts'
import { noticesOf } from './notices.ts'

/** The modules that others name: the exports, the command, and a module that a bench loads by itself. Threads begin with others. */
const named = [...entryPoints().map(({ module }) => module), 'cli/main', 'models/minilm/minilm']

/**
 * Large packages of which Varve uses little, and packages of many files that every start reads, with the packages that they
 * need. The build puts their code in; package.json lists them for development.
 */
const inlinedNames = [
  ...[
    '@ai-sdk',
    '@hono',
    '@modelcontextprotocol',
    '@opentelemetry',
    '@scure',
    '@workflow',
    'bintrees',
    'chrono-node',
    'commander',
    'diff',
    'eld',
    'eventsource-parser',
  ],
  ...['gpt-tokenizer', 'hono', 'lru-cache', 'prom-client', 'rate-limiter-flexible', 'tdigest', 'temporal-polyfill', 'temporal-utils'],
  ...['tokenx', 'uuid', 'zod'],
]
export const inlined = new RegExp(`^(?:${inlinedNames.join('|')})(?:/|$)`)

/** Modules that 20 others need share one file: every file costs .4 ms, and most of its code is compiled only when it is called. */
export const fewFiles = {
  groups: [
    { name: 'zod', test: /\/node_modules\/zod\//, priority: 1 },
    { name: 'core', minShareCount: 20, test: /^(?!.*\/(?:cli|commander)\/)/, priority: 1 },
    // The commands share the rest with each other alone: the library does not load the parser of their flags.
    { name: 'commands', minShareCount: 20 },
  ],
}

/** The address of a file beside a module, written out so that bundlers can read it: `new URL('./worker.ts', import.meta.url)`. */
const addressOfFile = /new URL\((['"])(\.[^'"]+)\1,\s*import\.meta\.url\)/g

/** Returns the modules that a module starts as threads, by their names beside it: they stay files of their own. */
export function threadIn(code: string): string[] {
  return [...new Set([...code.matchAll(/new URL\((['"])\.\/([\w-]+)\.ts\1,\s*import\.meta\.url\)/g)].map(([, , name = '']) => name))]
}

/** Rewrites the addresses in a module: `written` gives the code for a path from the module, with `.ts` as `.js`. */
export function withAddresses(code: string, written: (path: string) => string): string {
  return code.replaceAll(addressOfFile, (_whole, _quote, path: string) => written(path.replace(/\.ts$/, '.js')))
}

function threadsIn(dist: string): string[] {
  return globSync('**/*.js', { cwd: dist }).flatMap((path) =>
    threadIn(readFileSync(join(dist, path), 'utf8')).map((name) => join(dirname(path), name)),
  )
}

/**
 * Keeps the addresses of files: a module must find what stands beside it, wherever its code goes. Each is written as
 * `new URL("./path", import.meta.url)`, which bundlers read. The maps stay right: they go by lines.
 */
function ownAddresses(dist: string): Plugin {
  const stands = /__(ADDRESS|PATH)_OF__\("([^"]+)"\)/g
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return undefined
      const kept = withAddresses(code, (path) => `__ADDRESS_OF__("${relative(dist, join(dirname(id), path))}")`)
      return { code: kept, map: null }
    },
    renderChunk(code, { fileName }, { format }) {
      if (code.search(stands) === -1) return undefined
      const here = format === 'cjs' ? 'process.getBuiltinModule("node:url").pathToFileURL(__filename)' : 'import.meta.url'
      const fromHere = (path: string): string => JSON.stringify(relative(dirname(fileName), path).replace(/^(?!\.)/, './'))
      const written = (_: string, kind: string, path: string): string => {
        if (kind === 'PATH') return fromHere(path)
        // webpack 5.112 writes broken code for a thread of node:worker_threads; the thread is then found at run time.
        const ignored = path.endsWith('.js') ? '/* webpackIgnore: true */ ' : ''
        return `${ignored}new URL(${ignored}${fromHere(path)}, ${here})`
      }
      return { code: code.replace(stands, written), map: null }
    },
  }
}

/**
 * Takes modules of Node without an import. An import reads every export, and so loads streams for `fs` and parsers for `util`:
 * 13 of 35 CPU-ms. The command's first file stays: an older Node reads it too. So do imports by which bundlers find files:
 * they follow a `createRequire` and a `Worker` that are imported.
 */
function builtinsAtHand(): Plugin {
  const named = /^import \{([^}]*)\} from "(node:(?!module|worker_threads)[\w/]+)";$/gm
  return {
    name: 'builtins-at-hand',
    renderChunk(code, { fileName }, { format }) {
      if (fileName === 'cli/main.js') return undefined
      if (format === 'cjs') return { code: code.replace(/\brequire\("(node:[\w/]+)"\)/g, 'process.getBuiltinModule("$1")'), map: null }
      const taken = (_: string, names: string, module: string): string =>
        `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${module}");`
      return { code: code.replace(named, taken), map: null }
    },
  }
}

/** Writes the version of the package into its code. */
function ownVersion(dist: string): Plugin {
  const stands = "'VERSION_OF_VARVE'"
  const id = join(dist, 'packaged/packaged-file.js')
  const { version }: { version: string } = JSON.parse(readFileSync(join(dirname(dist), 'package.json'), 'utf8'))
  return {
    name: 'own-version',
    transform(code, module) {
      if (module !== id) return undefined
      if (!code.includes(stands)) throw new SyntaxError(`${id} has no ${stands}`)
      return { code: code.replace(stands, `'${version}'`), map: null }
    },
  }
}

/**
 * Writes tables as JSON. A literal takes three times as long to load as JSON.parse of the same table: 180 CPU-ms and 55
 * for the tables that detect languages.
 */
export function literalsAsJson(): Plugin {
  return {
    name: 'literals-as-json',
    async load(id) {
      if (!/\/(?:eld\/src\/ngrams|gpt-tokenizer\/esm\/bpeRanks)\/\w+\.js$/.test(id)) return undefined
      const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(id).href)
      const [notice] = /^\/\*[\s\S]*?\*\//.exec(readFileSync(id, 'utf8')) ?? ['']
      const tables = Object.entries(exported).map(
        ([name, table]) =>
          `const ${name}Table = JSON.parse(${JSON.stringify(JSON.stringify(table))})\nexport { ${name}Table as ${name} }\n`,
      )
      return { code: `${notice.replace('/*', '/*!')}\n${tables.join('')}`, map: { mappings: '' } }
    },
  }
}

const locales = join(dirname(createRequire(import.meta.url).resolve('chrono-node/en')), '..')

/** The languages of chrono-node. The parser of each is a file: a process reads the dates of one or two. */
const dateLanguages = globSync('*/index.js', { cwd: locales }).map((path) => dirname(path))

/**
 * Makes `date-parser` require a language's file in the place of the package. Each is written out: bundlers and Next.js
 * trace `require` with a literal path. All of them in one module would take 12 CPU-ms of each thread.
 */
function dateParsersHere(dist: string): Plugin {
  const required = 'require(`chrono-node/${language}`)'
  const parsers = dateLanguages.map((language) => `"${language}": () => require(__PATH_OF__("index/dates/${language}.js"))`)
  return {
    name: 'date-parsers-here',
    transform(code, id) {
      if (id !== join(dist, 'index/date-parser.js')) return undefined
      if (!code.includes(required)) throw new SyntaxError(`${id} has no ${required}`)
      return { code: code.replace(required, `({ ${parsers.join(', ')} })[language]()`), map: null }
    },
  }
}

/** Loads a module's code with the map to its source. */
function mapped(dist: string): Plugin {
  return {
    name: 'mapped',
    load(id) {
      if (!id.startsWith(dist)) return undefined
      const map = existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : null
      return { code: readFileSync(id, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map }
    },
  }
}

interface ClientBundle {
  readonly minify?: boolean
  readonly plugins?: Plugin[]
}

/**
 * Joins the client into one file that imports nothing: browsers, edge runtimes and Deno take it as it is. It shares no file with
 * the library, whose files need Node.
 */
export async function bundleClient(entry: string, { minify = false, plugins = [] }: ClientBundle = {}): Promise<OutputChunk> {
  const built = await rolldown({ input: { 'client/index': entry }, platform: 'browser', external: /^node:/, plugins })
  const { output } = await built.generate({ format: 'esm', sourcemap: true, minify, comments: !minify })
  await built.close()
  const [file, ...others] = output.filter((one) => one.type === 'chunk')
  if (file === undefined || others.length > 0 || file.imports.length > 0 || file.dynamicImports.length > 0)
    throw new TypeError(
      `the client must be one file without imports, and imports ${[...others.map(({ fileName }) => fileName), ...(file?.imports ?? [])]}`,
    )
  return file
}

/** Gives the modules of Varve that these load before they run. */
function loadedBy(dist: string, ...names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const load = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^'"();=]*?['"](\.{1,2}\/[^'"]+)['"]/gm)
    for (const [, to = ''] of imports) load(join(dirname(path), to))
  }
  for (const name of names) load(join(dist, `${name}.js`))
  return found
}

/** The modules of Varve that a hook of a prompt runs, by the modules that load them, and the packages of them. */
const hooked = ['cli/hook', 'memory/memory', 'engine/inline', 'storage/sqlite/sqlite-engine', 'context/reads', 'log/writes']
const withHooks = /\/node_modules\/(?:diff|lru-cache|temporal-\w+|tokenx|uuid|zod)\//

/**
 * Joins what a hook runs into one script, `hook/hook.cjs`, which V8 keeps compiled as it ran (cli/kept-script.ts). It shares no file
 * with the library: a module that both load would be there twice.
 */
async function bundleHook(dist: string, library: readonly OutputChunk[]): Promise<readonly OutputChunk[]> {
  const one = loadedBy(dist, ...hooked)
  const built = await rolldown({
    input: { start: join(dist, 'cli/hook.js') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !inlined.test(id),
    plugins: [packagesOf(library), ...pluginsFor(dist)],
  })
  const { output } = await built.generate({
    ...{ dir: dist, format: 'cjs', entryFileNames: 'hook/[name].cjs', chunkFileNames: 'hook/[name].cjs', minify: true },
    codeSplitting: { groups: [{ name: 'hook', test: (id) => one.has(id) || withHooks.test(id) }] },
  })
  await built.close()
  return output.filter((file) => file.type === 'chunk')
}

/** Imports the library's files of whole packages, such as the tables that detect languages: they hold nothing of Varve. */
function packagesOf(library: readonly OutputChunk[]): Plugin {
  const whole = library.filter(
    ({ isDynamicEntry, moduleIds }) => isDynamicEntry && moduleIds.length > 0 && moduleIds.every((id) => id.includes('/node_modules/')),
  )
  return {
    name: 'packages-of-the-library',
    async resolveId(id, importer, { kind }) {
      if (kind !== 'dynamic-import') return undefined
      const found = await this.resolve(id, importer, { kind, skipSelf: true })
      const file = whole.find(({ facadeModuleId }) => facadeModuleId !== null && facadeModuleId === found?.id)
      return file === undefined ? undefined : { id: `../${file.fileName}`, external: true }
    },
  }
}

function pluginsFor(dist: string): Plugin[] {
  return [mapped(dist), dateParsersHere(dist), literalsAsJson(), ownAddresses(dist), ownVersion(dist), builtinsAtHand()]
}

/** Replaces the modules in `dist` by few files, and returns their number. Declarations stay as they are. */
export async function bundle(dist: string): Promise<number> {
  const modules = globSync('**/*.js', { cwd: dist })
  const entries = [...named, ...threadsIn(dist)]
  // A hook that asks a server needs these alone: in a file of their own they spare it the others of `core`.
  const first = [...loadedBy(dist, 'cli/hook', 'client/connect')].filter((path) => !/\/(?:cli|client|integrations)\//.test(path))
  const built = await rolldown({
    input: {
      ...Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
      ...Object.fromEntries(dateLanguages.map((language) => [`index/dates/${language}`, `chrono-node/${language}`])),
    },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !inlined.test(id),
    plugins: pluginsFor(dist),
  })
  const { output } = await built.generate({
    dir: dist,
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    sourcemap: true,
    codeSplitting: { groups: [{ name: 'first', test: (id) => first.includes(id), priority: 2 }, ...fewFiles.groups] },
  })
  await built.close()
  const client = await bundleClient(join(dist, 'client/index.js'), { plugins: [mapped(dist)] })
  const library = output.filter((file) => file.type === 'chunk')
  const hook = await bundleHook(dist, library)
  for (const path of modules) for (const file of [path, `${path}.map`]) rmSync(join(dist, file), { force: true })
  const maps = client.map === null ? [] : [{ type: 'asset' as const, fileName: `${client.fileName}.map`, source: client.map.toString() }]
  for (const file of [...output, client, ...hook, ...maps]) {
    mkdirSync(dirname(join(dist, file.fileName)), { recursive: true })
    writeFileSync(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source)
  }
  const chunks = [...library, client, ...hook]
  writeFileSync(join(dist, 'third-party-notices.md'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
  return chunks.length
}
