import { EmptySession } from '../errors/empty-session.ts'
import { byHand } from '../models/writer.ts'
import type { Notes } from '../notes/notes.ts'
import { notesText } from '../notes/validate.ts'
import { pageRevisionsKept } from '../pages/page-bounds.ts'
import { type SessionName, sessionName } from '../scope/partition.ts'
import { expectedRevision, page, session, textChecked, whole } from './fields.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'

const mostListed = 10_000
const ofSession = () => session().describe('The session.')

/** Takes in the edits of the file of a session's notes, and writes the file. */
async function refreshed({ mirror, partition }: PartitionMeans, session: SessionName): Promise<void> {
  await mirror?.refresh(partition, session)
}

function withPath({ mirror, partition }: PartitionMeans, notes: Notes): Notes {
  return mirror === undefined ? notes : { ...notes, path: mirror.pathOf(partition, notes.session) }
}

async function written(means: PartitionMeans, notes: Notes): Promise<Notes> {
  means.hint()
  await refreshed(means, sessionName(notes.session))
  return withPath(means, notes)
}

export const notesOperations = {
  get: operation({
    name: 'notes.get',
    kind: 'read',
    route: 'GET /sessions/{session}/notes',
    about:
      'Reads the notes of a session as they stand, edits of its file included. With `revision`, it gives the page of ' +
      'that revision. Undefined when there are none.',
    input: () => ({ session: ofSession(), revision: whole(1).optional().describe('Reads this revision in place of the standing one.') }),
    output: 'Notes | undefined',
    errors: ['NOT_FOUND'],
    run: async (means, { session, revision }) => {
      await refreshed(means, session)
      const { found: notes, epochs } = await means.engine.read('notes.get', means.partition, session, revision)
      if (notes === undefined) return undefined
      means.shown.add(means.partition, epochs, [{ id: notes.id, text: notes.content }])
      return withPath(means, notes)
    },
  }),
  due: operation({
    name: 'notes.due',
    kind: 'read',
    route: 'GET /sessions/{session}/notes/due',
    about: 'Tells whether an update is due, and why. `on` is true when upkeep makes the update.',
    input: () => ({ session: ofSession() }),
    output: 'NotesDue & { on: boolean }',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition, layers }, { session }) => engine.read('notes.due', partition, session, layers),
  }),
  update: operation({
    name: 'notes.update',
    kind: 'write',
    route: 'POST /sessions/{session}/notes/update',
    about: 'Brings the notes up to date now, due or not, with the layer on or off. Waits for another update of the same notes.',
    input: () => ({ session: ofSession() }),
    output: 'Notes',
    errors: ['EMPTY_SESSION', 'NOT_FOUND'],
    method: { details: 'Gives back the new page. EmptySession for a session in which nothing was said.' },
    run: async (means, { session }, { signal }) => {
      await refreshed(means, session)
      const { engine, partition } = means
      await means.notes(() => engine.read('notes.toNote', partition, session), signal)
      const standing = await engine.read('notes.read', partition, session, undefined)
      if (standing === undefined) throw new EmptySession({ session })
      means.hint()
      return withPath(means, standing)
    },
  }),
  edit: operation({
    name: 'notes.edit',
    kind: 'write',
    route: 'PUT /sessions/{session}/notes',
    expects: 'revision',
    about: 'Replaces a session’s notes by a text; makes them when there are none.',
    input: () => ({
      session: ofSession(),
      content: textChecked(notesText).describe('The whole page, in markdown.'),
      revision: whole(0).optional().describe('Only if this revision stands; 0: only if there are none. Default: any.'),
    }),
    output: 'Notes',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    method: { details: 'StaleRevision when another `revision` stands.' },
    run: async (means, { session, content, revision }) => {
      await refreshed(means, session)
      return written(means, await means.engine.write('notes.edit', means.partition, session, { content, revision }, byHand))
    },
  }),
  revisions: operation({
    name: 'notes.revisions',
    kind: 'read',
    route: 'GET /sessions/{session}/notes/revisions',
    about: 'Lists the pages that the notes had, the newest first, each with its difference from the one before.',
    input: () => ({ session: ofSession(), ...page(20, pageRevisionsKept) }),
    output: 'List<PageRevision>',
    errors: ['NOT_FOUND'],
    method: { details: 'A list of over 16 MiB of text ends early, with a `cursor`.' },
    run: async (means, { session, ...request }) => {
      await refreshed(means, session)
      return listOf(await means.engine.read('notes.revisions', means.partition, session, request))
    },
  }),
  restore: operation({
    name: 'notes.restore',
    kind: 'write',
    route: 'POST /sessions/{session}/notes/restore',
    about: 'Gives notes the page of an earlier revision. This makes a new revision.',
    expects: 'expectedRevision',
    input: () => ({
      session: ofSession(),
      revision: whole(1).describe('The number of the revision.'),
      expectedRevision: expectedRevision(),
    }),
    output: 'Notes',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async (means, { session, revision, expectedRevision: expected }) => {
      await refreshed(means, session)
      return written(means, await means.engine.write('notes.restore', means.partition, session, { revision, expected }, byHand))
    },
  }),
  delete: operation({
    name: 'notes.delete',
    kind: 'write',
    route: 'DELETE /sessions/{session}/notes',
    about:
      'Erases the notes of a session with all of their revisions and their file. Switches the layer off for the ' +
      'session: they stay deleted.',
    expects: 'expectedRevision',
    input: () => ({ session: ofSession(), expectedRevision: expectedRevision() }),
    output: 'Receipt',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, mirror, finishErasure }, { session, expectedRevision: expected }) => {
      const erase = async () => (await engine.write('notes.delete', partition, { session, expected })).receipt
      return finishErasure(await (mirror === undefined ? erase() : mirror.erasing([partition], erase)))
    },
  }),
  list: operation({
    name: 'notes.list',
    kind: 'read',
    route: 'GET /notes',
    about: 'Lists the notes of sessions, the last changed first.',
    input: () => page(100, mostListed),
    output: 'List<NotesEntry>',
    errors: [],
    run: async ({ engine, partition }, request) => listOf(await engine.read('notes.list', partition, request)),
  }),
}
