// Joins what a hook runs into one script, hook/hook.cjs, which V8 keeps compiled as it ran (cli/kept-script.ts).
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { inlined, pluginsFor } from './bundle-plugins.ts'
import { hookRuns, tellsThatLoaded } from './hook-runs.ts'
import { lazyImportsOf, type Modules } from './lazy-imports.ts'
import { allImportsIn, importsIn, laterImportsIn, reached } from './module-graph.ts'

type Write = (files: readonly OutputChunk[]) => void

/** The packages of modules that hooks need, and those of the rest. */
const withHooks = /\/node_modules\/(?:lru-cache|temporal-\w+|tokenx|uuid|zod)\//
const withRest = /\/node_modules\/diff\//

/** The file of the modules that no run of a hook needed. It is loaded when one is needed after all. */
const rest = 'rest.cjs'

/** Reads the modules in `dist`. The function that it gives makes the bundle, when the library's files have taken their places. */
export function hookBundler(dist: string): (library: readonly OutputChunk[], write: Write) => Promise<readonly OutputChunk[]> {
  const entry = join(dist, 'cli/hook.js')
  const lazy = lazyImportsOf([...reached([entry], (path) => allImportsIn(readFileSync(path, 'utf8')))])
  return async (library, write) => {
    // The first one takes each import as late as it can. Its runs tell which modules a hook needs.
    const telling = [...lazy(new Set())].map(([path, code]) => [path, `${code}${tellsThatLoaded(path)}`] as const)
    const tried = await joined(dist, library, new Map(telling), new Set())
    write(tried)
    const needed = await hookRuns(dist)
    rmSync(join(dist, 'hook'), { recursive: true })
    const hook = await joined(dist, library, lazy(needed), needed)
    write(hook)
    return hook
  }
}

/**
 * Joins what a hook needs into hook.cjs, and what its modules import beside that into rest.cjs. It shares no file with the library: a
 * module that both load would be there twice.
 */
async function joined(
  dist: string,
  library: readonly OutputChunk[],
  modules: Modules,
  needed: ReadonlySet<string>,
): Promise<readonly OutputChunk[]> {
  const entry = join(dist, 'cli/hook.js')
  const imported = reached([...needed, entry], (path) => [
    ...importsIn(modules.get(path) ?? ''),
    ...laterImportsIn(modules.get(path) ?? ''),
  ])
  const built = await rolldown({
    input: { start: entry },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !inlined.test(id),
    preserveEntrySignatures: 'allow-extension',
    // A module of hook.cjs may be imported late as well.
    checks: { ineffectiveDynamicImport: false },
    plugins: [given(modules), packagesOf(library), ...pluginsFor(dist), restAtNeed()],
  })
  const { output } = await built.generate({
    ...{ dir: dist, format: 'cjs', entryFileNames: 'hook/[name].cjs', chunkFileNames: 'hook/[name].cjs', minify: true },
    strictExecutionOrder: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'hook', test: (id) => id !== entry && (needed.has(id) || withHooks.test(id)), priority: 1 },
        { name: 'rest', test: (id) => id !== entry && (imported.has(id) || withRest.test(id)) },
      ],
    },
  })
  await built.close()
  return output.filter((file) => file.type === 'chunk')
}

/** Gives modules as code, in the place of their files. */
function given(modules: Modules): Plugin {
  return {
    name: 'code-of-modules',
    load: (id) => {
      const code = modules.get(id)
      return code === undefined ? undefined : { code, map: null }
    },
  }
}

/** Loads the file of the rest when something of it is needed, and not with the others. */
function restAtNeed(): Plugin {
  const required = `require("./${rest}")`
  const later = `((loaded) => new Proxy({}, { get: (_, name) => (loaded ??= ${required})[name] }))()`
  return { name: 'rest-at-need', renderChunk: (code) => ({ code: code.replace(required, later), map: null }) }
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
