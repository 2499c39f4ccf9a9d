import { type CompletedCommand, type CompletedFlag, type CompletionTable, flagsWithValue } from './table.ts'

/** Makes the script for zsh. It works when it is sourced, and as a file _varve in fpath. */
export function zshScript(table: CompletionTable): string {
  const { commands, everywhere } = table
  const values = [...commands.flatMap(({ path, flags }) => valueCases(`${path} `, flags)), ...valueCases('*', everywhere)]
  return `#compdef varve
# Completes lines of varve in zsh. In ~/.zshrc, after compinit: source <(varve completion zsh)
_varve() {
  local at= next= word files= i
  local -a values found flags
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      ${flagsWithValue(table).join('|')}) ((i++)); continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }$word"
    case $next in
      ${commands.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|')}) at=$next ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
  esac
  if [[ $files ]]; then _files; return; fi
  if (( $#values )); then compadd -- $values; return; fi
  case $at in
${commands.map(commandCase).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then found=($flags ${described(everywhere)}); files=; fi
  (( $#found )) && _describe varve found
  [[ $files ]] && _files
  return 0
}
if [[ $funcstack[1] == _varve ]]; then _varve "$@"; else compdef _varve varve; fi`
}

function valueCases(command: string, flags: readonly CompletedFlag[]): string[] {
  const valued = flags.filter(({ takesValue }) => takesValue)
  return valued.map(({ word, isFile, choices }) => {
    const then = choices.length > 0 ? `values=(${choices.join(' ')})` : isFile ? 'files=1' : 'return 0'
    return `    ${command === '*' ? `*' ${word}'` : `'${command}${word}'`}) ${then} ;;`
  })
}

function commandCase({ path, commands, flags, places }: CompletedCommand): string {
  const plain = [...commands, ...places.choices.map((word) => ({ word, about: '' }))]
  return `    '${path}') found=(${described(plain)}) flags=(${described(flags)})${places.isFile ? ' files=1' : ''} ;;`
}

function described(words: readonly { readonly word: string; readonly about: string }[]): string {
  return words
    .map(({ word, about }) => (about === '' ? word : `${word}:${about.replaceAll(':', String.raw`\:`)}`))
    .map((text) => `'${text.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ')
}
