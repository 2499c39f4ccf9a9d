// Writes the promises of the package to test/pins, so that the diff shows a change: the exports, their types and the
// error codes. `--check` writes nothing and fails when a pin differs.
//
// The schema has a pin of its own: storage/sqlite/newest-schema.ts, which a test compares with the migrations.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as client from '../packages/varve/src/client/index.ts'
import * as clientTools from '../packages/varve/src/client/tools.ts'
import * as varve from '../packages/varve/src/index.ts'
import * as server from '../packages/varve/src/server/index.ts'
import * as testing from '../packages/varve/src/testing/index.ts'
import { publicTypes } from './public-types.ts'

const root = dirname(import.meta.dirname)
const folder = join(root, 'test', 'pins')

function lines(items: readonly string[]): string {
  return `${items.join('\n')}\n`
}

/** Lists each subpath of the export map, with its exported values below it. */
function exportsText(): string {
  const { exports }: { exports: Readonly<Record<string, unknown>> } = JSON.parse(
    readFileSync(join(root, 'packages', 'varve', 'package.json'), 'utf8'),
  )
  const modules: Readonly<Record<string, object>> = {
    ...{ '.': varve, './client': client, './client/tools': clientTools, './server': server, './testing': testing },
  }
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
  ...publicTypes(join(root, 'packages', 'varve'), {
    'api.d.txt': 'src/index.ts',
    'client.d.txt': 'src/client/index.ts',
    'client-tools.d.txt': 'src/client/tools.ts',
    'server.d.txt': 'src/server/index.ts',
  }),
  'errors.txt': lines(varve.errorCodes.toSorted()),
  'exports.txt': exportsText(),
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
