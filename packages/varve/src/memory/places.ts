import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { shown } from '../errors/shown.ts'
import { AddressFault, postgresAddress } from '../storage/postgres/address.ts'

/** The place of a store that ends with its process. */
export const inMemory = ':memory:'

/** The machine that a path is meant for. */
export interface Machine {
  readonly platform: NodeJS.Platform
  /** The folder that `~` stands for. */
  readonly home: string
}

const thisMachine = (): Machine => ({ platform: process.platform, home: homedir() })

/** Refuses a place: `reason` says what was received, and what to write in its place. */
type Refuse = (reason: string) => never

const storeForms = 'write a path such as ./varve.db, sqlite:path, memory:, or postgres://user:password@host/database'
const folderForms = 'write the path of a folder, such as ./notes'

/** A drive letter is no scheme. */
const withScheme = /^([a-z][a-z0-9+.-]+):(.*)$/is
const ofMemory = /^(?:memory:|:memory:|sqlite::memory:|sqlite:\/\/\/?:memory:|file::memory:)$/i
/** What other programs call a store in memory. As a file it would keep words that were meant to end. */
const meantMemory = /^(?:(?:sqlite|file):(?:\/\/)?)?:?(?:in[-_ ]?)?memory(?:[:?].*)?$|^\w+:.*[?&]mode=memory\b/is
/** A word that may stand in an error. Another may be a key in the wrong place. */
const plainWord = /^[\w -]{1,24}$/
const control = /\p{Cc}/u

/**
 * Gives the absolute path of a store, `inMemory`, or the address of a PostgreSQL server as it is. Refuses whatever is
 * neither: another database's address or a bare word would become a file in the working directory.
 */
export function storePlace(received: unknown, setting: string, machine: Machine = thisMachine()): string {
  const refuse = refusal(setting, storeForms)
  const store = checkedText(received, refuse)
  if (ofMemory.test(store)) return inMemory
  if (meantMemory.test(store)) return refuse('received another program’s words for a store in memory; write memory:')
  const [, scheme = '', rest = ''] = withScheme.exec(store) ?? []
  if (scheme === '') return resolve(named(pathIn(store, machine, refuse), 'file', refuse, machine))
  if (/^sqlite$/i.test(scheme)) return resolve(ofSqlite(rest, machine, refuse))
  if (/^file$/i.test(scheme)) return resolve(ofFileUrl(rest, machine, refuse))
  if (isPostgres(store)) return ofPostgres(store, refuse)
  return refuse(`received an address that begins with ${schemeShown(scheme)}, and Varve has no such store; ${storeForms}`)
}

/** Tells whether a place is the address of a PostgreSQL server. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:/i.test(place)
}

/** Gives the absolute path of a folder. Refuses an address or a bare word, as for a store. */
export function folderPlace(received: unknown, setting: string, machine: Machine = thisMachine()): string {
  const refuse = refusal(setting, folderForms)
  const folder = checkedText(received, refuse)
  const scheme = withScheme.exec(folder)?.[1]
  if (scheme !== undefined) return refuse(`received an address that begins with ${schemeShown(scheme)}; ${folderForms}`)
  return resolve(named(pathIn(folder, machine, refuse), 'folder', refuse, machine))
}

function refusal(setting: string, forms: string): Refuse & { readonly forms: string } {
  const refuse = (reason: string): never => {
    throw new InvalidConfiguration({ setting, reason })
  }
  return Object.assign(refuse, { forms })
}

function checkedText(received: unknown, refuse: Refuse & { readonly forms: string }): string {
  if (typeof received !== 'string' || received.trim() === '') return refuse(`received ${shown(received)}; ${refuse.forms}`)
  if (control.test(received)) return refuse('has a control character, such as the end of a line; leave it out')
  if (received.trim() !== received) return refuse('begins or ends with a blank; leave the blank out')
  return received
}

function ofPostgres(place: string, refuse: Refuse): string {
  try {
    postgresAddress(place)
    return place
  } catch (error) {
    if (error instanceof AddressFault) return refuse(error.message)
    throw error
  }
}

function ofSqlite(rest: string, machine: Machine, refuse: Refuse): string {
  const path = rest.startsWith('//') ? rest.slice(2) : rest
  if (path === '') return refuse(`received sqlite: without a path; ${storeForms}`)
  if (path.includes('?')) return refuse('has parameters after a ?, and Varve reads none; write the path alone, such as sqlite:./varve.db')
  if (withScheme.test(path)) return refuse('has a second scheme after sqlite:; write the path alone, such as sqlite:./varve.db')
  // What follows two slashes is a host's name in an address.
  if (path !== rest && !beginsAsPath(path))
    return refuse('names a host after sqlite://; write sqlite:./varve.db, or sqlite:/ and the rest of an absolute path')
  return notAFolder(pathIn(path, machine, refuse), refuse, machine)
}

function ofFileUrl(rest: string, machine: Machine, refuse: Refuse): string {
  if (/[?#]/.test(rest)) return refuse('has parameters after the path, and Varve reads none; write the path alone, such as file:./varve.db')
  if (!rest.startsWith('/')) {
    if (rest === '' || withScheme.test(rest)) return refuse(`received file: without a path; ${storeForms}`)
    return notAFolder(pathIn(rest, machine, refuse), refuse, machine)
  }
  try {
    return notAFolder(fileURLToPath(`file:${rest}`, { windows: machine.platform === 'win32' }), refuse, machine)
  } catch (error) {
    if (error instanceof InvalidConfiguration) throw error
    return refuse('is no address of a file on this machine; write file:/// and an absolute path, or the path alone')
  }
}

/** Puts the home folder where `~` stands: no shell does so in a variable or after `--store=`. */
function pathIn(path: string, { platform, home }: Machine, refuse: Refuse): string {
  if (platform !== 'win32' && (/^[a-z]:/i.test(path) || path.includes('\\')))
    return refuse(`received a path of Windows on ${platform}; write it with / and without a drive`)
  if (/^~(?=$|[/\\])/.test(path)) return join(home, path.slice(1))
  if (path.startsWith('~')) return refuse('begins with the home folder of another user; write its whole path')
  return path
}

/** Refuses a word that nothing marks as a path: no separator, no leading dot, no extension. */
function named(path: string, kind: 'file' | 'folder', refuse: Refuse, machine: Machine): string {
  const marked = beginsAsPath(path) || path.includes('/') || path.includes('\\') || (kind === 'file' && /\.[a-z][a-z0-9]*$/i.test(path))
  if (marked) return kind === 'file' ? notAFolder(path, refuse, machine) : path
  const word = plainWord.test(path) ? path : undefined
  const received = word === undefined ? `a word (${shown(path)})` : `the word ${word}`
  const orMemory = kind === 'file' ? ', or memory: for a store in memory' : ''
  return refuse(`received ${received}, which names no ${kind}; write ./${word ?? 'name'} for a ${kind} of that name${orMemory}`)
}

function beginsAsPath(path: string): boolean {
  return /^(?:[/\\.~]|[a-z]:)/i.test(path)
}

function notAFolder(path: string, refuse: Refuse, { platform }: Machine): string {
  const isFolder = /(?:^|\/)\.{0,2}$/.test(platform === 'win32' ? path.replaceAll('\\', '/') : path)
  return isFolder ? refuse('names a folder; write the path of a file in it, such as ./varve.db') : path
}

function schemeShown(scheme: string): string {
  return scheme.length <= 24 ? `${scheme}:` : 'an unknown scheme'
}
