import type { Command } from 'commander'
import { answerHookLine } from '../hook-line.ts'
import { readInput } from '../input.ts'
import { shell } from '../shell.ts'
import { note, print } from '../terminal.ts'

const after = `
Reads a hook's JSON on stdin, and writes the hook's JSON to stdout, if there is
something to tell. A hook that fails or is late writes nothing and ends with 0.
VARVE_HOOK_DEBUG=1 prints the reason. varve hooks install writes such lines.

  $ varve hook claude-code --user ada < event.json`

/** Adds the command to the help, and for lines that are typed within another program. As a process it runs by itself: hook.ts. */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description('answers a hook of Claude Code')
    .argument('<client>', 'claude-code')
    .option('--url <url>', 'a server of Varve to ask in place of the store, with the key in VARVE_KEY')
    .option('--deadline-ms <ms>', 'the longest wait of a prompt for its memory (default: 300)')
    .option('--no-upkeep', 'starts no background work when a session has ended or is compacted')
    .addHelpText('after', after)
    .action(answer)
}

async function answer(): Promise<void> {
  const { args, env } = shell()
  const since = performance.now()
  const { output } = await answerHookLine({
    ...{ args: args.slice(args.indexOf('hook') + 1), env, stdin: await readInput('a hook’s JSON') },
    elapsed: () => performance.now() - since,
    within: () => undefined,
    debug: (code) => env['VARVE_HOOK_DEBUG'] === '1' && note(`varve hook: ${code}`),
  })
  if (output !== undefined) print(output)
}
