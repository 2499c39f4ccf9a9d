import * as z from 'zod'
import { roles } from '../messages/message.ts'
import type { ImportStanding } from '../storage/log/import-standing.ts'
import { session } from './fields.ts'
import { operation } from './operation.ts'

/** Tells an import's dry run what it would meet. It is no call of users, so it has no route. */
export const standingOperation = operation({
  name: 'standing',
  kind: 'read',
  route: null,
  about: 'Tells which messages of a session are stored, and which were forgotten.',
  input: () => ({
    session: session().describe('The session.'),
    messages: z
      .array(z.object({ externalId: z.string(), role: z.enum(roles), saidAt: z.exactOptional(z.number()) }))
      .describe('The ids, roles and times of the messages.'),
  }),
  output: 'ImportStanding',
  errors: [],
  run: ({ engine, partition }, { session, messages }): Promise<ImportStanding> => engine.read('log.standing', partition, session, messages),
})
