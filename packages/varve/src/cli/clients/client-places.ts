import { homedir } from 'node:os'
import { join } from 'node:path'

/** The machine on which a client keeps its settings. */
export interface ClientMachine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

export type ClientScope = 'user' | 'project' | 'local'

/** Gives the home folder. HOME goes first: a test, and a person, may set it. */
export function homeOf({ env, platform }: ClientMachine): string {
  return (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir()
}

/** Gives the folder of Claude Code's own settings. */
export function claudeFolder(machine: ClientMachine): string {
  return machine.env['CLAUDE_CONFIG_DIR'] || join(homeOf(machine), '.claude')
}

/** Gives the folder in which desktop programs keep their settings. */
export function applicationFolder(machine: ClientMachine): string {
  const home = homeOf(machine)
  if (machine.platform === 'win32') return machine.env['APPDATA'] || join(home, 'AppData', 'Roaming')
  if (machine.platform === 'darwin') return join(home, 'Library', 'Application Support')
  return machine.env['XDG_CONFIG_HOME'] || join(home, '.config')
}
