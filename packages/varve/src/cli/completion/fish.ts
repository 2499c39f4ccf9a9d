import { type CompletedCommand, type CompletedFlag, type CompletionTable, flagsWithValue } from './table.ts'

/** Makes the script for fish. */
export function fishScript(table: CompletionTable): string {
  const { commands, everywhere } = table
  const paths = commands.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]))
  return `# Completes lines of varve in fish. Put it in ~/.config/fish/completions/varve.fish
function __varve_at
    set -l at
    set -l skips
    for word in (commandline -opc)[2..]
        if test -n "$skips"
            set skips
        else if contains -- $word ${flagsWithValue(table).join(' ')}
            set skips 1
        else if not string match -q -- '-*' $word
            set -l next (string join ' ' $at $word)
            if contains -- $next ${paths.join(' ')}
                set at $next
            end
        end
    end
    test "$at" = "$argv[1]"
end
complete -c varve -e
complete -c varve -f
${[...everywhere.map((flag) => flagLine('complete -c varve', flag)), ...commands.flatMap(linesOf)].join('\n')}`
}

function linesOf({ path, commands, flags, places }: CompletedCommand): string[] {
  const begin = `complete -c varve -n ${quoted(`__varve_at ${quoted(path)}`)}`
  return [
    ...commands.map(({ word, about }) => `${begin} -a ${word} -d ${quoted(about)}`),
    ...(places.choices.length > 0 ? [`${begin} -a ${quoted(places.choices.join(' '))}`] : []),
    ...(places.isFile ? [`${begin} -F`] : []),
    ...flags.map((flag) => flagLine(begin, flag)),
  ]
}

function flagLine(begin: string, { word, about, takesValue, isFile, choices }: CompletedFlag): string {
  const value = isFile ? ' -r -F' : takesValue ? ' -x' : ''
  const of = choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : ''
  return `${begin} -l ${word.slice(2)}${value}${of} -d ${quoted(about)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
