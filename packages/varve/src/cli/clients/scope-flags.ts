import { type Command, Option } from 'commander'
import { shell } from '../shell.ts'
import type { ClientMachine, ClientScope } from './client-places.ts'

const meanings: Readonly<Record<ClientScope, string>> = {
  user: 'yours, in every folder',
  project: 'of this folder, for all who work in it',
  local: 'of this folder, for you',
}

/** Adds the flags of a command that changes another program's settings. */
export function addScope(command: Command, scopes: readonly ClientScope[]): Command {
  const help = `whose settings: ${scopes.map((scope) => `${scope} (${meanings[scope]})`).join(', ')}`
  return command
    .addOption(new Option('--scope <scope>', help).choices(scopes).default('user'))
    .option('--dry-run', 'shows the changed lines, and writes nothing')
    .option('--yes', 'writes without a question')
}

export function machineHere(): ClientMachine {
  return { platform: process.platform, env: shell().env, cwd: process.cwd() }
}
