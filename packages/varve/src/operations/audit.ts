import * as z from 'zod'
import { auditActs } from '../observe/audit-entry.ts'
import { id, member, moment, oneOf, page, project, refused, until } from './fields.ts'
import { listOf } from './list.ts'
import { storeOperation } from './operation.ts'

export const auditOperations = {
  list: storeOperation({
    name: 'audit.list',
    kind: 'read',
    route: 'GET /audit',
    about:
      'Lists what callers of the server did, the newest first: the key, the project and user, the operation, and ids; never ' +
      'content. The newest 1,000,000 entries of the last 400 days are kept.',
    input: () => ({
      project: z.exactOptional(project()).describe('Only in this project. Default: all.'),
      user: z.exactOptional(member()).describe('Only with this user of that project; `~` is the anonymous user.'),
      key: z.exactOptional(id()).describe('Only by this key: its id.'),
      act: oneOf(auditActs).optional().describe('Only deeds of this kind. Default: all.'),
      from: moment().optional().describe('At this time or later.'),
      to: until().optional().describe('At this time or earlier; a bare day means its end.'),
      ...page(100, 10_000),
    }),
    output: 'List<AuditEntry>',
    errors: [],
    run: async ({ engine }, { from = 0, to = Number.MAX_SAFE_INTEGER, ...request }) => {
      if (request.user !== undefined && request.project === undefined)
        throw refused('user', request.user, 'a user of a project: name the project too')
      return listOf(await engine.read('callers.audit', { from, to, ...request }))
    },
  }),
}
