import { existsSync } from 'node:fs'
import { join } from 'node:path'

// The other memories are not installed with the workspace: check before importing them.
if (existsSync(join(import.meta.dirname, 'node_modules', 'mem0ai'))) {
  const which = process.argv[2]
  await (which === 'isolation' ? import('./isolation.ts') : which === 'server' ? import('./on-server.ts') : import('./main.ts'))
} else {
  console.error('The other memories are not installed. Install them with: npm ci --prefix bench/peers')
  process.exitCode = 2
}
