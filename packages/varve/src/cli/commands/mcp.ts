import type { Command } from 'commander'
import { Readable } from 'node:stream'
import { StoreGone } from '../../errors/store-gone.ts'
import { VarveError } from '../../errors/varve-error.ts'
import type { Calls } from '../../memory/calls/calls.ts'
import { type Memory, openMemoryIn } from '../../memory/memory.ts'
import { flag, onlySession, text } from '../../operations/fields.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { McpMeans } from '../../mcp/mcp-means.ts'
import { isThere, standingStore } from '../../memory/stores/standing-store.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import type { Manifest } from '../manifest.ts'
import { commandLine, whose } from '../next-command.ts'
import { addMcpInstall } from './mcp-install.ts'
import { noteWarning, scopeOf, storeFile } from '../open-store.ts'
import { shell } from '../shell.ts'
import { stopOn } from '../stopping.ts'

const after = `
For programs of agents, which start it and speak MCP on stdin and stdout. The store
is opened when the first tool is used. It ends with its stdin.

  $ varve mcp --user ada
  $ VARVE_KEY=… varve mcp --url http://127.0.0.1:8737 --user ada`

const fields = {
  about: 'serves the memory of one user to an agent’s program, over MCP on stdin and stdout',
  input: () => ({
    session: onlySession().describe('The session of the agent: what it writes goes with it.'),
    readOnly: flag().default(false).describe('Offers only tools that read.'),
    tools: flag().default(false).describe('Offers the tools of every room, beside the usual five.'),
    readings: flag()
      .default(false)
      .describe('Offers reading_next and reading_done: the agent’s own model reads what is due, where the project allows it.'),
    url: text().optional().describe('A server of Varve whose memory it is, in place of a store. The key is in VARVE_KEY.'),
  }),
}

/** Adds the command: by itself it serves, and below it are those that write it into programs' settings. */
export function addMcp(program: Command, manifest: Manifest): void {
  const mcp = addCommand(program, 'mcp', fields, (input, flags) => serve(input, flags, manifest)).addHelpText('after', after)
  addMcpInstall(mcp, fields, manifest)
}

/** The calls of one user, and what to do when they are over. */
interface Door extends AsyncDisposable {
  readonly means: Pick<McpMeans, 'make' | 'markOf'>
}

/** A store that is open, the calls of its user, and whether its path has the same file still. */
interface OpenStore {
  readonly memory: Memory
  readonly calls: Calls<PartitionMeans>
  readonly stands: () => boolean
}

async function serve(input: InputOf<typeof fields>, flags: GlobalFlags, { version }: Manifest): Promise<void> {
  const here = shell()
  // A client that left reads nothing more; the store is closed all the same.
  here.goesOn = true
  using stopping = stopOn('SIGINT', 'SIGTERM')
  const { session, readOnly = false, tools: allTools = false, readings = false, url } = input
  await using door = url === undefined ? doorOfStore(flags, readOnly) : await doorOfServer(url, flags)
  const { serveOnStdio } = await import('../../mcp/serve-stdio.ts')
  const stdin = here.stdin instanceof Readable ? here.stdin : Readable.from(here.stdin)
  await serveOnStdio(
    { ...door.means, version, readOnly, allTools, readings, ...(session === undefined ? {} : { session }) },
    { stdin, stdout: here.stdout, signal: stopping.signal, onFault: tellFaultOnce() },
  )
  // After a signal the client's end may still be open, and would keep the process.
  stdin.destroy()
}

/** Tells once that something could not be read. What it was may be anybody's words. */
function tellFaultOnce(): () => void {
  let isTold = false
  return () => {
    if (!isTold) noteWarning('the client sent something that is no message of MCP, or left before its answer.')
    isTold = true
  }
}

/** Gives the calls of a store, which is opened when the first call is made: a client waits for its first answer. */
function doorOfStore(flags: GlobalFlags, readOnly: boolean): Door {
  const scope = scopeOf(flags)
  const file = storeFile(flags)
  if (readOnly && !isThere(file)) {
    throw new CommandError(`there is no store at ${file}, and none was made.`, {
      ...{ code: 'NO_STORE', exitCode: 1, next: commandLine('import', 'conversations.json', ...whose(flags)) },
    })
  }
  let opening: Promise<OpenStore> | undefined
  let current: OpenStore | undefined
  let closing: Promise<unknown> | undefined
  let wasLost = false
  const opened = async (): Promise<OpenStore> => {
    const memory = await openMemoryIn(shell().env, {
      ...{ store: file, engine: shell().env['VARVE_ENGINE'] === 'threads' ? 'threads' : 'inline', logger: { warn: noteWarning } },
      ...(flags.notesDirectory === undefined ? {} : { notesDirectory: flags.notesDirectory }),
    })
    current = { memory, calls: memory.callsFor(scope), stands: standingStore(file) }
    return current
  }
  const letGo = async (store: OpenStore): Promise<void> => {
    if (current === store) {
      closing = Promise.allSettled([store.memory.close()])
      current = opening = undefined
    }
    await closing
  }
  const storeNow = async (): Promise<OpenStore> => {
    if (current?.stands() === false) {
      wasLost = true
      await letGo(current)
    }
    // Closed first: its log, left beside the path, would be taken for the log of the file that is there next.
    await closing
    if (wasLost && !isThere(file)) throw new StoreGone({ store: file })
    try {
      return await (opening ??= opened())
    } catch (error) {
      // Another process may have held it: the next call tries again.
      opening = undefined
      throw error
    }
  }
  return {
    means: {
      make: async (operation, given, call) => {
        const store = await storeNow()
        try {
          return await store.calls.call(operation, given, call)
        } catch (error) {
          // What is known of a damaged store may be wrong, and a lost file may be back: the next call opens it anew.
          const code = VarveError.is(error) ? error.code : undefined
          if (code === 'STORE_GONE') wasLost = true
          if (code === 'STORE_GONE' || code === 'STORE_DAMAGED') await letGo(store)
          throw error
        }
      },
      markOf: async (content) => (await storeNow()).memory.markOf(content),
    },
    [Symbol.asyncDispose]: async () => {
      // One that could not be opened has nothing to close.
      await Promise.allSettled([opening, closing])
      await current?.memory.close()
    },
  }
}

async function doorOfServer(url: string, flags: GlobalFlags): Promise<Door> {
  const [{ connect }, { callsOfHandle }] = await Promise.all([import('../../client/index.ts'), import('../../client/tools.ts')])
  const key = shell().env['VARVE_KEY']
  const memory = connect({ url, ...(key === undefined || key === '' ? {} : { key }) })
  return { means: { make: callsOfHandle(memory.for(scopeOf(flags))) }, [Symbol.asyncDispose]: () => memory.close() }
}
