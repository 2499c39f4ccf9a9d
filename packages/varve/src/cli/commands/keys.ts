import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import { keysOperations } from '../../operations/keys.ts'
import { defaultProject } from '../../scope/scope.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { wrongUsage } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whoseProject, whoseStore } from '../next-command.ts'
import { withNewStore, withStore } from '../open-store.ts'
import { keyLine, keyWords } from '../render/caller-key.ts'
import { note, print, printJson } from '../terminal.ts'
import { wholeId } from '../whole-id.ts'
import { wholeList } from '../whole-list.ts'

const ofStore = { of: 'store' } as const

const afterCreate = `
Without a flag, the key reads and writes what the project default holds, for all of
its users, and may claim every origin. Give each program the least that it needs:
a user where it serves one, --access read where it only asks, and --origins for an
agent that must not speak as a person. --any-project reaches the whole store.

stdout has the key alone, and it is shown this once. Only its hash is stored.

  $ varve keys create --project acme --name "the web app"
  $ varve keys create --project acme --user ada --access read
  $ varve keys create --project acme --origins assistant,tool --name agent
  $ varve keys create --project acme --impersonate --name gateway
  $ varve keys create --any-project --access admin --expires-at 2027-01-01`

const idHelp = "the key's id, a beginning of it (8 characters or more) that no other has, or the key itself up to its secret"

export function addKeys(program: Command): void {
  const keys = addCommand(program, 'keys', keysOperations.list, list, {
    about: 'keys of callers of the server: lists, makes and revokes them',
  })
  addCommand(keys, 'list', keysOperations.list, list, { about: 'lists the keys, as the command alone does' })
  addCommand(keys, 'create', keysOperations.create, create, { about: 'makes a key for a caller of the server, and shows it once' })
    .option('--any-project', 'reaches every project of the store, in place of one')
    .addHelpText('after', afterCreate)
  addCommand(keys, 'revoke <id>', keysOperations.revoke, revoke, { except: ['project'], help: { id: idHelp } })
}

interface CreateFlags extends GlobalFlags {
  readonly anyProject?: boolean
}

async function create(given: InputOf<typeof keysOperations.create>, flags: CreateFlags): Promise<void> {
  if (flags.anyProject === true && (flags.project !== undefined || flags.user !== undefined))
    throw wrongUsage(
      '--any-project reaches every project and user: leave out --project and --user, and unset VARVE_PROJECT and VARVE_USER.',
      commandLine('keys', 'create', '--help'),
    )
  const rights = flags.anyProject === true ? given : { ...given, project: given.project ?? defaultProject }
  const made = await withNewStore(unowned(flags), (_handle, memory) => memory.keys.create(rights), ofStore)
  if (flags.json === true) return printJson(made)
  note(`Key ${made.id}: ${keyWords(made)}.`)
  note('It is shown this once. Keep it now: the store has only its hash.')
  print(made.key)
  note(`Next: ${commandLine('keys', ...whoseProject(unowned(flags)))}`)
}

async function list({ limit, ...only }: InputOf<typeof keysOperations.list>, flags: GlobalFlags): Promise<void> {
  const keys = await withStore(
    unowned(flags),
    (_handle, memory) => wholeList(limit, (page) => memory.keys.list({ ...only, ...page })),
    ofStore,
  )
  if (flags.json === true) return printJson({ keys })
  if (keys.length === 0) return note('No key was made here.')
  for (const key of keys) print(keyLine(key))
}

async function revoke({ id }: InputOf<typeof keysOperations.revoke, 'project'>, flags: GlobalFlags): Promise<void> {
  const key = await withStore(unowned(flags), async (_handle, memory) => memory.keys.revoke(await keyIdFrom(memory, id, flags)), ofStore)
  if (flags.json === true) return printJson(key)
  print(`Revoked: ${keyLine(key)}`)
  note('A server that has the store open refuses it within a second.')
}

/** Keys belong to no one's memory, and `~` is no name of a handle. */
function unowned({ user: _user, ...flags }: GlobalFlags): GlobalFlags {
  return flags
}

/** A found key is revoked by its own beginning, which holds the id. */
async function keyIdFrom(memory: Memory, text: string, flags: GlobalFlags): Promise<string> {
  const [, hex] = /^varve_([\da-f]{32})(?:_|$)/.exec(text) ?? []
  if (hex !== undefined) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return wholeId(text, 'keys', () => memory.keys.list({ limit: 1_000 }), commandLine('keys', ...whoseStore(flags)))
}
