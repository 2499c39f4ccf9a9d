import { once } from 'node:events'
import type { Command } from 'commander'
import { openMemoryIn } from '../../memory/memory.ts'
import { isThere, shownStore } from '../../memory/stores/standing-store.ts'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { oneOf, text, whole } from '../../operations/fields.ts'
import * as z from 'zod'
import { isLoopback } from '../../server/addresses.ts'
import type { UpstreamServer } from '../../server/proxy/proxy-options.ts'
import { logLevels } from '../../server/request-log.ts'
import { type MemoryServer, serveMemory, usualPort } from '../../server/serve-memory.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { commandLine, whose, whoseStore } from '../next-command.ts'
import { noteWarning, storeFile } from '../open-store.ts'
import { shell } from '../shell.ts'
import { stopOn } from '../stopping.ts'
import { harmlessLine, note, print, printJson } from '../terminal.ts'

const after = `
Serves this machine alone. The first start makes a key for everything and shows it
once; varve keys makes others. Elsewhere than on this machine it serves only a
store that has a key. Ctrl-C ends it, after the requests under way.

  $ varve serve
  $ varve serve --host 0.0.0.0 --allow-host memory.example`

const names = () => z.array(text()).optional()

const fields = {
  about: 'serves the store over HTTP',
  input: () => ({
    host: text().default('127.0.0.1').describe('The address to listen at. Default: 127.0.0.1, which is this machine alone.'),
    port: whole(0, 65_535).default(usualPort).describe(`The port; 0 takes a free one. Default: ${usualPort}.`),
    allowHost: names().describe('A name by which the server may be called.'),
    allowOrigin: names().describe('The origin of a page that may call it, such as https://app.example.'),
    openaiUrl: text()
      .optional()
      .describe('A server of OpenAI’s API: calls of that API here get memory and go on to it. Default: VARVE_OPENAI_URL, then none.'),
    anthropicUrl: text().optional().describe('The same for Anthropic’s API. Default: VARVE_ANTHROPIC_URL, then none.'),
    log: oneOf(logLevels).default('errors').describe('The requests to log on stderr, without content. Default: errors.'),
  }),
}

export function addServe(program: Command): void {
  addCommand(program, 'serve', fields, serve).addHelpText('after', after)
}

async function serve(input: InputOf<typeof fields>, flags: GlobalFlags): Promise<void> {
  const { host = '127.0.0.1', port = usualPort, allowHost = [], allowOrigin = [], log = 'errors' } = input
  const upstreams = { openai: upstream('OPENAI', input.openaiUrl), anthropic: upstream('ANTHROPIC', input.anthropicUrl) }
  using stopping = stopOn('SIGINT', 'SIGTERM')
  const file = storeFile(flags)
  // Nothing is made for a server that may not start.
  if (!isThere(file)) refuseWithoutKeys(host, flags)
  await using memory = await openMemoryIn(shell().env, {
    ...{ store: file, isolation: 'silent', logger: { warn: noteWarning } },
    ...(flags.notesDirectory === undefined ? {} : { notesDirectory: flags.notesDirectory }),
  })
  const hasKeys = (await memory.keys.list({ limit: 1 })).length > 0
  if (!hasKeys) refuseWithoutKeys(host, flags)
  const server = await serveMemory(memory, {
    ...{ host, port, file, log, allowHosts: allowHost, allowOrigins: allowOrigin, logSink: shell().stderr, upstreams },
  })
  try {
    // A server that could not start would have made a key that nobody saw.
    const key = hasKeys ? undefined : (await memory.keys.create({ name: 'first start', access: 'admin' })).key
    tell({ server, file, key }, flags)
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    note('Ends: requests under way are answered.')
  } finally {
    await server.close()
  }
}

/** Gives the server of a language model. Its key stands in a variable alone: a line would be in the list of processes. */
function upstream(name: string, typed: string | undefined): UpstreamServer | undefined {
  const { env } = shell()
  const url = typed ?? env[`VARVE_${name}_URL`]
  if (url === undefined || url.trim() === '') return undefined
  const refused = (reason: string) => new InvalidConfiguration({ setting: `${name.toLowerCase()}Url`, reason })
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw refused('must be an address that begins with http:// or https://')
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') throw refused(`must have no name and no password: a key stands in VARVE_${name}_KEY`)
  const key = env[`VARVE_${name}_KEY`]
  return { url, ...(key === undefined || key === '' ? {} : { key }) }
}

/** Refuses to serve a store without a key elsewhere than on this machine. */
function refuseWithoutKeys(host: string, flags: GlobalFlags): void {
  if (isLoopback(host)) return
  throw new CommandError(`${host} can be reached from elsewhere, and this store has no key: make one first.`, {
    ...{ code: 'NO_KEYS', exitCode: 2, next: commandLine('keys', 'create', '--any-project', '--access', 'admin', ...whoseStore(flags)) },
  })
}

interface Started {
  readonly server: MemoryServer
  readonly file: string
  readonly key: string | undefined
}

function tell({ server: { url }, file, key }: Started, flags: GlobalFlags): void {
  if (flags.json === true) return printJson({ url, store: shownStore(file), ...(key === undefined ? {} : { key }) })
  print(`Varve serves ${harmlessLine(shownStore(file))}`)
  print(`  at       ${url}   (pages to read: ${url}/docs)`)
  if (key === undefined) print(`  key      one that was made before; another: ${commandLine('keys', 'create', ...whose(flags))}`)
  else print(`  key      ${key}\n           for everything, and shown this once: keep it`)
  print(`
To try it:
  $ curl ${url}/v1/projects/default/users/ada/sessions/hello/messages \\
      -H 'Authorization: Bearer ${key ?? '<key>'}' -H 'Content-Type: application/json' \\
      -d '{"messages": {"role": "user", "content": "The spare key hangs in the shed."}}'
In a program:
  import { connect } from 'varve/client'
  const memory = connect({ url: '${url}', key: process.env.VARVE_KEY })`)
}
