import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { projectOfFolder } from '../../integrations/claude-code/folder-project.ts'
import { parseScope } from '../../scope/scope.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { wrongUsage } from '../command-error.ts'
import { usualStore } from '../hook-line.ts'
import type { Manifest } from '../manifest.ts'
import { storeFile } from '../open-store.ts'
import { shell } from '../shell.ts'
import type { ServerEntry } from './toml-file.ts'

export interface CommandFlags extends GlobalFlags {
  readonly npx?: boolean
  /** A server to ask in place of the store. */
  readonly url?: string
}

/**
 * Gives the command with which another program starts this Varve, in any folder and without this shell's variables: Node and
 * Varve by their whole paths, or npx with this version. What a variable says of the memory is written out. A key never is.
 */
export function ownCommand(words: readonly string[], flags: CommandFlags, { version }: Manifest): ServerEntry {
  const { env } = shell()
  const { store = env['VARVE_STORE'] || usualStore(), project, user, url } = flags
  parseScope({ ...(project === undefined || project === projectOfFolder ? {} : { project }), ...(user === undefined ? {} : { user }) })
  const place = url === undefined ? ['--store', storeFile({ store })] : ['--url', url]
  const said = [...words, ...place, ...flag('--project', project), ...flag('--user', user)]
  const main = realpathSync(fileURLToPath(new URL('../main.ts', import.meta.url)))
  // The folder of npx is emptied at some time.
  if (flags.npx !== true && !/[\\/]_npx[\\/]/.test(main)) return { command: process.execPath, args: [main, ...said] }
  const npx = ['npx', '-y', `varve@${version}`, ...said]
  return process.platform === 'win32' ? { command: 'cmd', args: ['/c', ...npx] } : { command: 'npx', args: npx.slice(1) }
}

function flag(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}

/** Checks `--url`. The line stands in a file that may be shared: an address with a password would put it there. */
export function checkServer({ url, store }: CommandFlags, next: string): void {
  if (url === undefined) return
  if (store !== undefined) throw wrongUsage('--url and --store exclude each other: one of the two holds the memory.', next)
  const { protocol = '', username, password, search, hash }: Partial<URL> = URL.canParse(url) ? new URL(url) : {}
  if (/^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')) return
  throw wrongUsage('--url must be an address of http or https, without a user, a password or a query. The key is in VARVE_KEY.', next)
}
