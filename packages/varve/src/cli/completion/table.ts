import type { Argument, Command, Option } from 'commander'
import { choicesOf } from '../operation-flags.ts'

/** A word that can be typed, and its help. */
interface Word {
  readonly word: string
  readonly about: string
}

/** What may follow a flag or stand in a place: a file, one of a few words, or anything. */
interface Expected {
  readonly isFile: boolean
  readonly choices: readonly string[]
}

export interface CompletedFlag extends Word, Expected {
  /** Whether a value follows it. */
  readonly takesValue: boolean
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The words of the command, such as `sessions show`. Empty for the program itself. */
  readonly path: string
  readonly commands: readonly Word[]
  readonly flags: readonly CompletedFlag[]
  readonly places: Expected
}

export interface CompletionTable {
  /** The program itself and all of its commands. */
  readonly commands: readonly CompletedCommand[]
  /** The flags of every command. */
  readonly everywhere: readonly CompletedFlag[]
}

/** Lists the program and all of its commands, each with the words that may follow it. */
export function completionTable(program: Command): CompletionTable {
  return {
    commands: [{ ...commandOf(program, ''), flags: [] }, ...below(program, '')],
    everywhere: program.createHelp().visibleOptions(program).flatMap(flagOf),
  }
}

function below({ commands }: Command, path: string): CompletedCommand[] {
  return commands.flatMap((command) => {
    const ofIt = `${path}${command.name()}`
    return [commandOf(command, ofIt), ...below(command, `${ofIt} `)]
  })
}

function commandOf(command: Command, path: string): CompletedCommand {
  return {
    path,
    commands: command.commands.map((one) => ({ word: one.name(), about: brief(one.summary() || one.description()) })),
    flags: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(flagOf)
      .filter(({ word }) => word !== '--help'),
    places: placesOf(command.registeredArguments),
  }
}

function flagOf(option: Option): CompletedFlag[] {
  const { long, description, required, optional, flags } = option
  if (long === undefined || long === null || long === '--version') return []
  const isFile = flags.includes('<path>')
  return [{ word: long, about: brief(description), takesValue: required || optional, isFile, choices: choicesOf(option) }]
}

/** Gives the first clause of a help: a shell shows it beside the word. */
function brief(help: string): string {
  return /^[^;:(]*/.exec(help)?.[0].trim() ?? ''
}

function placesOf(places: readonly Argument[]): Expected {
  return { isFile: places.some((place) => place.name() === 'file'), choices: places.flatMap(choicesOf) }
}

/** Lists the flags that a value follows. A shell must know them to tell a value from a place. */
export function flagsWithValue({ commands, everywhere }: CompletionTable): string[] {
  const flags = [...everywhere, ...commands.flatMap((command) => command.flags)]
  return [...new Set(flags.filter(({ takesValue }) => takesValue).map(({ word }) => word))]
}
