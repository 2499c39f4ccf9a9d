import type { GlobalFlags } from './global-flags.ts'
import { shell } from './shell.ts'

/** Tells how Varve was called, so that a printed command can be typed as it is. */
function program(): string {
  const environment = shell().env
  if (environment['npm_lifecycle_event'] === 'varve') return 'npm run -s varve --'
  return environment['npm_command'] === 'exec' ? 'npx varve' : 'varve'
}

/** Makes a command line to type. Arguments are quoted for a shell where they need it; a password is left out. */
export function commandLine(...args: readonly string[]): string {
  return [program(), ...args.map((arg) => shellQuoted(withoutPassword(arg)))].join(' ')
}

/** Takes the password out of an address of a server: a printed line is copied, and kept in logs. */
function withoutPassword(arg: string): string {
  if (!/^(?:--[\w-]+=)?postgres(?:ql)?:/i.test(arg)) return arg
  return arg.replace(/(:\/\/[^\s:@/?#]*):[^\s/?#]*@/, '$1@').replaceAll(/([?&](?:ssl)?password=)[^&]*/gi, '$1')
}

/** The variables that stand for a flag that names a memory. */
const variables = [
  ['--store', 'VARVE_STORE'],
  ['--project', 'VARVE_PROJECT'],
  ['--user', 'VARVE_USER'],
] as const

/**
 * Gives the line that is running, with more arguments. What a variable says is told with its flag: elsewhere the line would
 * be about another memory.
 */
export function thisLine(...more: readonly string[]): string {
  const { args, env } = shell()
  const said = (name: string): boolean => args.some((one) => one === name || one.startsWith(`${name}=`))
  const named = variables.flatMap(([name, variable]) =>
    said(name) ? [] : flag(name, env[variable]?.trim() === '' ? undefined : env[variable]),
  )
  return commandLine(...args, ...named, ...more)
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
