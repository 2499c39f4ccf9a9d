import { type Command, Option } from 'commander'
import { InvalidMessage } from '../../errors/invalid-message.ts'
import { type MessageInput, type Role, roles } from '../../messages/message.ts'
import type { AppendResult } from '../../log/append-result.ts'
import { CommandError } from '../command-error.ts'
import { time } from '../flag-values.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { readInput } from '../input.ts'
import { commandLine } from '../next-command.ts'
import { finishWriting, withNewStore } from '../open-store.ts'
import { counted, print, printJson } from '../terminal.ts'

interface AppendFlags extends GlobalFlags {
  readonly role?: Role
  readonly name?: string
  readonly at?: string
  readonly id?: string
  readonly jsonl?: boolean
}

const after = `
The text is stored as it is; of text from stdin, one newline at its end is
left out. With --jsonl, each line of stdin is a message as JSON: { "role",
"content", "at"?, "id"?, "name"?, … }. All of them are stored, or none.

  $ varve append monday "The kiosk opens on the 16th." --name Nando
  $ echo "Which one?" | varve append monday --role assistant
  $ varve append monday --jsonl < messages.jsonl`

export function addAppend(program: Command): void {
  program
    .command('append')
    .description('store a message of a conversation')
    .argument('<session>', 'the session it belongs to; made when it is new')
    .argument('[text]', 'what was said (default: read from stdin)')
    .addOption(new Option('--role <role>', 'who speaks (default: user)').choices(roles))
    .option('--name <name>', 'the name of who speaks')
    .option('--at <time>', 'when it was said: ISO 8601 with its offset (default: now)', time)
    .option('--id <id>', 'an id of your own: the same one in the same session is stored once')
    .addOption(new Option('--jsonl', 'read messages from stdin, one JSON object a line').conflicts(['role', 'name', 'at', 'id']))
    .addHelpText('after', after)
    .action(async (session: string, text: string | undefined, _flags: unknown, command: Command) => {
      await append(session, text, command.optsWithGlobals<AppendFlags>())
    })
}

async function append(session: string, text: string | undefined, flags: AppendFlags): Promise<void> {
  if (flags.jsonl === true && text !== undefined) {
    throw new CommandError('with --jsonl the messages are read from stdin, and a text was given too.', {
      code: 'USAGE',
      exitCode: 2,
      next: commandLine('append', '--help'),
    })
  }
  const lines = flags.jsonl === true ? jsonLines(await readInput('one message a line'), session) : undefined
  const messages = lines?.map(({ message }) => message) ?? [await oneMessage(text, flags)]
  await withNewStore(flags, async (handle, memory) => {
    const appended = await handle.append(session, messages).catch((error: unknown) => {
      throw error instanceof InvalidMessage && lines !== undefined ? refusedLine(error, lines) : error
    })
    // Told before what takes longer: it is stored.
    tell(appended, session, flags)
    await finishWriting(memory)
  })
}

function tell(appended: AppendResult, session: string, flags: AppendFlags): void {
  if (flags.json === true) return printJson(appended)
  const stored = appended.messages.length - appended.duplicates.length
  const duplicates = appended.duplicates.length === 0 ? '' : `; ${counted(appended.duplicates.length, 'duplicate')} left as they are`
  print(`Stored ${counted(stored, 'message')} in ${session}${duplicates}.`)
}

async function oneMessage(text: string | undefined, { role = 'user', name, at, id }: AppendFlags): Promise<MessageInput> {
  const content = text ?? (await readInput('the text')).replace(/\r?\n$/, '')
  return {
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(at === undefined ? {} : { at }),
    ...(id === undefined ? {} : { id }),
  }
}

interface Line {
  readonly number: number
  readonly message: MessageInput
}

function jsonLines(text: string, session: string): Line[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [{ number: index + 1, message: ofSession(session, parsed(line, index + 1), index + 1) }],
    )
}

/** Lines for an import name their session: one of another session is not this one's. */
function ofSession(session: string, message: MessageInput & { session?: unknown }, number: number): MessageInput {
  if ((message?.session ?? session) === session) return message
  throw badLine(
    number,
    `is of session ${JSON.stringify(message.session)}, not ${JSON.stringify(session)}: varve import takes lines of several sessions`,
  )
}

function parsed(line: string, number: number): MessageInput {
  try {
    // append checks every field of it.
    const message: MessageInput = JSON.parse(line)
    return message
  } catch (error) {
    throw badLine(number, `is not JSON (${error instanceof Error ? error.message : String(error)})`, error)
  }
}

function refusedLine(error: InvalidMessage, lines: readonly Line[]): CommandError {
  return badLine(lines[error.index]?.number ?? error.index + 1, `${error.field} ${error.reason}`, error)
}

function badLine(number: number, reason: string, cause?: unknown): CommandError {
  return new CommandError(
    `line ${number}: ${reason}. Nothing was stored.`,
    { code: 'USAGE', exitCode: 2, next: commandLine('append', '--help') },
    { cause },
  )
}
