// Puts what tsc made of each module together into few files: `varve sessions` loads 30 in the place of 206 (decision 0015).
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/** What others name: the exports, the command, and what a bench loads by itself. What a thread begins with is found in the code. */
const named = ['index', 'testing/index', 'cli/main', 'models/minilm/minilm']

/** The one package whose code is put in, since its table is written anew; package.json has it for development. */
export const inlined = /^eld\//

/** What 20 of them need is one file: every file costs .4 ms, most of what is in it is compiled when it is called. */
export const fewFiles = { groups: [{ name: 'core', minShareCount: 20 }] }

/** The modules that a module starts as threads, by their names beside it: they stay files of their own. */
export function threadIn(code: string): string[] {
  return [...code.matchAll(/new URL\(`\.\/([\w-]+)\.\$\{extension\}`, import\.meta\.url\)/g)].map(([, name = '']) => name)
}

function threadsIn(dist: string): string[] {
  return globSync('**/*.js', { cwd: dist }).flatMap((path) =>
    threadIn(readFileSync(join(dist, path), 'utf8')).map((name) => join(dirname(path), name)),
  )
}

/** A module goes on finding what stands beside it, wherever its code goes. The maps stay right: they go by lines. */
function ownAddresses(dist: string): Plugin {
  const stands = /__ADDRESS_OF__\("([^"]+)"\)/g
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return undefined
      return { code: code.replaceAll('import.meta.url', `__ADDRESS_OF__("${relative(dist, id)}")`), map: null }
    },
    renderChunk(code, { fileName }) {
      if (code.search(stands) === -1) return undefined
      const up = '../'.repeat(fileName.split('/').length - 1)
      const address = (path: string): string =>
        path === fileName ? 'import.meta.url' : `new URL('${up === '' ? './' : up}${path}', import.meta.url).href`
      return { code: code.replace(stands, (_, path: string) => address(path)), map: null }
    },
  }
}

/** A table as a literal takes three times as long to load as one that JSON.parse reads: 180 CPU-ms and 55 for what tells languages. */
export function literalsAsJson(): Plugin {
  return {
    name: 'literals-as-json',
    async load(id) {
      if (!/\/eld\/src\/ngrams\/\w+\.js$/.test(id)) return undefined
      const { ngramsData }: { ngramsData: unknown } = await import(pathToFileURL(id).href)
      const [notice = ''] = /^\/\*[\s\S]*?\*\//.exec(readFileSync(id, 'utf8')) ?? []
      const code = `${notice.replace('/*', '/*!')}\nexport const ngramsData = JSON.parse(${JSON.stringify(JSON.stringify(ngramsData))})\n`
      return { code, map: { mappings: '' } }
    },
  }
}

/** Code of a module with the map that leads to its source. */
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

/** Replaces the modules in `dist` by few files; says how many. Declarations stay as they are. */
export async function bundle(dist: string): Promise<number> {
  const modules = globSync('**/*.js', { cwd: dist })
  const entries = [...named, ...threadsIn(dist)]
  const built = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(dist, `${name}.js`)])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !inlined.test(id),
    plugins: [mapped(dist), literalsAsJson(), ownAddresses(dist)],
  })
  const { output } = await built.generate({
    dir: dist,
    format: 'esm',
    chunkFileNames: 'parts/[name].js',
    sourcemap: true,
    codeSplitting: fewFiles,
  })
  await built.close()
  for (const path of modules) for (const file of [path, `${path}.map`]) rmSync(join(dist, file), { force: true })
  mkdirSync(join(dist, 'parts'), { recursive: true })
  for (const file of output) writeFileSync(join(dist, file.fileName), file.type === 'chunk' ? file.code : file.source)
  return output.filter(({ type }) => type === 'chunk').length
}
