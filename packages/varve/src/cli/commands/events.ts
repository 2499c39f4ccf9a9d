import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { between, flag, whole } from '../../operations/fields.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { receiptLine } from '../render/receipts.ts'
import { runLines } from '../render/upkeep-run.ts'
import { stopOn } from '../stopping.ts'
import { looksAt, type StoreEvent } from '../store-events.ts'
import { columns, harmless, harmlessLine, minute, note, paragraph, print, printJson } from '../terminal.ts'

/** The pause between two looks at the store. */
const pauseMs = 1_000

/** The most lines of a message's text. */
const mostLines = 8
const longestSeconds = 86_400

const after = `
Looks at the store every second, and tells what any process did to it: new messages
of the user, erasures, layers that were read or changed. Without --user also erasures
of the whole project, and runs of upkeep, of all projects where none is named.
Ctrl-C ends it.

  $ varve events --user ada
  $ varve events --json --seconds 60`

const fields = {
  about: 'follows what happens in the store: new messages, erasures, layers, runs of upkeep',
  input: () => ({
    limit: whole(1).optional().describe('Ends after so many events. Default: goes on.'),
    seconds: between(0, longestSeconds).optional().describe('Ends after so many seconds. Default: goes on.'),
    text: flag().default(false).describe('Also shows the text of messages. Default false.'),
  }),
}

export function addEvents(program: Command): void {
  addCommand(program, 'events', fields, events).addHelpText('after', after)
}

async function events(input: InputOf<typeof fields>, flags: GlobalFlags): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY, text = false } = input
  using stopping = stopOn('SIGINT', 'SIGTERM')
  const { signal } = stopping
  const until = performance.now() + seconds * 1_000
  const show = flags.json === true ? showJson : showLines
  await withStore(
    flags,
    async (handle, memory) => {
      const looks = looksAt(memory, handle, flags)
      await looks.next()
      note('Following; Ctrl-C ends it.')
      for (let told = 0; !signal.aborted;) {
        const left = until - performance.now()
        if (left <= 0) return
        await pause(Math.min(pauseMs, left), undefined, { signal }).catch(unlessAborted(signal))
        if (signal.aborted) return
        for (const event of (await looks.next()).value ?? []) {
          show(event, text)
          told += 1
          if (told === limit) return
        }
      }
    },
    { warn: 'at once' },
  )
}

function unlessAborted(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error
  }
}

function showJson(event: StoreEvent, text: boolean): void {
  if (event.type === 'other') {
    const { id: _, ...change } = event.change
    return printJson(change)
  }
  if (event.type !== 'message') return printJson(event)
  const { id, session, seq, role, name, at, recordedAt, content } = event.message
  const said = { id, session, seq, role, ...(name === undefined ? {} : { name }), at, recordedAt }
  printJson({ type: event.type, message: { ...said, ...(text ? { content } : {}) } })
}

function showLines(event: StoreEvent, text: boolean): void {
  if (event.type === 'upkeep') return runLines(event.run).forEach(print)
  if (event.type === 'missed') return print('missed  some of what happened is no longer known')
  if (event.type === 'other') {
    const { type, at, session, layer } = event.change
    return print([type, minute(at), ...[session, layer].flatMap((one) => (one === undefined ? [] : [harmlessLine(one)]))].join('  '))
  }
  if (event.type !== 'message') return print(`${event.type}  ${receiptLine(event.receipt)}`)
  const { recordedAt, session, seq, role, name, id, content } = event.message
  print(`message  ${minute(recordedAt)}  ${harmlessLine(`${session} #${seq}`)}  ${harmlessLine(name ?? role)}  ${id}`)
  if (text) for (const line of paragraph(harmless(content), { indent: '   ', width: columns(), mostLines })) print(line)
}
