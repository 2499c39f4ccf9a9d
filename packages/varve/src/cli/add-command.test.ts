import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { handles } from '../operations/all.ts'
import { jsonSchemaOf } from '../operations/parse.ts'
import { fieldsTaken } from './add-command.ts'
import { addCommands } from './commands.ts'
import { programOf } from './program.ts'

const manifest = { version: '1', engines: { node: '>=1' } }
const program = programOf(manifest, { stdout: new PassThrough(), stderr: new PassThrough(), env: {} }, false)
await addCommands(program, [], manifest)

const commands = within(program)

function within(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...within(one)])
}

const operations = new Map(
  handles.flatMap((handle) => Object.values(handle.operations).map((operation) => [operation.name, operation] as const)),
)

function fieldsOf(operation: string): string[] {
  const known = operations.get(operation)
  return known === undefined ? [] : Object.keys(Object(jsonSchemaOf(known)['properties']))
}

/** Fields that nobody can type as they are, each with the reason. */
const notTyped: Readonly<Record<string, string>> = {
  'append.messages': 'a text with flags, or lines of JSON',
  'context.tiers': 'objects in an object: for programs',
  'compact.messages': 'a file or stdin',
  'forget.what': 'each of its fields has a flag',
  'blocks.set.writer': 'for the tools of an agent',
  'blocks.set.during': 'for the tools of an agent',
  'blocks.append.writer': 'for the tools of an agent',
  'blocks.append.during': 'for the tools of an agent',
  'documents.edit.change': 'a text, --file or --append',
  'documents.edit.writer': 'for the tools of an agent',
  'documents.edit.during': 'for the tools of an agent',
  'notes.edit.content': '--file or stdin',
  'facts.history.of': 'an id, or a subject and a predicate',
  'facts.add.sources': '--source, a message with words of it',
  'facts.add.writer': 'for the tools of an agent',
  'facts.add.during': 'for the tools of an agent',
  'facts.correct.writer': 'for the tools of an agent',
  'facts.correct.during': 'for the tools of an agent',
  'facts.retract.writer': 'for the tools of an agent',
  'instructions.add.writer': 'for the tools of an agent',
  'instructions.add.during': 'for the tools of an agent',
  'instructions.withdraw.writer': 'for the tools of an agent',
  'bank.pin.pinned': 'pin or unpin',
  'bank.setSharing.acknowledge': '--yes, or the answer to a question',
  'keys.revoke.project': 'for a server, whose caller may be of one project',
  'project.settings.set.settings': 'one setting by its name',
  'upkeep.run.project': 'the command works for the whole store',
  'upkeep.run.user': 'the command works for the whole store',
  'upkeep.run.session': 'the command works for the whole store',
  'upkeep.run.kinds': 'the command does all work until nothing is left',
}

/** Fields that a command takes in their place. */
const inTheirPlace: Readonly<Record<string, readonly string[]>> = {
  append: ['role', 'content', 'at', 'id', 'name'],
  forget: ['session', 'before', 'messages', 'all'],
  'facts.history': ['subject', 'predicate'],
  'project.settings.set': ['name', 'value'],
}

test('each field that a command takes is one of its operation, but for a few', () => {
  for (const command of commands) {
    const { operation, fields = [] } = fieldsTaken(command) ?? {}
    if (operation === undefined) continue
    expect(operations.has(operation), operation).toBe(true)
    expect([...fieldsOf(operation), ...(inTheirPlace[operation] ?? [])], command.name()).toEqual(expect.arrayContaining([...fields]))
  }
})

const ofPrograms = new Set(['cursor', 'expectedVersion', 'expectedRevision'])

test('each field of an operation that has a command can be typed, but for those of programs and a few with a reason', () => {
  const typed = Map.groupBy(
    commands.flatMap((command) => fieldsTaken(command) ?? []),
    ({ operation }) => operation,
  )
  const missing = [...typed].flatMap(([operation, taken]) => {
    const fields = new Set(taken.flatMap((one) => one.fields))
    return fieldsOf(operation ?? '').flatMap((field) => (ofPrograms.has(field) || fields.has(field) ? [] : [`${operation}.${field}`]))
  })
  expect(missing.toSorted()).toEqual(Object.keys(notTyped).toSorted())
})

test('each command, place and flag has help in plain words', () => {
  for (const command of commands) {
    const told = [command.description(), ...[...command.options, ...command.registeredArguments].map(({ description }) => description)]
    for (const help of told) expect(help, command.name()).toMatch(/^[a-z-](?!.*[`’])/)
    expect(command.description(), command.name()).not.toMatch(/fails open|gives back|cursor|\w\(/i)
    expect(command.description(), command.name()).not.toMatch(/\b[A-Z][a-z]+[A-Z][a-z]/)
  }
})

test('a field has a place or a flag by its type, with its bounds and its default', () => {
  const recall = program.commands.find((command) => command.name() === 'recall')
  const flags = recall?.options.map(({ flags, description }) => `${flags}  ${description}`)
  expect(flags).toEqual(
    expect.arrayContaining([
      '--limit <n>  the most hits, 1 to 1,000 (default: 10)',
      '--from <time>  said at this time or later: ISO 8601 with its offset, or a UTC day',
      '--metadata <key=value>  only messages whose metadata has all of these values; may be repeated',
      expect.stringMatching(/^--kinds <kinds> {2}kinds of memory to search: message, .*, with commas between them \(default: messages\)$/),
    ]),
  )
  expect(recall?.registeredArguments.map((place) => [place.name(), place.variadic])).toEqual([['query', true]])
})

/** Usages of commands in the reference, each with the line that it stands on. */
const usages = readFileSync(new URL('../../../../docs/reference/cli.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => [...line.matchAll(/`varve ([a-z][^`]*)`/g)].map(([, usage = '']) => ({ line, usage: usage.replaceAll('\\|', '|') })))
  .map(({ line, usage }) => ({ line, command: named(program, usage.split(' ')), flags: usage.match(/--[a-z-]+(?: <[^>]+>)?/g) ?? [] }))

function named(command: Command, [word, ...words]: readonly string[]): Command {
  const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word ?? ''))
  return next === undefined ? command : named(next, words)
}

test('the reference of the command line has every flag as the help has it, and no other', () => {
  const stale = usages.flatMap(({ command, flags }) => {
    const known = [program, command.parent, command].flatMap((one) => one?.options.map((option) => option.flags) ?? [])
    const isKnown = (flag: string): boolean => known.some((one) => one === flag || (!flag.includes('<') && one.startsWith(`${flag} `)))
    return flags.filter((flag) => !isKnown(flag)).map((flag) => `${command.name()} ${flag}`)
  })
  expect(stale).toEqual([])
})

test('the reference of the command line leaves no flag out', () => {
  const ofRecall = named(program, ['recall']).options.map(({ long }) => long)
  const missing = commands.flatMap((command) => {
    const told = usages.filter((usage) => usage.command === command)
    if (told.length === 0) return [command.name()]
    const above = usages.filter((usage) => usage.command === command.parent)
    const taken = told.some(({ line }) => line.includes('[recall](#recall)')) ? ofRecall : []
    const flags = [...taken, ...[...told, ...above].flatMap((usage) => usage.flags.map((flag) => flag.split(' ')[0]))]
    return command.options.filter(({ long }) => !flags.includes(long ?? '')).map(({ long }) => `${command.name()} ${long}`)
  })
  // A list says the same with and without its name.
  expect(missing.filter((one) => !one.startsWith('list '))).toEqual([])
})
