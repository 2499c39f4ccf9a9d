// Installs missing packages, so that `npm start` and `npm test` work in a clean clone. It runs on the machine's Node
// (20 is enough) and imports no package. It prints nothing when there is nothing to do.
//
// After it, call `env node`, not `node`: a shell remembers where it found `node`, and the installed one comes later.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const oldestNode = [22, 22, 2]

/** Returns the packages of a lock file by their folder; an empty object when there is no such file. */
function packagesIn(lockFile) {
  const path = join(root, lockFile)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

function isNewEnough(version) {
  const parts = version.split('.').map(Number)
  const at = oldestNode.findIndex((least, index) => parts[index] !== least)
  return at === -1 || parts[at] > oldestNode[at]
}

const hasNode = () => isNewEnough(process.versions.node) || existsSync(join(root, 'node_modules/.bin/node'))

/** Returns the reason for an install, or undefined. Optional packages may be absent: most are another platform's binaries. */
function whatIsMissing() {
  const installed = packagesIn('node_modules/.package-lock.json')
  if (Object.keys(installed).length === 0) return 'nothing is installed yet'
  for (const [folder, wanted] of Object.entries(packagesIn('package-lock.json'))) {
    if (!folder.includes('node_modules/')) continue
    const found = installed[folder]
    if (found === undefined) {
      if (wanted.optional) continue
      return `${folder} is missing`
    }
    if (found.version !== wanted.version) return `${folder} is ${found.version}, not ${wanted.version}`
    if (!existsSync(join(root, folder))) return `${folder} is gone`
  }
  if (!hasNode() && process.platform === 'linux' && process.arch === 'x64') return 'Node 24 is missing'
  return undefined
}

const missing = whatIsMissing()
if (missing !== undefined) {
  console.error(`Installing: ${missing}.`)
  const { status } = spawnSync('npm', ['ci', '--include=dev', '--include=optional'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error('npm ci failed: see above.')
    process.exit(status ?? 1)
  }
}

if (!hasNode()) {
  console.error(`Varve needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`)
  console.error('On Linux x64 the install brings its own. Elsewhere, install Node 24.')
  process.exit(1)
}
