import { mostPending } from '../facts/pending-forgets.ts'
import { id, page } from './fields.ts'
import { forgotten } from './forgetting.ts'
import { listOf } from './list.ts'
import { operation } from './operation.ts'

const requestId = () => id().describe('The id of a request.')

export const pendingForgetOperations = {
  list: operation({
    name: 'pendingForget.list',
    kind: 'read',
    route: 'GET /pending-forget',
    about: 'Lists the requests to forget that wait for the host, the last said first.',
    input: () => page(50, mostPending),
    output: 'List<PendingForget>',
    errors: [],
    run: async ({ engine, partition }, request) => listOf(await engine.read('facts.pendingForgets', partition, request)),
  }),
  confirm: operation({
    name: 'pendingForget.confirm',
    kind: 'write',
    route: 'POST /pending-forget/{id}/confirm',
    about: 'Erases the messages of a request, as `forget` does: those that told its facts, and the request itself.',
    input: () => ({ id: requestId() }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    run: async (means, { id }) => {
      const { messages } = await means.engine.read('facts.pendingForget', means.partition, id)
      return forgotten(means, { messages: [...messages] })
    },
  }),
  dismiss: operation({
    name: 'pendingForget.dismiss',
    kind: 'write',
    route: 'POST /pending-forget/{id}/dismiss',
    about: 'Has a request wait no more. Its facts stay ended, and its messages stay.',
    input: () => ({ id: requestId() }),
    output: 'void',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition }, { id }) => engine.write('facts.dismissForget', partition, id),
  }),
}
