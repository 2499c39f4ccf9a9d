import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { CommandError } from '../command-error.ts'
import { number } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { commandLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { counted, note, print, printJson } from '../terminal.ts'

interface CompactFlags extends GlobalFlags {
  readonly session: string
  readonly maxTokens: number
}

interface Compacted {
  readonly messages: readonly object[]
  /** Of those that were given. */
  readonly kept: number
  readonly tokens: number
  /** Whether notes stand in the place of what was left out. */
  readonly notes: boolean
}

const after = `
Reads a JSON array of messages: of the AI SDK (ModelMessage or UIMessage), of
Chat Completions, of Anthropic, or of Varve. What comes out has the same shape:
the system messages, the session's notes, and the newest messages that fit.

  $ varve compact conversation.json --session monday --max-tokens 8000 > shorter.json`

export function addCompact(program: Command): void {
  program
    .command('compact')
    .description('cut a conversation to a token budget, with notes in the place of what is left out; no model is called')
    .argument('[file]', 'a JSON array of messages (default: read from stdin)')
    .requiredOption('--session <id>', 'the session that the conversation is stored in: its notes are used')
    .requiredOption('--max-tokens <n>', 'the budget in exact o200k_base tokens', number)
    .addHelpText('after', after)
    .action(async (file: string | undefined, _flags: unknown, command: Command) => compact(file, command.optsWithGlobals<CompactFlags>()))
}

async function compact(file: string | undefined, flags: CompactFlags): Promise<void> {
  const messages = listOf(await fileOrInput(file, 'a JSON array of messages'), file ?? 'stdin')
  const compacted = await withStore(flags, (handle, memory) => compactedBy(handle, memory, messages, flags))
  if (flags.json === true) return printJson(compacted)
  print(JSON.stringify(compacted.messages, undefined, 2))
  const { kept, tokens, notes } = compacted
  note(
    `${kept} of ${counted(messages.length, 'message')} kept, ${counted(tokens, 'token')} of at most ` +
      `${flags.maxTokens.toLocaleString('en')}${notes ? ', with notes in the place of the others' : ''}`,
  )
}

/** The event tells what came of it. */
async function compactedBy(
  handle: UserMemory,
  memory: Memory,
  messages: readonly object[],
  { session, maxTokens }: CompactFlags,
): Promise<Compacted> {
  const events = memory.events()
  const compacted = await handle.compact(messages, { session, maxTokens })
  if (messages.length === 0) return { messages: compacted, kept: 0, tokens: 0, notes: false }
  for await (const event of events) {
    if (event.type === 'compacted')
      return { messages: compacted, kept: event.kept, tokens: event.tokens, notes: compacted.length > event.kept }
  }
  return { messages: compacted, kept: compacted.length, tokens: 0, notes: false }
}

function listOf(text: string, from: string): readonly object[] {
  const parsed = parsedJson(text, from)
  if (!Array.isArray(parsed)) throw wrong(`${from} holds no JSON array of messages.`)
  const place = parsed.findIndex((message: unknown) => typeof message !== 'object' || message === null)
  if (place !== -1) throw wrong(`${from}: number ${place + 1} of the array is no message.`)
  return parsed
}

function parsedJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(`${from} is not JSON (${error instanceof Error ? error.message : String(error)}).`, error)
  }
}

function wrong(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'USAGE', exitCode: 2, next: commandLine('compact', '--help') }, { cause })
}
