import * as z from 'zod'
import { parseScope, defaultProject } from '../scope/scope.ts'
import { id, page, project, session, user } from './fields.ts'
import { listOf } from './list.ts'
import { operation, storeOperation } from './operation.ts'

const contextId = () => id().describe('The `id` of a context.')
const ids = () => ({ first: id().describe('The `id` of the earlier context.'), second: id().describe('The `id` of the later context.') })

const about = {
  list: 'Lists the contexts that were shown, the newest first: the last 20 of each session, and 200 in all. Empty ones are not kept.',
  get:
    'Shows a context again, made from ids and revisions. An item that was forgotten since is shown as gone, and one with other ' +
    'words now as changed. The persona and the question are not kept.',
  compare:
    'Compares two contexts of one user: the items that came in, fell out and changed, each with the reason as it was recorded; ' +
    '`unknown` where none was.',
} as const

const ofSession = () => session().optional().describe('Only contexts for this session.')

export const userContextOperations = {
  list: operation({
    name: 'contexts.list',
    kind: 'read',
    route: 'GET /contexts',
    about: about.list,
    input: () => ({ session: ofSession(), ...page(50, 1_000) }),
    output: 'List<PastContextHead>',
    errors: [],
    method: { options: 'UserContextsOptions' },
    run: async ({ engine, partition, shown }, { session, ...request }) => {
      await shown.underWay(partition)
      return listOf(await engine.read('context.pastList', partition, session, request))
    },
  }),
  get: operation({
    name: 'contexts.get',
    kind: 'read',
    route: 'GET /contexts/{id}',
    about: about.get,
    input: () => ({ id: contextId() }),
    output: 'PastContext',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, shown }, { id }) => {
      await shown.underWay(partition)
      return engine.read('context.past', id, partition)
    },
  }),
  compare: operation({
    name: 'contexts.compare',
    kind: 'read',
    route: 'GET /contexts/{first}/compare/{second}',
    about: about.compare,
    input: ids,
    output: 'ContextComparison',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, shown }, { first, second }) => {
      await shown.underWay(partition)
      return engine.read('context.pastCompared', [first, second], partition)
    },
  }),
}

export const contextsOperations = {
  list: storeOperation({
    name: 'memory.contexts.list',
    kind: 'read',
    route: 'GET /contexts',
    about: about.list,
    input: () => ({
      project: z.exactOptional(project()).describe('The project. Default: `default`.'),
      user: z.exactOptional(user()).describe('The user. Default: the anonymous user.'),
      session: ofSession(),
      ...page(50, 1_000),
    }),
    output: 'List<PastContextHead>',
    errors: [],
    method: { options: 'ContextsOptions' },
    run: async ({ engine, shown }, { project: of = defaultProject, user: owner, session, ...request }) => {
      const { partition } = parseScope(owner === undefined ? { project: of } : { project: of, user: owner })
      await shown.underWay(partition)
      return listOf(await engine.read('context.pastList', partition, session, request))
    },
  }),
  get: storeOperation({
    name: 'memory.contexts.get',
    kind: 'read',
    route: 'GET /contexts/{id}',
    about: about.get,
    input: () => ({ id: contextId() }),
    output: 'PastContext',
    errors: ['NOT_FOUND'],
    method: { details: 'The answer names its project and user: a server must check them before it gives it to a caller.' },
    run: async ({ engine, shown }, { id }) => {
      await shown.underWay()
      return engine.read('context.past', id, undefined)
    },
  }),
  compare: storeOperation({
    name: 'memory.contexts.compare',
    kind: 'read',
    route: 'GET /contexts/{first}/compare/{second}',
    about: about.compare,
    input: ids,
    output: 'ContextComparison',
    errors: ['NOT_FOUND'],
    run: async ({ engine, shown }, { first, second }) => {
      await shown.underWay()
      return engine.read('context.pastCompared', [first, second], undefined)
    },
  }),
}
