import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { CommandError, wrongUsage } from './command-error.ts'
import { shellQuoted, thisLine } from './next-command.ts'
import { shell } from './shell.ts'

/** The most bytes of stdin or a file. `varve import` takes more: it reads a stream. */
const maxInputBytes = 64 * 1024 * 1024

/** Reads all of stdin as text. On a terminal it refuses, and shows how to pipe a text in. */
export async function readInput(what: string): Promise<string> {
  if (shell().stdin.isTTY) {
    throw new CommandError(`${what} is read from stdin, and stdin is a terminal.`, {
      code: 'NO_INPUT',
      exitCode: 2,
      next: `echo 'The kiosk opens on the 16th.' | ${thisLine()}`,
    })
  }
  const all = await bytesIn(shell().stdin)
  if (all === undefined)
    throw wrongUsage(`stdin has more than ${maxInputBytes} bytes: put them in a file and import it.`, 'varve import --help')
  if (!isUtf8(all)) throw wrongUsage(`${what} is read from stdin as UTF-8, and this is not.`, thisLine())
  return new TextDecoder().decode(all)
}

/** Reads a stream to its end; undefined when it has too many bytes. A device has no end. */
async function bytesIn(stream: AsyncIterable<string | Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > maxInputBytes) return undefined
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}

/** Reads a text from a file, or from stdin without one. */
export function fileOrInput(file: string | undefined, what: string): Promise<string> {
  return file === undefined || file === '-' ? readInput(what) : readText(file)
}

async function readText(file: string): Promise<string> {
  const bytes = await bytesIn(createReadStream(file)).catch((error: unknown) => {
    throw new CommandError(
      `${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
      { code: 'NO_INPUT', exitCode: 1, next: `ls -l ${shellQuoted(file)}` },
      { cause: error },
    )
  })
  if (bytes === undefined) throw wrongUsage(`${file} has more than ${maxInputBytes} bytes.`, thisLine())
  if (!isUtf8(bytes)) throw wrongUsage(`${file} is not UTF-8.`, thisLine())
  return new TextDecoder().decode(bytes)
}

/** Gives back the text. For `-` it reads stdin, without one newline at the end. */
export async function textOrInput(text: string): Promise<string> {
  return text === '-' ? (await readInput('the text')).replace(/\r?\n$/, '') : text
}
