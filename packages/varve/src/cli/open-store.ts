import { NotFound } from '../errors/not-found.ts'
import { configure } from '../memory/configuration.ts'
import { type Memory, openMemoryIn } from '../memory/memory.ts'
import { isThere } from '../memory/stores/standing-store.ts'
import { parseScope, type ScopeInput } from '../scope/scope.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import { CommandError, wrongUsage } from './command-error.ts'
import type { GlobalFlags, YesFlags } from './global-flags.ts'
import { commandLine, whose } from './next-command.ts'
import { clearLineOnTerminal } from './progress.ts'
import { note } from './terminal.ts'
import { shell } from './shell.ts'
import { elsewhere, inOwnWords, isUnheard } from './whose-memory.ts'

/** Gives the absolute path of the store. Refuses a store in memory, which would end with the command. */
export function storeFile({ store }: GlobalFlags): string {
  const { file } = configure(store === undefined ? {} : { store }, shell().env)
  if (file !== ':memory:') return file
  throw wrongUsage(
    'memory: ends with the command, so the command line needs a store in a file.',
    commandLine('doctor', '--store', './varve.db'),
  )
}

/** Options for opening the store of a command. */
interface Opening {
  /** The time at which warnings are printed. Default: at the end. */
  readonly warn?: 'at once'
  /** The command is about the store or a project, and no one's memory: it tells nothing of a forgotten --user. */
  readonly of?: 'store'
  /** Vectors and layers are made while the command runs, since it stays for a while. */
  readonly upkeep?: 'background'
}

interface OpenedStore {
  readonly handle: UserMemory
  readonly memory: Memory
  readonly warnings: readonly string[]
}

/** Kinds that come of a user's own messages. Blocks and documents may be the project's. */
const restsOnTalk: ReadonlySet<NotFound['kind']> = new Set(['session', 'fact', 'message'])

/** Flags of a command that may just have erased all that there was, or that is about what a project shares. */
type Erasing = GlobalFlags & Pick<YesFlags, 'yes'> & { readonly shared?: boolean }

/** Prints a warning. A message that begins with no code is a notice. */
export function noteWarning(message: string): void {
  clearLineOnTerminal()
  note(`varve: ${/^[A-Z_]+: /.test(message) ? 'warning: ' : ''}${message}`)
}

/** Opens an existing store. Reading never makes one. */
export async function withStore<Result>(
  flags: GlobalFlags,
  use: (handle: UserMemory, memory: Memory) => Promise<Result>,
  opening: Opening = {},
): Promise<Result> {
  const file = storeFile(flags)
  if (!isThere(file)) {
    throw new CommandError(`there is no store at ${file}, and none was made.`, {
      code: 'NO_STORE',
      exitCode: 1,
      next: commandLine('import', 'conversations.json', ...whose(flags)),
    })
  }
  return withNewStore(flags, use, opening)
}

/** Opens a store, and makes it when there is none. */
export async function withNewStore<Result>(
  flags: GlobalFlags,
  use: (handle: UserMemory, memory: Memory) => Promise<Result>,
  opening: Opening = {},
): Promise<Result> {
  await using opened = await openHandle(flags, opening)
  const result = await use(opened.handle, opened.memory).catch(async (error: unknown) => {
    // What is missing here may be another's: a forgotten --user.
    if (error instanceof NotFound && restsOnTalk.has(error.kind) && flags.json !== true) await tellWarnings(opened, flags, opening)
    throw error
  })
  // An agent goes on without its memory. A person who asked wants to know that there was no answer.
  if (opened.memory.counters().failedOpen > 0) {
    throw new CommandError(opened.warnings.join(' '), { code: 'FAILED_OPEN', exitCode: 1, next: commandLine('doctor', ...whose(flags)) })
  }
  await tellWarnings(opened, flags, opening)
  return result
}

/** Prints the warnings of a command. Where nothing is stored for the meant user, it says that the store has others. */
async function tellWarnings({ handle, memory, warnings }: OpenedStore, flags: Erasing, { of }: Opening): Promise<void> {
  warnings.forEach(noteWarning)
  if (
    of === 'store' ||
    flags.shared === true ||
    flags.json === true ||
    flags.yes === true ||
    warnings.length > 0 ||
    !(await isUnheard(handle))
  )
    return
  const hint = await elsewhere(memory, flags)
  if (hint !== undefined) noteWarning(hint)
}

/** Opens a store, with a handle on it. Warnings are kept for the end, unless they are wanted at once. */
export async function openHandle(flags: GlobalFlags, opening: Opening = {}): Promise<OpenedStore & AsyncDisposable> {
  const scope = scopeOf(flags)
  const warnings: string[] = []
  const logger = {
    warn(message: string) {
      const told = inOwnWords(message, flags)
      if (opening.warn === 'at once') noteWarning(told)
      else warnings.push(told)
    },
  }
  const memory = await openMemoryIn(shell().env, {
    engine: shell().env['VARVE_ENGINE'] === 'threads' ? 'threads' : 'inline',
    store: storeFile(flags),
    upkeep: opening.upkeep ?? 'manual',
    logger,
    ...(opening.of === undefined ? {} : { isolation: 'silent' }),
    ...(flags.notesDirectory === undefined ? {} : { notesDirectory: flags.notesDirectory }),
  })
  return { handle: memory.for(scope), memory, warnings, [Symbol.asyncDispose]: () => memory.close() }
}

/** Finishes erasures that an earlier command could not: no process stays to do it. */
export async function finishErasures(memory: Memory): Promise<void> {
  await memory.upkeep.run({ maxSeconds: 5, kinds: ['erasures'] })
}

/** The longest time for vectors and erasures after a write. */
const secondsAfterWriting = 3

/** Makes the vectors of written text, and overwrites erased text: no process stays to do it. Calls no language model. */
export async function finishWriting(memory: Memory): Promise<void> {
  await memory.upkeep.run({ maxSeconds: secondsAfterWriting, kinds: ['erasures', 'embeddings'] })
}

/** Writes to an existing store, then makes vectors and finishes erasures. */
export function writing<Result>(flags: GlobalFlags, write: (handle: UserMemory, memory: Memory) => Promise<Result>): Promise<Result> {
  return withStore(flags, async (handle, memory) => {
    const result = await write(handle, memory)
    await finishWriting(memory)
    return result
  })
}

/** Checks and gives the scope. This comes before the store is opened: an invalid name must leave no new file behind. */
export function scopeOf({ project, user }: GlobalFlags): ScopeInput {
  const scope = { ...(project === undefined ? {} : { project }), ...(user === undefined ? {} : { user }) }
  parseScope(scope)
  return scope
}
