import { jsonFault } from '../../errors/json-fault.ts'
import type { Command } from 'commander'
import type { Memory } from '../../memory/memory.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { compactOperation } from '../../operations/compact.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { type CommandError, wrongUsage } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { fileOrInput } from '../input.ts'
import { commandLine } from '../next-command.ts'
import { withStore } from '../open-store.ts'
import { counted, note, print, printJson } from '../terminal.ts'

type Budget = InputOf<typeof compactOperation, 'messages'>

const after = `
Reads a JSON array of messages: of the AI SDK (ModelMessage or UIMessage), of
Chat Completions, of Anthropic, or of Varve. The output has the same shape:
the system messages, the session's notes, and the newest messages that fit.

  $ varve compact conversation.json --session monday --max-tokens 8000 > shorter.json`

export function addCompact(program: Command): void {
  addCommand(program, 'compact [file]', compactOperation, compact, {
    about: 'cuts a conversation to a token budget, with notes in place of the messages left out; calls no model',
    help: { file: 'a JSON array of messages (default: read from stdin)' },
    except: ['messages'],
  }).addHelpText('after', after)
}

async function compact(budget: Budget, { file, ...flags }: GlobalFlags & { readonly file?: string }): Promise<void> {
  const messages = listOf(await fileOrInput(file, 'a JSON array of messages'), file ?? 'stdin')
  const compacted = await withStore(flags, (handle, memory) => compactedBy(handle, memory, messages, budget))
  if (flags.json === true) return printJson(compacted)
  print(JSON.stringify(compacted.messages, undefined, 2))
  const { kept, tokens, notes } = compacted
  note(
    `${kept} of ${counted(messages.length, 'message')} kept, ${counted(tokens, 'token')} of at most ` +
      `${budget.maxTokens.toLocaleString('en')}${notes ? ', with notes in the place of the others' : ''}`,
  )
}

/** Compacts messages, and reads the counts from the event. */
async function compactedBy(handle: UserMemory, memory: Memory, messages: readonly object[], budget: Budget) {
  const events = memory.events()
  const compacted = await handle.compact(messages, budget)
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
    throw wrong(`${from} is not JSON (${jsonFault(error)}).`)
  }
}

function wrong(message: string, cause?: unknown): CommandError {
  return wrongUsage(message, commandLine('compact', '--help'), cause)
}
