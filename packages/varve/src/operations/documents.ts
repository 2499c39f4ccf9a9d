import { documentChars, maxDocuments } from '../documents/document.ts'
import { agentName, documentName, documentText, pageEdits } from '../documents/validate.ts'
import { bitOf, onceShift } from '../storage/layers.ts'
import { byHand } from '../models/writer.ts'
import { pageRevisionsKept } from '../pages/page-bounds.ts'
import type { PageEdit } from '../pages/page-edit.ts'
import { leastOfDocuments, tellingDocuments } from '../recall/telling-documents.ts'
import { checked, between, expectedRevision, onlySession, page, refused, session, text, textChecked, typed, whole } from './fields.ts'
import { listOf } from './list.ts'
import { operation } from './operation.ts'
import { recalled } from './recalling.ts'

const name = () => textChecked((received) => documentName(received)).describe('The name of the document.')
const mostRecollected = 100

const editSchema = {
  anyOf: [
    { type: 'string' },
    {
      type: 'array',
      description: 'Edits of the document as you read it: all of them are made, or none.',
      items: {
        type: 'object',
        properties: {
          tool: { type: 'string', enum: ['append', 'replace_lines', 'delete_lines', 'replace_section', 'replace_text'] },
          text: { type: 'string', description: 'The new text; not for delete_lines.' },
          from: { type: 'integer', description: 'First line, of replace_lines and delete_lines.' },
          to: { type: 'integer', description: 'Last line, included.' },
          section: { type: 'string', description: 'A heading: for replace_section, and to append to it or replace in it.' },
          old: { type: 'string', description: 'Of replace_text: words that stand there exactly once.' },
        },
        required: ['tool'],
        additionalProperties: false,
      },
    },
  ],
}

