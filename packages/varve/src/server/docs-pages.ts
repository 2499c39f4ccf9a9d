import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundElsewhere } from '../packaged/packaged-file.ts'

/** A row of the reference of errors, as the build made it. */
export interface ErrorRow {
  readonly code: string
  readonly name: string
  readonly retry: string
  readonly facts: string
  readonly when: string
}

const texts = new Map<string, string>()

function textOf(address: () => URL, path: string): string {
  const known = texts.get(path)
  if (known !== undefined) return known
  const text = readFileSync(foundElsewhere(address, path) ?? address(), 'utf8')
  texts.set(path, text)
  return text
}

/** Reads the document of the API, which the build made of the operations. */
export function apiDocumentText(): string {
  return textOf(() => new URL('./openapi.json', import.meta.url), 'dist/server/openapi.json')
}

export function errorRows(): readonly ErrorRow[] {
  return JSON.parse(textOf(() => new URL('./errors.json', import.meta.url), 'dist/server/errors.json'))
}

/** Reads the index of the documents and the routes for agents. */
export function llmsText(): string {
  return textOf(llmsAddress, 'llms.txt')
}

function llmsAddress(): URL {
  return new URL('../../llms.txt', import.meta.url)
}

/** Reads a document of the package; undefined for a path that the index does not name. */
export async function documentPage(path: string): Promise<string | undefined> {
  // A path comes from outside: only those of the index are read.
  if (!llmsText().includes(`](docs/${path})`)) return undefined
  const home = dirname(fileURLToPath(foundElsewhere(llmsAddress, 'llms.txt') ?? llmsAddress()))
  // In the sources the documents stand at the root of the repository.
  const folder = existsSync(join(home, 'src')) ? join(home, '..', '..', 'docs') : join(home, 'docs')
  return readFile(join(folder, path), 'utf8')
}
