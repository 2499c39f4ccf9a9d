import type { Command } from 'commander'
import type { Manifest } from './manifest.ts'

type Add = (program: Command, manifest: Manifest) => void

/** All commands by name, in the order of the help. The code of a command is loaded when it is typed. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  import: async () => (await import('./commands/import.ts')).addImport,
  append: async () => (await import('./commands/append.ts')).addAppend,
  recall: async () => (await import('./commands/recall.ts')).addRecall,
  timeline: async () => (await import('./commands/timeline.ts')).addTimeline,
  context: async () => (await import('./commands/context.ts')).addContext,
  compact: async () => (await import('./commands/compact.ts')).addCompact,
  sessions: async () => (await import('./commands/sessions.ts')).addSessions,
  blocks: async () => (await import('./commands/blocks.ts')).addBlocks,
  documents: async () => (await import('./commands/documents.ts')).addDocuments,
  notes: async () => (await import('./commands/notes.ts')).addNotes,
  gists: async () => (await import('./commands/gists.ts')).addGists,
  facts: async () => (await import('./commands/facts.ts')).addFacts,
  instructions: async () => (await import('./commands/instructions.ts')).addInstructions,
  bank: async () => (await import('./commands/bank.ts')).addBank,
  profile: async () => (await import('./commands/profile.ts')).addProfile,
  forget: async () => (await import('./commands/forget.ts')).addForget,
  'pending-forget': async () => (await import('./commands/pending-forget.ts')).addPendingForget,
  upkeep: async () => (await import('./commands/upkeep.ts')).addUpkeep,
  ledger: async () => (await import('./commands/ledger.ts')).addLedger,
  settings: async () => (await import('./commands/settings.ts')).addSettings,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
}

/** Flags before the command that take a value. */
const valued: ReadonlySet<string> = new Set(['--store', '--project', '--user', '--notes-directory'])

/** Loads the command that a line names. Without a known name it loads all commands, for the help and for suggestions. */
export async function commandsFor(args: readonly string[]): Promise<readonly Add[]> {
  const named = firstWord(args)
  const one = named !== undefined && Object.hasOwn(commands, named) ? commands[named] : undefined
  return one === undefined ? Promise.all(Object.values(commands).map((load) => load())) : [await one()]
}

function firstWord(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (valued.has(arg)) at += 1
    else if (!arg.startsWith('-')) return arg
  }
  return undefined
}
