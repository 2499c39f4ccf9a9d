import { auditOperations } from './audit.ts'
import { bankOperations, sharingOperations } from './bank.ts'
import { blockOperations } from './blocks.ts'
import { contextsOperations, userContextOperations } from './contexts.ts'
import { documentOperations } from './documents.ts'
import { factOperations } from './facts.ts'
import { gistOperations } from './gists.ts'
import { instructionOperations } from './instructions.ts'
import { keysOperations } from './keys.ts'
import { notesOperations } from './notes.ts'
import type { AnyOperation } from './operation.ts'
import { pendingForgetOperations } from './pending-forget.ts'
import { readingOperations } from './readings.ts'
import { projectOperations, projectSettingsOperations } from './project.ts'
import { sessionOperations } from './sessions.ts'
import { receiptsOperations } from './receipts.ts'
import { memoryOperations, projectsOperations, upkeepOperations } from './store.ts'
import { importsOperations } from './transfer.ts'
import { userOperations, userSettingsOperations } from './user.ts'

/** A handle, or a part of one: its methods are written from its operations. */
export interface Handle {
  readonly name: string
  readonly about: string
  /** The owner of its operations: a user, a project, or the memory. */
  readonly on: 'user' | 'project' | 'memory'
  /** The operations by the names of their methods. `file` and `constant` name the place that holds them. */
  readonly operations: Readonly<Record<string, AnyOperation>>
  /** The property of its owner that holds it; absent where the owner itself has the methods. */
  readonly property?: string
  /** A project has the same handle, for the part that its members share. */
  readonly isShared?: true
  readonly file: string
  readonly constant: string
  /** The handle that this one extends. */
  readonly base?: string
  /** The class that extends it makes its calls. */
  readonly isAbstract?: true
}

