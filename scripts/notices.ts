// Collects the licences of the packages whose code is in the published files, as these licences ask.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Returns a text that names each package of these modules with its licence. Fails when a licence's text is missing. */
export function noticesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
  const notices = [...new Set(folders)].sort().map(noticeOf)
  return `The files of this folder contain code of these packages.\n\n${notices.join('\n\n')}\n`
}

function noticeOf(folder: string): string {
  const { name, version, license = 'none' }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = globSync('{LICEN[CS]E,licen[cs]e,NOTICE}{,.md,.txt}', { cwd: folder })
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  // One package of the AI SDK comes without the text of the licence that it names.
  if (texts.length === 0 && license === 'Apache-2.0') texts.push('The text of this licence is in the file LICENSE of Varve.')
  if (texts.length === 0) throw new RangeError(`${name} has no file with its licence (${license}), so its code cannot be put in`)
  return `## ${name} ${version} (${license})\n\n${texts.join('\n\n')}`
}
