// Joins the modules that tsc made into few files: `varve sessions` loads 30 in the place of 206 (decision 0015).
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { dateLanguages, inlined, mapped, pluginsFor, threadIn } from './bundle-plugins.ts'
import { entryPoints } from './entry-points.ts'
import { hookBundler } from './hook-bundle.ts'
import { importsIn, reached } from './module-graph.ts'
import { noticesOf } from './notices.ts'

/** The modules that others name: the exports, the command, and a module that a bench loads by itself. Threads begin with others. */
const named = [...entryPoints().map(({ module }) => module), 'cli/main', 'models/minilm/minilm']

/** Modules that 20 others need share one file: every file costs .4 ms, and most of its code is compiled only when it is called. */
export const fewFiles = {
  groups: [
    { name: 'zod', test: /\/node_modules\/zod\//, priority: 1 },
    { name: 'core', minShareCount: 20, test: /^(?!.*\/(?:cli|commander)\/)/, priority: 1 },
    // The commands share the rest with each other alone: the library does not load the parser of their flags.
    { name: 'commands', minShareCount: 20 },
  ],
}

function threadsIn(dist: string): string[] {
  return globSync('**/*.js', { cwd: dist }).flatMap((path) =>
    threadIn(readFileSync(join(dist, path), 'utf8')).map((name) => join(dirname(path), name)),
  )
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

/** Replaces the modules in `dist` by few files, and returns their number. Declarations stay as they are. */
export async function bundle(dist: string): Promise<number> {
  const modules = globSync('**/*.js', { cwd: dist })
  const bundleHook = hookBundler(dist)
  const entries = [...named, ...threadsIn(dist)]
  // A hook that asks a server needs these alone: in a file of their own they spare it the others of `core`.
  const asking = reached([join(dist, 'cli/hook.js'), join(dist, 'client/connect.js')], (path) => importsIn(readFileSync(path, 'utf8')))
  const first = [...asking].filter((path) => !/\/(?:cli|client|integrations)\//.test(path))
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
  const written = new Set<string>([`${client.fileName}.map`])
  const write = (files: readonly (OutputChunk | OutputAsset)[]): void => {
    for (const file of files) {
      mkdirSync(dirname(join(dist, file.fileName)), { recursive: true })
      writeFileSync(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source)
      written.add(file.fileName)
    }
  }
  write([...output, client])
  if (client.map !== null) writeFileSync(join(dist, `${client.fileName}.map`), client.map.toString())
  const hook = await bundleHook(library, write)
  for (const path of modules.flatMap((module) => [module, `${module}.map`]))
    if (!written.has(path)) rmSync(join(dist, path), { force: true })
  const chunks = [...library, client, ...hook]
  writeFileSync(join(dist, 'third-party-notices.md'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
  return chunks.length
}