/** Every handle with its operations, in the order of the reference. */
export const handles: readonly Handle[] = [
  {
    ...{ name: 'UserMethods', on: 'user', file: 'user', constant: 'userOperations', operations: userOperations },
    about: 'The memory of one user: the calls that belong to no layer.',
  },
  {
    ...{
      name: 'UserSessions',
      property: 'sessions',
      on: 'user',
      file: 'sessions',
      constant: 'sessionOperations',
      operations: sessionOperations,
    },
    about: 'The conversations of a user.',
  },
  {
    ...{
      name: 'BlockMethods',
      property: 'blocks',
      isShared: true,
      on: 'user',
      file: 'blocks',
      constant: 'blockOperations',
      operations: blockOperations,
    },
    about: 'Named pieces of working memory, in an order. A call with a session means the blocks of that session alone.',
  },
  {
    ...{ name: 'UserGists', property: 'gists', on: 'user', file: 'gists', constant: 'gistOperations', operations: gistOperations },
    about: 'A gist of each of a user’s sessions.',
  },
  {
    ...{ name: 'UserFacts', property: 'facts', on: 'user', file: 'facts', constant: 'factOperations', operations: factOperations },
    about:
      'Facts: subject, predicate and object, when each is true, when it was believed, and whose words say so. Statements are ' +
      'stored, and validity is derived from them, so a forgotten statement leaves nothing behind.',
  },
  {
    ...{ name: 'UserInstructions', property: 'instructions', on: 'user', file: 'instructions', constant: 'instructionOperations' },
    ...{ operations: instructionOperations },
    about:
      'Standing instructions: what a person wants done from now on, in the person’s words. Statements are stored, and the end of ' +
      'an instruction is derived from them.',
  },
  {
    ...{ name: 'UserPendingForget', property: 'pendingForget', on: 'user', file: 'pending-forget', constant: 'pendingForgetOperations' },
    ...{ operations: pendingForgetOperations },
    about:
      'Requests to forget that a person made in a conversation. Each ends its facts at once; the messages are erased when the host ' +
      'confirms it. The list is derived from the messages, so a request goes with its message.',
  },
  {
    ...{ name: 'DocumentMethods', property: 'documents', isShared: true, on: 'user', file: 'documents', constant: 'documentOperations' },
    ...{ operations: documentOperations },
    about: 'Named markdown pages of knowledge, each with its revisions.',
  },
  {
    ...{ name: 'UserNotes', property: 'notes', on: 'user', file: 'notes', constant: 'notesOperations', operations: notesOperations },
    about: 'The page of notes that follows each running session. With a `notesDirectory`, each page is a file as well.',
  },
  {
    ...{ name: 'UserReadings', property: 'readings', on: 'user', file: 'readings', constant: 'readingOperations' },
    ...{ operations: readingOperations },
    about:
      'What is due to be read, handed to the model of the agent that asks: gists, facts, instructions and documents are written ' +
      'by it, without a second model. Off unless the project’s setting `readings` is on.',
  },
  {
    ...{ name: 'UserContexts', property: 'contexts', on: 'user', file: 'contexts', constant: 'userContextOperations' },
    ...{ operations: userContextOperations },
    about: 'The contexts that this user was shown, made again from ids and revisions.',
  },
  {
    ...{ name: 'Bank', property: 'bank', isShared: true, on: 'user', file: 'bank', constant: 'bankOperations', operations: bankOperations },
    about:
      'A ladder of summaries: conversations, days, weeks, months, years. A rendering is chosen when it is read, and fits a ' +
      'budget of tokens.',
  },
  {
    ...{ name: 'UserSettingsHandle', property: 'settings', on: 'user', file: 'user', constant: 'userSettingsOperations' },
    ...{ operations: userSettingsOperations },
    about: 'A user’s settings.',
  },
  {
    ...{
      name: 'Imports',
      property: 'imports',
      isShared: true,
      on: 'user',
      file: 'transfer',
      constant: 'importsOperations',
      operations: importsOperations,
    },
    about: 'Imports that wait to be accepted. Nothing of them is found or shown to a model.',
  },
  {
    ...{ name: 'ProjectMethods', on: 'project', file: 'project', constant: 'projectOperations', operations: projectOperations },
    about: 'A project as a whole.',
  },
  {
    ...{ name: 'ProjectSettingsHandle', property: 'settings', on: 'project', file: 'project', constant: 'projectSettingsOperations' },
    ...{ operations: projectSettingsOperations },
    about: 'A project’s settings.',
  },
  {
    ...{
      name: 'ProjectBank',
      property: 'bank',
      on: 'project',
      file: 'bank',
      constant: 'sharingOperations',
      operations: sharingOperations,
      base: 'Bank',
    },
    about: 'The bank that a project’s members share. Whoever holds this handle may switch sharing, correct and clear.',
  },
  {
    ...{
      name: 'ProjectsMethods',
      property: 'projects',
      on: 'memory',
      file: 'store',
      constant: 'projectsOperations',
      operations: projectsOperations,
    },
    about: 'The projects of a store.',
  },
  {
    ...{
      name: 'Receipts',
      property: 'receipts',
      on: 'memory',
      file: 'receipts',
      constant: 'receiptsOperations',
      operations: receiptsOperations,
    },
    about: 'Receipts of erasures.',
  },
  {
    ...{ name: 'Keys', property: 'keys', on: 'memory', file: 'keys', constant: 'keysOperations', operations: keysOperations },
    about: 'The keys of callers of the server. A program that opens the store itself needs none.',
  },
  {
    ...{ name: 'Audit', property: 'audit', on: 'memory', file: 'audit', constant: 'auditOperations', operations: auditOperations },
    about: 'What callers of the server did.',
  },
  {
    ...{
      name: 'Contexts',
      property: 'contexts',
      on: 'memory',
      file: 'contexts',
      constant: 'contextsOperations',
      operations: contextsOperations,
    },
    about: 'The contexts that any user was shown. A server gives a caller only what is theirs.',
  },
  {
    ...{
      name: 'UpkeepHandle',
      property: 'upkeep',
      on: 'memory',
      file: 'store',
      constant: 'upkeepOperations',
      operations: upkeepOperations,
    },
    about: 'Work that is done after a write: vectors, layers, erasures.',
  },
  {
    ...{ name: 'MemoryMethods', on: 'memory', file: 'store', constant: 'memoryOperations', operations: memoryOperations, isAbstract: true },
    about: 'The store as a whole.',
  },
]
