// The plugins of the bundles (bundle.ts, hook-bundle.ts), and the packages whose code goes into them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

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
export const dateLanguages = globSync('*/index.js', { cwd: locales }).map((path) => dirname(path))

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
export function mapped(dist: string): Plugin {
  return {
    name: 'mapped',
    load(id) {
      if (!id.startsWith(dist)) return undefined
      const map = existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : null
      return { code: readFileSync(id, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map }
    },
  }
}

/** What every bundle of Varve's modules needs. */
export function pluginsFor(dist: string): Plugin[] {
  return [mapped(dist), dateParsersHere(dist), literalsAsJson(), ownAddresses(dist), ownVersion(dist), builtinsAtHand()]
}
