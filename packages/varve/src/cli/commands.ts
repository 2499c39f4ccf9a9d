import type { Command } from 'commander'
import type { Manifest } from './manifest.ts'

type Add = (program: Command, manifest: Manifest) => void

/** A command as the help of the program lists it. Its code is loaded when it is typed. */
interface Listed {
  /** One line, short enough for 80 columns. */
  readonly about: string
  readonly load: () => Promise<Add>
}

/** The heading of the last group, which has the command help as well. */
export const storeHeading = 'The store:'

/** All commands by their heading and name, in the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  'Conversations:': {
    import: { about: 'reads talk of another program, or an export', load: async () => (await import('./commands/import.ts')).addImport },
    export: { about: 'writes a memory as JSON lines', load: async () => (await import('./commands/export.ts')).addExport },
    imports: { about: 'exports of other stores that wait', load: async () => (await import('./commands/imports.ts')).addImports },
    chat: { about: 'talks with a model that remembers', load: async () => (await import('./commands/chat.ts')).addChat },
    append: { about: 'stores a message', load: async () => (await import('./commands/append.ts')).addAppend },
    replace: { about: 'puts new words in the place of a message', load: async () => (await import('./commands/replace.ts')).addReplace },
    sessions: {
      about: 'lists, shows, renames, shares or deletes them',
      load: async () => (await import('./commands/sessions.ts')).addSessions,
    },
    forget: { about: 'erases messages and all that rests on them', load: async () => (await import('./commands/forget.ts')).addForget },
    'pending-forget': {
      about: 'requests to forget, made in a conversation',
      load: async () => (await import('./commands/pending-forget.ts')).addPendingForget,
    },
  },
  'Finding:': {
    recall: {
      about: 'finds messages by their words and their meaning',
      load: async () => (await import('./commands/recall.ts')).addRecall,
    },
    timeline: {
      about: 'lists messages by time, over all sessions',
      load: async () => (await import('./commands/timeline.ts')).addTimeline,
    },
    context: {
      about: 'makes the text that a model reads, in a budget',
      load: async () => (await import('./commands/context.ts')).addContext,
    },
    contexts: {
      about: 'contexts that were shown: again, or two compared',
      load: async () => (await import('./commands/contexts.ts')).addContexts,
    },
    compact: { about: 'cuts a conversation to a budget of tokens', load: async () => (await import('./commands/compact.ts')).addCompact },
    profile: { about: 'sums up a user', load: async () => (await import('./commands/profile.ts')).addProfile },
  },
  'Layers, made from conversations or written by hand:': {
    gists: { about: 'what each session was about', load: async () => (await import('./commands/gists.ts')).addGists },
    facts: { about: 'what is known, with its time and its source', load: async () => (await import('./commands/facts.ts')).addFacts },
    instructions: {
      about: 'what the user wants done from now on',
      load: async () => (await import('./commands/instructions.ts')).addInstructions,
    },
    documents: { about: 'pages of knowledge', load: async () => (await import('./commands/documents.ts')).addDocuments },
    notes: { about: 'one page that follows a running session', load: async () => (await import('./commands/notes.ts')).addNotes },
    bank: { about: 'summaries by day, week, month and year', load: async () => (await import('./commands/bank.ts')).addBank },
    blocks: { about: 'working memory: texts in every context', load: async () => (await import('./commands/blocks.ts')).addBlocks },
  },
  'Agents:': {
    mcp: { about: 'gives agents’ programs a memory, over MCP', load: async () => (await import('./commands/mcp.ts')).addMcp },
    hooks: { about: 'gives Claude Code a memory by its hooks', load: async () => (await import('./commands/hooks.ts')).addHooks },
    hook: { about: 'answers one hook, as its settings call it', load: async () => (await import('./commands/hook.ts')).addHook },
  },
  [storeHeading]: {
    serve: { about: 'serves the store over HTTP', load: async () => (await import('./commands/serve.ts')).addServe },
    upkeep: { about: 'does due work: vectors, layers, erasures', load: async () => (await import('./commands/upkeep.ts')).addUpkeep },
    settings: { about: 'settings of a project, and of a user', load: async () => (await import('./commands/settings.ts')).addSettings },
    projects: { about: 'lists, creates or deletes projects', load: async () => (await import('./commands/projects.ts')).addProjects },
    users: { about: 'lists the users of a project', load: async () => (await import('./commands/users.ts')).addUsers },
    receipts: {
      about: 'receipts of erasures, and what they are worth',
      load: async () => (await import('./commands/receipts.ts')).addReceipts,
    },
    keys: { about: 'keys of callers of the server', load: async () => (await import('./commands/keys.ts')).addKeys },
    audit: { about: 'who did what through the server', load: async () => (await import('./commands/audit.ts')).addAudit },
    ledger: { about: 'calls to language models, and their costs', load: async () => (await import('./commands/ledger.ts')).addLedger },
    doctor: { about: 'checks the store and the model', load: async () => (await import('./commands/doctor.ts')).addDoctor },
    backup: { about: 'copies the store into a file, and verifies it', load: async () => (await import('./commands/backup.ts')).addBackup },
    restore: {
      about: 'makes a store of a backup, and forgets again',
      load: async () => (await import('./commands/restore.ts')).addRestore,
    },
    migrate: { about: 'moves the store into another database', load: async () => (await import('./commands/migrate.ts')).addMigrate },
    events: { about: 'follows what happens in the store', load: async () => (await import('./commands/events.ts')).addEvents },
    completion: {
      about: 'prints a script that completes lines in a shell',
      load: async () => (await import('./commands/completion.ts')).addCompletion,
    },
  },
}

/** Flags before the command that take a value. */
const valued: ReadonlySet<string> = new Set(['--store', '--project', '--user', '--notes-directory'])

/**
 * Adds the command that a line names. It adds all commands for the help and for suggestions, where no known one is
 * named, and for the scripts of completion.
 */
export async function addCommands(program: Command, args: readonly string[], manifest: Manifest): Promise<void> {
  const named = commandNamed(args)
  const all = Object.entries(groups).flatMap(([heading, listed]) =>
    Object.entries(listed).map(([name, command]) => ({ heading, name, ...command })),
  )
  const one = all.filter(({ name }) => name === named && named !== 'completion')
  const added = await Promise.all((one.length === 0 ? all : one).map(async ({ load, ...listed }) => ({ ...listed, add: await load() })))
  for (const { heading, name, about, add } of added) {
    program.commandsGroup(heading)
    add(program, manifest)
    program.commands.find((command) => command.name() === name)?.summary(about)
  }
}

/** Gives the first word of a line that is no flag: the name of a command. */
export function commandNamed(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (valued.has(arg)) at += 1
    else if (!arg.startsWith('-')) return arg
  }
  return undefined
}
