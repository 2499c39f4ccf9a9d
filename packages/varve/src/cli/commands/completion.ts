import { Argument, type Command } from 'commander'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { completionTable, type CompletionTable } from '../completion/table.ts'
import { zshScript } from '../completion/zsh.ts'
import { print } from '../terminal.ts'

const scripts: Readonly<Record<string, (table: CompletionTable) => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript }

const after = `
The script knows every command, flag and fixed value. It starts no program and
opens no store. It needs varve in PATH: npx varve cannot be completed.

  $ eval "$(varve completion bash)"           # in ~/.bashrc
  $ source <(varve completion zsh)            # in ~/.zshrc, after compinit
  $ varve completion fish > ~/.config/fish/completions/varve.fish`

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('prints a script that completes lines of varve in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', after)
    .action((name: string) => print(scripts[name]?.(completionTable(program)) ?? ''))
}
