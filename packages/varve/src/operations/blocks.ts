import { blockChars, maxBlocks, revisionsKept } from '../blocks/block.ts'
import { blockName, blockSeparator, blockText } from '../blocks/validate.ts'
import { isReservedWriter } from '../documents/validate.ts'
import { byHand } from '../models/writer.ts'
import { checked, expectedRevision, onlySession, page, refused, textChecked, whole } from './fields.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'
import type { SessionName } from '../scope/partition.ts'

const name = () => textChecked((received) => blockName(received)).describe('The name of the block.')
const text = () => textChecked(blockText).describe('The text.')
const session = () => onlySession().describe('The blocks of this session alone.')
/** Checks the name of an agent: a name that stands for a person or for Varve is refused. */
function agentOf(received: unknown): string {
  const name = blockName(received, 'writer')
  if (isReservedWriter(name)) throw refused('writer', name, 'the name of an agent: this one stands for a person or for Varve')
  return name
}

const writer = () => textChecked(agentOf).default(byHand).describe('The name that the revision bears.')
const during = () => onlySession().describe('The session from which an agent writes: its messages so far are the lineage.')

/** Gives the session of a call. Refuses it for a project, whose shared blocks belong to no session. */
function sessionIn({ partition }: PartitionMeans, { session }: { readonly session?: SessionName }): SessionName | undefined {
  if (session !== undefined && partition.owner.kind === 'shared')
    throw refused('session', session, 'left out: shared blocks belong to no session')
  return session
}

const addressIn = (means: PartitionMeans, input: { readonly name: string; readonly session?: SessionName }) => ({
  name: input.name,
  session: sessionIn(means, input),
})

export const blockOperations = {
  list: operation({
    name: 'blocks.list',
    kind: 'read',
    route: 'GET /blocks',
    about:
      'Lists blocks in their order: the user’s own, then those of the project (`shared`). With a session, it lists ' +
      'the blocks of that session.',
    input: () => ({ session: session(), ...page(2 * maxBlocks, 2 * maxBlocks) }),
    output: 'List<Block>',
    errors: [],
    run: async (means, { limit, cursor, ...input }) =>
      listOf(await means.engine.read('blocks.list', means.partition, sessionIn(means, input), { limit, cursor })),
  }),
  get: operation({
    name: 'blocks.get',
    kind: 'read',
    route: 'GET /blocks/{name}',
    about: 'Reads the user’s own block, or else the project’s; with a session, that session’s. Undefined when there is none.',
    input: () => ({ name: name(), session: session() }),
    output: 'Block | undefined',
    errors: [],
    method: { options: 'BlockOptions' },
    run: (means, input) => means.engine.read('blocks.get', means.partition, input.name, sessionIn(means, input)),
  }),
  set: operation({
    name: 'blocks.set',
    kind: 'write',
    route: 'PUT /blocks/{name}',
    expects: 'revision',
    about: 'Replaces the text of a block. A new block goes last. Makes the session when it is new.',
    input: () => ({
      name: name(),
      text: text(),
      session: session(),
      maxChars: whole(blockChars.least, blockChars.most)
        .optional()
        .describe('The most characters. Default: as it was; 5,000 of a new one.'),
      revision: whole(0).optional().describe('The revision on which the edit was made; 0 for a block that is not there. Default: any.'),
      writer: writer(),
      during: during(),
    }),
    output: 'Block',
    errors: ['LIMIT_EXCEEDED', 'STALE_REVISION'],
    method: { details: 'LimitExceeded for a text that is too long, or for a 101st block, and then nothing changes.' },
    run: async (means, { text, maxChars, revision, writer, during, ...input }) => {
      const change = { text, maxChars, revision }
      const block = await means.engine.write('blocks.set', means.partition, addressIn(means, input), change, { writer, during })
      means.hint()
      return block
    },
  }),
  append: operation({
    name: 'blocks.append',
    kind: 'write',
    route: 'POST /blocks/{name}/append',
    about: 'Adds a text to a block. Makes the block when there is none.',
    input: () => ({
      name: name(),
      text: text(),
      session: session(),
      separator: checked<string, string>({ type: 'string' }, blockSeparator)
        .default('\n')
        .describe('The text in between. Default: a new line.'),
      writer: writer(),
      during: during(),
    }),
    output: 'Block',
    errors: ['LIMIT_EXCEEDED'],
    method: { details: 'LimitExceeded when the block would be too long.' },
    run: async (means, { text, separator, writer, during, ...input }) => {
      const block = await means.engine.write(
        'blocks.append',
        means.partition,
        addressIn(means, input),
        { text, separator },
        { writer, during },
      )
      means.hint()
      return block
    },
  }),
  delete: operation({
    name: 'blocks.delete',
    kind: 'write',
    route: 'DELETE /blocks/{name}',
    about: 'Erases a block with all of its revisions.',
    expects: 'expectedRevision',
    input: () => ({ name: name(), session: session(), expectedRevision: expectedRevision() }),
    output: 'Receipt',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async (means, { expectedRevision: expected, ...input }) => {
      const { receipt } = await means.engine.write('blocks.delete', means.partition, { ...addressIn(means, input), expected })
      return means.finishErasure(receipt)
    },
  }),
  reorder: operation({
    name: 'blocks.reorder',
    kind: 'write',
    route: 'PUT /blocks',
    about: 'Puts the named blocks first, in that order; the others keep theirs.',
    input: () => ({
      names: checked<string[], readonly string[]>(
        { type: 'array', items: { type: 'string' } },
        (received) => (Array.isArray(received) ? Array.from(received, (one) => blockName(one, 'names')) : undefined),
        'a list of names',
      ).describe('The names of blocks, first to last.'),
      session: session(),
    }),
    output: 'readonly Block[]',
    errors: ['NOT_FOUND'],
    method: { details: 'Gives back all of them.', options: 'BlockOptions' },
    run: (means, { names, ...input }) => means.engine.write('blocks.reorder', means.partition, names, sessionIn(means, input)),
  }),
  revisions: operation({
    name: 'blocks.revisions',
    kind: 'read',
    route: 'GET /blocks/{name}/revisions',
    about: 'Lists the texts that a block had, the newest first. The last 100 are kept.',
    input: () => ({ name: name(), session: session(), ...page(revisionsKept, revisionsKept) }),
    output: 'List<BlockRevision>',
    errors: ['NOT_FOUND'],
    run: async (means, { limit, cursor, ...input }) =>
      listOf(await means.engine.read('blocks.revisions', means.partition, input.name, sessionIn(means, input), { limit, cursor })),
  }),
  restore: operation({
    name: 'blocks.restore',
    kind: 'write',
    route: 'POST /blocks/{name}/restore',
    about: 'Gives a block the text of an earlier revision. This makes a new revision.',
    expects: 'expectedRevision',
    input: () => ({
      name: name(),
      revision: whole(1).describe('The number of the revision.'),
      session: session(),
      expectedRevision: expectedRevision(),
    }),
    output: 'Block',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async (means, { revision, expectedRevision: expected, ...input }) => {
      const by = { writer: byHand, during: undefined }
      const block = await means.engine.write('blocks.restore', means.partition, { ...addressIn(means, input), expected }, revision, by)
      means.hint()
      return block
    },
  }),
}
