import type { GlobalFlags } from './global-flags.ts'
import { shell } from './shell.ts'

/** Tells how Varve was called, so that a printed command can be typed as it is. */
function program(): string {
  const environment = shell().env
  if (environment['npm_lifecycle_event'] === 'varve') return 'npm run -s varve --'
  return environment['npm_command'] === 'exec' ? 'npx varve' : 'varve'
}

/** Makes a command line to type. Arguments are quoted for a shell where they need it. */
export function commandLine(...args: readonly string[]): string {
  return [program(), ...args.map(shellQuoted)].join(' ')
}

/** Gives the line that is running, with more arguments. */
export function thisLine(...more: readonly string[]): string {
  return commandLine(...shell().args, ...more)
}

/** Gives the flags that name a memory, to repeat them in another command. */
export function whose({ store, project, user, notesDirectory }: GlobalFlags): string[] {
  return [...flag('--store', store), ...flag('--project', project), ...flag('--user', user), ...flag('--notes-directory', notesDirectory)]
}

/** Gives the same flags for a command on the whole store. */
export function whoseStore({ store }: GlobalFlags): string[] {
  return flag('--store', store)
}

/** Gives the same flags for a command on a project. */
export function whoseProject({ user: _user, ...flags }: GlobalFlags): string[] {
  return whose(flags)
}

/** Gives the line that switches a layer of a project on. */
export function switchingOn(layer: string, flags: GlobalFlags): string {
  return commandLine('settings', 'set', `layers.${layer}`, 'on', ...whoseProject(flags))
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

/** Quotes an argument for a shell, where it needs it. */
export function shellQuoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`
}
