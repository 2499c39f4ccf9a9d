import { type CompletedCommand, type CompletedFlag, type CompletionTable, flagsWithValue } from './table.ts'

/** Makes the script for bash. It needs no bash-completion, starts no program, and evaluates nothing that was typed. */
export function bashScript(table: CompletionTable): string {
  const { commands, everywhere } = table
  const values = [...commands.flatMap(({ path, flags }) => valueCases(`${path} `, flags)), ...valueCases('*', everywhere)]
  return `# Completes lines of varve in bash. In ~/.bashrc: eval "$(varve completion bash)"
_varve() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= next= i word values= words= flags= files=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${flagsWithValue(table).join('|')}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }$word"
    case $next in
      ${commands.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|')}) at=$next ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${values.join('\n')}
  esac
  if [[ $values ]]; then
    [[ $values == file ]] && compopt -o default
    [[ $values == file || $values == any ]] || COMPREPLY=($(compgen -W "$values" -- "$cur"))
    return
  fi
  case $at in
${commands.map(commandCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then words="$flags ${everywhere.map(({ word }) => word).join(' ')}"; elif [[ $files ]]; then compopt -o default; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _varve varve`
}

function valueCases(command: string, flags: readonly CompletedFlag[]): string[] {
  const valued = flags.filter(({ takesValue }) => takesValue)
  return valued.map(({ word, isFile, choices }) => {
    const values = choices.length > 0 ? choices.join(' ') : isFile ? 'file' : 'any'
    return `    ${command === '*' ? `*' ${word}'` : `'${command}${word}'`}) values='${values}' ;;`
  })
}

function commandCase({ path, commands, flags, places }: CompletedCommand): string {
  const words = [...commands.map(({ word }) => word), ...places.choices].join(' ')
  return `    '${path}') words='${words}' flags='${flags.map(({ word }) => word).join(' ')}'${places.isFile ? ' files=1' : ''} ;;`
}
