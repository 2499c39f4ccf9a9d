import { appendOperation } from './append.ts'
import { bankOperations, sharingOperations } from './bank.ts'
import { blockOperations } from './blocks.ts'
import { compactOperation } from './compact.ts'
import { contextOperation } from './context.ts'
import { documentOperations } from './documents.ts'
import { factOperations } from './facts.ts'
import { gistOperations } from './gists.ts'
import { notesOperations } from './notes.ts'
import type { AnyOperation } from './operation.ts'
import { projectOperations, projectSettingsOperations } from './project.ts'
import { sessionOperations } from './sessions.ts'
import { memoryOperations, projectsOperations, receiptsOperations, upkeepOperations } from './store.ts'
import { userOperations, userSettingsOperations } from './user.ts'

/** Every operation, by the handle that has it and in the order of the reference. */
export const allOperations: Readonly<Record<'user' | 'project' | 'memory', readonly AnyOperation[]>> = {
  user: [
    appendOperation,
    ...Object.values(userOperations),
    contextOperation,
    compactOperation,
    ...[sessionOperations, blockOperations, gistOperations, factOperations, documentOperations].flatMap(recordsIn),
    ...[notesOperations, bankOperations, userSettingsOperations].flatMap(recordsIn),
  ],
  project: [projectOperations, projectSettingsOperations, sharingOperations].flatMap(recordsIn),
  memory: [projectsOperations, receiptsOperations, upkeepOperations, memoryOperations].flatMap(recordsIn),
}

function recordsIn(room: Readonly<Record<string, AnyOperation>>): readonly AnyOperation[] {
  return Object.values(room)
}
