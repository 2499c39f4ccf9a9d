import { jsonFault } from '../../errors/json-fault.ts'
import { type Command, Option } from 'commander'
import { InvalidMessage } from '../../errors/invalid-message.ts'
import type { MessageInput } from '../../messages/message.ts'
import type { AppendResult } from '../../log/append-result.ts'
import { appendOperation } from '../../operations/append.ts'
import { ownerOfLine } from '../../importers/stated-owner.ts'
import { defaultProject } from '../../scope/scope.ts'
import { addCommand } from '../add-command.ts'
import { type CommandError, wrongUsage } from '../command-error.ts'
import { type GlobalFlags, ownFlags } from '../global-flags.ts'
import { readInput } from '../input.ts'
import { commandLine } from '../next-command.ts'
import { finishWriting, withNewStore } from '../open-store.ts'
import { counted, print, printJson } from '../terminal.ts'

interface AppendFlags extends GlobalFlags, Partial<Pick<MessageInput, 'role' | 'name' | 'at' | 'id'>> {
  readonly session: string
  readonly content?: string
  readonly jsonl?: boolean
  readonly restoreForgotten?: boolean
}

const after = `
The text is stored as given; one newline at the end of text from stdin is
left out. With --jsonl, each line of stdin is a message as JSON: { "role",
"content", "at"?, "id"?, "name"?, … }. All of them are stored, or none.

  $ varve append monday "The kiosk opens on the 16th." --name Nando
  $ echo "Which one?" | varve append monday --role assistant
  $ varve append monday --jsonl < messages.jsonl`

export function addAppend(program: Command): void {
  addCommand(program, 'append <session> [content]', appendOperation, (_input, flags: AppendFlags) => append(flags), {
    about: 'stores a message of a conversation',
    help: {
      session: 'the session of the message; made when it is new',
      content: 'the text (default: read from stdin)',
      role: 'the speaker: user, assistant, tool or system (default: user)',
    },
    except: ['messages'],
    inside: 'messages',
  })
    .addOption(new Option('--jsonl', 'reads messages from stdin, one JSON object a line').conflicts(['role', 'name', 'at', 'id']))
    .addHelpText('after', after)
}

async function append(flags: AppendFlags): Promise<void> {
  const { session, restoreForgotten = false } = flags
  if (flags.jsonl === true && flags.content !== undefined) {
    throw wrongUsage('--jsonl reads the messages from stdin, so no text can be given too.', commandLine('append', '--help'))
  }
  const lines = flags.jsonl === true ? jsonLines(await readInput('one message a line'), session, flags) : undefined
  const messages = lines?.map(({ message }) => message) ?? [await oneMessage(flags)]
  await withNewStore(flags, async (handle, memory) => {
    const appended = await handle.append(session, messages, { restoreForgotten }).catch((error: unknown) => {
      throw error instanceof InvalidMessage && lines !== undefined ? refusedLine(error, lines) : error
    })
    // The messages are stored: this is told before the vectors, which take longer.
    tell(appended, session, flags)
    await finishWriting(memory)
  })
}

function tell(appended: AppendResult, session: string, flags: AppendFlags): void {
  if (flags.json === true) return printJson(appended)
  const stored = appended.messages.length - appended.duplicates.length
  const duplicates = appended.duplicates.length === 0 ? '' : `; ${counted(appended.duplicates.length, 'duplicate')} left as they are`
  const empty = appended.skipped.length === 0 ? '' : `; ${counted(appended.skipped.length, 'message')} without a word left out`
  const forgotten =
    appended.forgotten === undefined ? '' : `; ${appended.forgotten.length} forgotten before and left out (--restore-forgotten stores them)`
  print(`Stored ${counted(stored, 'message')} in ${session}${duplicates}${empty}${forgotten}.`)
}

async function oneMessage(flags: AppendFlags): Promise<MessageInput> {
  const { session: _session, jsonl: _jsonl, restoreForgotten: _restore, content, ...said } = ownFlags(flags)
  return { role: 'user', content: content ?? (await readInput('the text')).replace(/\r?\n$/, ''), ...said }
}

interface Line {
  readonly number: number
  readonly message: MessageInput
}

function jsonLines(text: string, session: string, flags: GlobalFlags): Line[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === ''
        ? []
        : [{ number: index + 1, message: ofOwner(flags, ofSession(session, parsed(line, index + 1), index + 1), index + 1) }],
    )
}

/** Refuses a line of another session. Lines for an import may name their session. */
function ofSession(session: string, message: MessageInput & { session?: unknown }, number: number): MessageInput {
  if ((message?.session ?? session) === session) return message
  throw badLine(
    number,
    `is of session ${JSON.stringify(message.session)}, not ${JSON.stringify(session)}: varve import takes lines of several sessions`,
  )
}

/** Refuses a line that names another user or project: it would be stored as this one's. */
function ofOwner({ project = defaultProject, user }: GlobalFlags, message: MessageInput, number: number): MessageInput {
  const owner = ownerOfLine(message)
  if (owner === undefined) return message
  if (owner !== 'unreadable' && (owner.user ?? user) === user && (owner.project ?? project) === project) return message
  throw badLine(number, 'names another user or project, or none that can be read: varve import --route takes lines of several users')
}

function parsed(line: string, number: number): MessageInput {
  try {
    // The operation checks each field.
    const message: MessageInput = JSON.parse(line)
    return message
  } catch (error) {
    throw badLine(number, `is not JSON (${jsonFault(error)})`)
  }
}

function refusedLine(error: InvalidMessage, lines: readonly Line[]): CommandError {
  return badLine(lines[error.index]?.number ?? error.index + 1, `${error.field} ${error.reason}`, error)
}

function badLine(number: number, reason: string, cause?: unknown): CommandError {
  return wrongUsage(`line ${number}: ${reason}. Nothing was stored.`, commandLine('append', '--help'), cause)
}
