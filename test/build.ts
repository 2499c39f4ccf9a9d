import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { transformSync } from 'rolldown/utils'
import { inlined, literalsAsJson, threadIn, withAddresses } from '../scripts/bundle-plugins.ts'
import { fewFiles } from '../scripts/bundle.ts'
import { precompile } from '../scripts/precompile.ts'
import { builtProgram, out, root } from './built.ts'

const sources = join(root, 'packages', 'varve', 'src')
const modules = join(out, 'modules')

/** What the tests start as processes, beside the threads that these start. */
const programs = [
  'test/fault/children/*.ts',
  'test/e2e/*-child.ts',
  'test/fixtures/doors/*-child.ts',
  'packages/varve/src/cli/main.ts',
  'packages/varve/src/models/minilm/minilm.ts',
]

/**
 * Builds the programs that the tests start, and their threads, as the package is built: queries compiled, few files.
 * Each of some 350 processes and their threads would load and strip 400 sources: 480 CPU-ms of the 900 that it takes.
 * And threads that strip types at the same time can crash V8 (nodejs/node#64500): a test file then dies with SIGSEGV
 * or `jit_page`, once in some thousand threads.
 */
export async function setup(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  await precompiled()
  // Beneath node_modules nothing else says so, and Node would read each file twice to find it out.
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  const threads = globSync('**/*.js', { cwd: modules }).flatMap((path) =>
    threadIn(readFileSync(join(modules, path), 'utf8')).map((name) => join(dirname(path), name)),
  )
  const built = await rolldown({
    input: {
      ...Object.fromEntries(
        globSync(programs, { cwd: root }).map((path) => [path.replace(/\.ts$/, ''), compiledOf(join(root, path)) ?? join(root, path)]),
      ),
      ...Object.fromEntries(threads.map((path) => [join('packages/varve/src', path), join(modules, `${path}.js`)])),
    },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !inlined.test(id),
    plugins: [fromModules, literalsAsJson(), addresses],
  })
  const { output } = await built.generate({ format: 'esm', chunkFileNames: 'parts/[name].js', codeSplitting: fewFiles })
  await built.close()
  for (const file of output) {
    const path = join(out, 'built', file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.type === 'chunk' ? file.code : file.source)
  }
}

/** All sources as JavaScript, their queries compiled. */
async function precompiled(): Promise<void> {
  for (const path of globSync('**/*.ts', { cwd: sources })) {
    if (path.endsWith('.test.ts')) continue
    const file = join(modules, path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(file), { recursive: true })
    const { code, errors } = transformSync(path, readFileSync(join(sources, path), 'utf8'), {
      typescript: { rewriteImportExtensions: 'rewrite' },
    })
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
    writeFileSync(file, code)
  }
  await precompile(modules)
}

/** In a test, what the product starts as a thread is what was built of it, and the rest is the source. */
export const builtThreads = {
  name: 'built-threads',
  enforce: 'pre',
  transform(code: string, id: string): string | undefined {
    if (!id.startsWith(sources) || threadIn(code).length === 0) return undefined
    return withBase(code, pathToFileURL(builtProgram(relative(root, id))).href)
  },
} as const

/** What a program imports of the product is what was compiled of it. */
const fromModules: Plugin = {
  name: 'from-modules',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return undefined
    return compiledOf(join(dirname(importer), id))
  },
}

/** What was compiled of a module of the product. */
function compiledOf(source: string): string | undefined {
  const file = join(modules, relative(sources, source).replace(/\.ts$/, '.js'))
  return source.startsWith(sources) && existsSync(file) ? file : undefined
}

/** A module goes on finding what stands beside its source; one that starts a thread, the thread that was built. */
const addresses: Plugin = {
  name: 'addresses',
  transform(code, id) {
    if (!code.includes('import.meta.')) return undefined
    const path = id.startsWith(modules) ? join(sources, relative(modules, id)) : id
    const starts = id.startsWith(modules) && threadIn(code).length > 0
    const at = pathToFileURL(starts ? join(out, 'built', relative(root, path)) : path).href
    return {
      code: (starts ? withBase(code, at) : code)
        .replaceAll('import.meta.url', JSON.stringify(at))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      map: null,
    }
  },
}

/** Gives the addresses of files in a module, the threads that it starts among them, from the module's place in the build. */
function withBase(code: string, base: string): string {
  return withAddresses(code, (path) => `new URL(${JSON.stringify(path)}, ${JSON.stringify(base)})`)
}
