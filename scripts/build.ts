// Builds packages/varve/dist with tsc and joins its modules into few files. Puts README.md, LICENSE and the documents
// for users beside it for the package.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundle } from './bundle.ts'
import { precompile } from './precompile.ts'

const root = dirname(import.meta.dirname)
const home = join(root, 'packages', 'varve')
const dist = join(home, 'dist')

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

/**
 * Refuses imports of sources. In a function with a `using`, tsc leaves a dynamic import of a `.ts` as it is; it would
 * fail in an installed package.
 */
function refuseSources(): void {
  const importOfSource = /(?:\bfrom |\bimport\(|\bimport )['"]\.{1,2}\/[^'"]+\.ts['"]/
  const left = globSync('**/*.js', { cwd: dist }).filter((path) => importOfSource.test(readFileSync(join(dist, path), 'utf8')))
  if (left.length === 0) return
  console.error(`These modules import a source that is not in the package: ${left.join(', ')}`)
  process.exit(1)
}

/** Rewrites the declarations. tsc rewrites `./x.ts` to `./x.js` in the code but not in them, and some tools cannot read that. */
function rewriteDeclarations(): void {
  const relativeImport = /(\bfrom |\bimport\(|\bimport |\bmodule )(['"])(\.{1,2}\/[^'"]+)\.ts\2/g
  for (const path of globSync('**/*.d.ts', { cwd: dist })) {
    const text = readFileSync(join(dist, path), 'utf8')
    writeFileSync(join(dist, path), text.replace(relativeImport, '$1$2$3.js$2'))
  }
}

/** Removes declarations that no export reaches: some name packages that are not installed with this one. */
function removeUnreachableDeclarations(): void {
  const { exports }: Manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const reached = new Set<string>()
  const reach = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|\bimport |\bmodule )['"](\.[^'"]+)\.js['"]/g)
    for (const [, path = ''] of imports) reach(join(dirname(file), `${path}.d.ts`))
  }
  for (const target of Object.values(exports)) if (typeof target !== 'string') reach(join(home, target.types))
  for (const path of globSync('**/*.d.ts', { cwd: dist })) if (!reached.has(join(dist, path))) rmSync(join(dist, path))
}

/** Copies the files beside the sources that are read at run time: tsc leaves them behind. */
function copyAssets(): void {
  const assets = globSync('**/*', { cwd: join(home, 'src'), withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:tsx?|wat)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(fixtures|__snapshots__)\//.test(path))
  for (const path of assets) cpSync(path, path.replace(join(home, 'src'), dist), { force: true })
}

rmSync(dist, { recursive: true, force: true })
// `npm run types` checks the types, for the whole repository at once.
const tsc = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', join(home, 'tsconfig.build.json'), '--noCheck'],
  { stdio: 'inherit' },
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

refuseSources()
const queries = await precompile(dist)
const modules = globSync('**/*.js', { cwd: dist }).length
// The bundle runs the modules that it joins.
copyAssets()
const files = await bundle(dist)
rewriteDeclarations()
removeUnreachableDeclarations()
rmSync(join(home, 'docs'), { recursive: true, force: true })
for (const name of ['get-started.md', 'start.svg', 'guides', 'reference', 'operate'])
  cpSync(join(root, 'docs', name), join(home, 'docs', name), { recursive: true })
for (const name of ['README.md', 'LICENSE']) {
  rmSync(join(home, name), { force: true })
  if (existsSync(join(root, name))) copyFileSync(join(root, name), join(home, name))
}
const bin = join(dist, 'cli', 'main.js')
if (existsSync(bin)) chmodSync(bin, 0o755)
console.log(`Built ${modules} modules into ${files} files of packages/varve/dist, with ${queries} queries compiled.`)
