import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { streamLines } from '../importers/json-lines.ts'
import type { Memory } from '../memory/memory.ts'
import { parsedReceipt } from '../operations/receipt-check.ts'
import { CommandError } from './command-error.ts'
import { shellQuoted, thisLine } from './next-command.ts'
import { shell } from './shell.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

/** A line of a file with receipts. It may hold none. */
export interface ReceiptLine {
  /** Its number, from 1. */
  readonly line: number
  /** Its length in bytes. */
  readonly bytes: number
  readonly receipt: Receipt | undefined
}

/** The longest line that is read. A receipt of a million single messages takes 3 MB. */
const maxLineBytes = 32 * 1024 * 1024

/** Reads a file, or stdin for `-`, with a receipt in each line, a line at a time. Blank lines are passed over. */
export async function* receiptsIn(file: string): AsyncGenerator<ReceiptLine> {
  // A line with a broken character holds no receipt.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  for await (const found of streamLines(file === '-' ? stdinBytes() : fileBytes(file), maxLineBytes)) {
    line += 1
    if (found.kind === 'too long') yield { line, bytes: 0, receipt: undefined }
    else if (!isBlank(found.bytes)) yield { line, bytes: found.bytes.length, receipt: receiptIn(found.bytes, decoder) }
  }
}

function receiptIn(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Receipt | undefined {
  try {
    return parsedReceipt(JSON.parse(decoder.decode(bytes)))
  } catch (error) {
    // The caller reports the line by its number.
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

/** Tells whether a line has spaces, tabs and carriage returns at most. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

async function* stdinBytes(): AsyncGenerator<Uint8Array> {
  const { stdin } = shell()
  if (stdin.isTTY) throw unreadable('a list of receipts is read from stdin, and stdin is a terminal.', `cat receipts.jsonl | ${thisLine()}`)
  yield* unpacked('stdin', chunksOf(stdin))
}

async function* fileBytes(file: string): AsyncGenerator<Uint8Array> {
  const look = `ls -l ${shellQuoted(file)}`
  try {
    // Before the file is opened: to open a pipe waits for its writer, maybe for ever.
    if (!(await stat(file)).isFile())
      throw unreadable(`${file} is no file. A pipe is read as - (stdin).`, `cat receipts.jsonl | ${thisLine()}`)
    yield* unpacked(file, chunksOf(createReadStream(file)))
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error && 'code' in error)) throw error
    throw unreadable(`${file} cannot be read (${error.message}).`, look, error)
  }
}

async function* chunksOf(stream: AsyncIterable<string | Buffer>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield Buffer.from(chunk)
}

/** Passes bytes on, unless they are packed with gzip: not one of their lines would be a receipt. */
async function* unpacked(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of bytes) {
    if (isFirst && chunk[0] === 0x1f && chunk[1] === 0x8b)
      throw unreadable(`${name} is packed with gzip: unpack it.`, `gunzip -c receipts.jsonl.gz | ${thisLine()}`)
    isFirst = false
    yield chunk
  }
}

function unreadable(message: string, next: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'NO_INPUT', exitCode: 1, next }, { cause })
}