export const documentOperations = {
  list: operation({
    name: 'documents.list',
    kind: 'read',
    route: 'GET /documents',
    about: 'Lists the user’s own documents, then those of the project (`shared`); of each the last changed first.',
    input: () => page(100, maxDocuments),
    output: 'List<DocumentEntry>',
    errors: [],
    run: async ({ engine, partition }, request) => listOf(await engine.read('documents.list', partition, request)),
  }),
  read: operation({
    name: 'documents.read',
    kind: 'read',
    route: 'GET /documents/{name}',
    about:
      'Reads the user’s own document, or else the project’s, as it stands. With `revision`, it gives the content of ' +
      'that revision. Undefined when there is none.',
    input: () => ({ name: name(), revision: whole(1).optional().describe('Reads this revision in place of the standing one.') }),
    output: 'Document | undefined',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, shown }, input) => {
      const { found, epochs } = await engine.read('documents.read', partition, input.name, input.revision)
      if (found !== undefined) shown.add(partition, epochs, [{ id: found.id, text: found.content }])
      return found
    },
  }),
  recollect: operation({
    name: 'documents.recollect',
    kind: 'read',
    route: 'POST /documents/recollect',
    about: 'Finds documents by their content, the best first, each with the passage that was found. Empty when no document answers.',
    input: () => ({
      query: text().describe('The question.'),
      limit: whole(1, mostRecollected).default(5).describe('The most documents. Default 5.'),
      minScore: between(0, 1).optional().describe('The least score. Default .3, or .2 where words alone tell.'),
    }),
    output: 'readonly RecollectedDocument[]',
    errors: [],
    run: async (means, { query, limit, minScore }, call) => {
      const least = minScore ?? leastOfDocuments.byWords
      const { hits } = await recalled(means, { query, limit, minScore: least, neighbours: 0, kinds: ['document'] }, call)
      return (minScore === undefined ? tellingDocuments(hits) : hits)
        .filter((hit) => hit.kind === 'document')
        .map(({ id, name, description, text, score, revision, at, shared }) => ({
          id,
          name,
          description,
          passage: text,
          score,
          revision,
          updatedAt: at,
          ...(shared === true ? { shared } : {}),
        }))
    },
    failsOpen: () => [],
    told: ({ observer, who }, _input, found, ms) => {
      observer.count('recalls')
      observer.emit({ type: 'recalled', ...who, hits: found.length, ms })
    },
  }),
  edit: operation({
    name: 'documents.edit',
    kind: 'write',
    route: 'PATCH /documents/{name}',
    expects: 'revision',
    about:
      'Replaces the content of a document, or edits the standing content: all edits are made, or none. Makes the document ' +
      'when it is new.',
    input: () => ({
      name: name(),
      change: typed(
        'string | readonly PageEdit[]',
        checked<string | readonly PageEdit[], string | readonly PageEdit[]>(editSchema, (received) =>
          typeof received === 'string' ? documentText(received, 'content') : pageEdits(received),
        ),
      ).describe('The whole content as text, or a list of edits.'),
      revision: whole(0).optional().describe('Only if this revision stands; 0: only if there is none. Default: any.'),
      description: textChecked((received) => documentText(received, 'description'))
        .optional()
        .describe('The subject in a sentence. Default: made of the content.'),
      maxChars: whole(documentChars.least, documentChars.most)
        .optional()
        .describe('The most characters. Default: as it was; 16,000 of a new one.'),
      writer: textChecked(agentName).optional().describe('The name of the agent that writes. Left out: a person.'),
      during: onlySession().describe('The session from which an agent writes: its messages so far are the lineage.'),
    }),
    output: 'Document',
    errors: ['STALE_REVISION', 'LIMIT_EXCEEDED'],
    method: {
      details:
        'InvalidOption for an edit that cannot be made, with the valid range. StaleRevision when `revision` is not the standing ' +
        'one. LimitExceeded for a content that is too long.',
      options: 'EditOptions',
      example: "await ada.documents.edit('Harbour office', [{ tool: 'append', text: '- opens at 8' }], { revision: 3 })",
    },
    run: async ({ engine, partition, hint }, { name, change, description, maxChars, revision, writer, during }) => {
      const by = writer === undefined ? { writer: byHand, isTool: false, during } : { writer, isTool: true, during }
      const content = typeof change === 'string' ? { content: change } : { edits: change }
      const document = await engine.write('documents.edit', partition, name, { ...content, description, maxChars, revision }, by)
      hint()
      return document
    },
  }),
  revisions: operation({
    name: 'documents.revisions',
    kind: 'read',
    route: 'GET /documents/{name}/revisions',
    about:
      'Lists the contents that a document had, the newest first, each with its difference from the one before. The last 200 ' +
      'keep their words.',
    input: () => ({ name: name(), ...page(20, pageRevisionsKept) }),
    output: 'List<PageRevision>',
    errors: ['NOT_FOUND'],
    method: { details: 'A list of over 16 MiB of text ends early, with a `cursor`.' },
    run: async ({ engine, partition }, { name, ...request }) => listOf(await engine.read('documents.revisions', partition, name, request)),
  }),
  restore: operation({
    name: 'documents.restore',
    kind: 'write',
    route: 'POST /documents/{name}/restore',
    about: 'Gives a document the content of an earlier revision. This makes a new revision.',
    expects: 'expectedRevision',
    input: () => ({ name: name(), revision: whole(1).describe('The number of the revision.'), expectedRevision: expectedRevision() }),
    output: 'Document',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, hint }, { name, revision, expectedRevision: expected }) => {
      const document = await engine.write('documents.restore', partition, name, { revision, expected }, byHand)
      hint()
      return document
    },
  }),
  delete: operation({
    name: 'documents.delete',
    kind: 'write',
    route: 'DELETE /documents/{name}',
    about: 'Erases a document with all of its revisions. The facts in it are not worked into another document.',
    expects: 'expectedRevision',
    input: () => ({ name: name(), expectedRevision: expectedRevision() }),
    output: 'Receipt',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, finishErasure }, { name, expectedRevision: expected }) =>
      finishErasure((await engine.write('documents.delete', partition, { name, expected })).receipt),
  }),
  memorize: operation({
    name: 'documents.memorize',
    kind: 'write',
    route: 'POST /sessions/{session}/memorize',
    about: 'Reads the new messages of a session for documents, with the layer on or off, and works them in. A user’s documents only.',
    input: () => ({ session: session().describe('The session.') }),
    output: 'Memorized',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, layers, distil, documents, hint }, { session }, { signal }) => {
      if (partition.owner.kind === 'shared') throw refused('session', session, 'a user’s: shared documents are written by hand or by tools')
      const due = () => engine.read('upkeep.dueSession', partition, session, layers | (bitOf('documents') << onceShift))
      await distil(due, signal, bitOf('documents'))
      const { done: facts, documents: written } = await documents({ partition }, signal)
      hint()
      const waiting = await engine.read('upkeep.factsWaiting', partition)
      return { facts, documents: [...new Map(written.map((one) => [one.name, one])).values()], waiting }
    },
  }),
}
