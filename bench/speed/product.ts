import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type * as Product from '../../packages/varve/src/index.ts'
import type * as MiniLm from '../../packages/varve/src/models/minilm/minilm.ts'

/** The measured code: the sources, whose types Node strips as it loads them, or the users' package from `npm run build`. */
export const origins = ['source', 'built'] as const
export type Origin = (typeof origins)[number]

const files = { source: 'src/index.ts', built: 'dist/index.js' } as const
const modelFiles = { source: 'src/models/minilm/minilm.ts', built: 'dist/models/minilm/minilm.js' } as const

/** The option of `openMemory` for a search by words alone. */
export const withoutVectors = { embeddingModel: false } as const

/** Loads varve from one origin. */
export async function productFrom(origin: Origin): Promise<typeof Product> {
  // Both have the same exports.
  return (await import(pathOf(files[origin]))) as typeof Product
}

/** Loads the model that comes with varve, by itself. */
export async function modelFrom(origin: Origin): Promise<typeof MiniLm> {
  const model: typeof MiniLm = await import(pathOf(modelFiles[origin]))
  return model
}

export function isThere(origin: Origin): boolean {
  return existsSync(pathOf(files[origin]))
}

function pathOf(file: string): string {
  return join(import.meta.dirname, '..', '..', 'packages', 'varve', file)
}
