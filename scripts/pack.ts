// Packs the built package into dist-package/, and prints its size.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly entryCount: number
}

const root = dirname(import.meta.dirname)
const target = join(root, 'dist-package')
rmSync(target, { recursive: true, force: true })
mkdirSync(target)

const npm = spawnSync('npm', ['pack', '--json', '--pack-destination', target], {
  cwd: join(root, 'packages', 'varve'),
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
if (npm.status !== 0) process.exit(npm.status ?? 1)

const [packed]: Packed[] = JSON.parse(npm.stdout)
if (packed === undefined) {
  console.error(`npm pack reported no package: ${npm.stdout}`)
  process.exit(1)
}
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} kB`
console.log(
  `dist-package/${packed.filename}: ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked, ` +
    `${packed.entryCount} files`,
)
