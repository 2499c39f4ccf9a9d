import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type * as Product from '../../packages/varve/src/index.ts'


/** What is measured: the sources, whose types Node strips as it loads them, or what `npm run build` made of them, as users have it. */
export const origins = ['source', 'built'] as const
export type Origin = (typeof origins)[number]

const files = { source: 'src/index.ts', built: 'dist/index.js' } as const

/** Loads varve from one or the other. */
export async function productFrom(origin: Origin): Promise<typeof Product> {
  // Both have the same exports.
  return await import(fileOf(origin)) as typeof Product
}

export function isThere(origin: Origin): boolean {
  return existsSync(fileOf(origin))
}

function fileOf(origin: Origin): string {
  return join(import.meta.dirname, '..', '..', 'packages', 'varve', files[origin])
}
