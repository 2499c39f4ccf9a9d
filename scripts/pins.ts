// Writes the promises of the package to test/pins, so that the diff shows a change: the exports, their types and the
// error codes. `--check` writes nothing and fails when a pin differs.
//
// The schema has a pin of its own: storage/sqlite/newest-schema.ts, which a test compares with the migrations.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCodes } from '../packages/varve/src/index.ts'
import { entryPoints } from './entry-points.ts'
import { publicTypes } from './public-types.ts'

const root = dirname(import.meta.dirname)
const sources = join(root, 'packages', 'varve', 'src')
const folder = join(root, 'test', 'pins')

function lines(items: readonly string[]): string {
  return `${items.join('\n')}\n`
}

/** Lists each subpath of the export map, with its exported values below it. */
async function exportsText(): Promise<string> {
  const { exports }: { exports: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(join(root, 'packages', 'varve', 'package.json'), 'utf8'),
  )
  const modules = Object.fromEntries(
    await Promise.all(
      entryPoints().map(async ({ subpath, module }): Promise<[string, object]> => [subpath, await import(join(sources, `${module}.ts`))]),
    ),
  )
  return lines(
    Object.keys(exports)
      .sort()
      .flatMap((subpath) => [
        subpath,
        ...Object.keys(modules[subpath] ?? {})
          .sort()
          .map((name) => `  ${name}`),
      ]),
  )
}

const pins: Readonly<Record<string, string>> = {
  ...publicTypes(
    join(root, 'packages', 'varve'),
    Object.fromEntries(
      entryPoints()
        .filter(({ subpath }) => subpath !== './testing')
        .map(({ subpath, module }) => [
          subpath === '.' ? 'api.d.txt' : `${subpath.slice(2).replaceAll('/', '-')}.d.txt`,
          `src/${module}.ts`,
        ]),
    ),
  ),
  'errors.txt': lines(errorCodes.toSorted()),
  'exports.txt': await exportsText(),
}

const check = process.argv.includes('--check')
if (!check) mkdirSync(folder, { recursive: true })
const changed = Object.entries(pins).flatMap(([name, text]) => {
  const path = join(folder, name)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return []
  if (!check) writeFileSync(path, text)
  return [`test/pins/${name}`]
})

if (check && changed.length > 0) {
  console.error(`error: the code no longer matches ${changed.join(', ')}. If you meant the change, run npm run pins and commit it.`)
  process.exitCode = 1
} else console.log(`${Object.keys(pins).length} pins, ${check ? 'all as committed' : `${changed.length} written`}.`)
