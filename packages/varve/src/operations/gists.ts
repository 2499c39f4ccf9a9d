import { deedsKept } from '../storage/deeds/deeds.ts'
import { checked, expectedVersion, page, refused, session, whole } from './fields.ts'
import { listOf } from './list.ts'
import { operation } from './operation.ts'
import { recalled, recallTold, searchFields, unanswered } from './recalling.ts'
import { writtenLines } from './written-lines.ts'

const ofSession = () => session().describe('The session.')

export const gistOperations = {
  get: operation({
    name: 'gists.get',
    kind: 'read',
    route: 'GET /sessions/{session}/gist',
    about: 'Reads a session’s gist; undefined while it has none.',
    input: () => ({ session: ofSession() }),
    output: 'Gist | undefined',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, shown }, { session }) => {
      const { found, epochs } = await engine.read('gists.get', partition, session)
      if (found !== undefined) shown.add(partition, epochs, [found])
      return found
    },
  }),
  list: operation({
    name: 'gists.list',
    kind: 'read',
    route: 'GET /gists',
    about: 'Lists gists, the newest talk first.',
    input: () => page(100, 100_000),
    output: 'List<Gist>',
    errors: [],
    method: { details: 'A list of over 16 MiB of text ends early, with a `cursor`.' },
    run: async ({ engine, partition }, request) => listOf(await engine.read('gists.list', partition, request)),
  }),
  recall: operation({
    name: 'gists.recall',
    kind: 'read',
    route: 'POST /gists/recall',
    about: 'Finds sessions by their gists: hits of kind `gist`. Default limit 3.',
    input: () => searchFields(3),
    output: 'Recalled',
    errors: [],
    run: (means, input, call) => recalled(means, { ...input, kinds: ['gist'] }, call),
    failsOpen: unanswered('recall'),
    told: recallTold,
  }),
  write: operation({
    name: 'gists.write',
    kind: 'write',
    route: 'PUT /sessions/{session}/gist',
    about:
      'Replaces a session’s gist by a person’s words. They stand for the messages so far. Later messages are ' +
      'added to them. Forgetting any of their messages forgets them too. `restore` brings the earlier gist back.',
    expects: 'expectedVersion',
    input: () => ({
      session: ofSession(),
      text: checked<string[], string>({ type: 'string' }, (received) => writtenLines('text', received)).describe('The gist.'),
      expectedVersion: expectedVersion(),
    }),
    output: 'Gist',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, hint }, { session, text, expectedVersion: expected }) => {
      await engine.write('gists.write', partition, { session, expected }, text)
      hint()
      const { found: gist } = await engine.read('gists.get', partition, session)
      if (gist === undefined) throw refused('text', text, 'words')
      return gist
    },
  }),
  revisions: operation({
    name: 'gists.revisions',
    kind: 'read',
    route: 'GET /sessions/{session}/gist/revisions',
    about:
      'Lists the texts that a session’s gist had before a person wrote another, the standing one first, with who replaced ' +
      'each and when. They are kept for 30 days.',
    input: () => ({ session: ofSession(), ...page(100, deedsKept) }),
    output: 'List<GistRevision>',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition }, { session, ...request }) =>
      listOf(await engine.read('gists.revisions', partition, session, request)),
  }),
  restore: operation({
    name: 'gists.restore',
    kind: 'write',
    route: 'POST /sessions/{session}/gist/restore',
    about:
      'Gives a session’s gist the text of an earlier revision. This makes a new revision. Upkeep adds what was said since. ' +
      'Nothing changes when that text stands.',
    expects: 'expectedVersion',
    input: () => ({ session: ofSession(), revision: whole(1).describe('The number of the revision.'), expectedVersion: expectedVersion() }),
    output: 'Gist | undefined',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, hint }, { session, revision, expectedVersion: expected }) => {
      await engine.write('gists.restore', partition, { session, expected }, revision)
      hint()
      return (await engine.read('gists.get', partition, session)).found
    },
  }),
  distil: operation({
    name: 'gists.distil',
    kind: 'write',
    route: 'POST /sessions/{session}/gist/distil',
    about: 'Reads the session now, due or not, and gives back its gist; undefined when the session says nothing to sum up.',
    input: () => ({ session: ofSession() }),
    output: 'Gist | undefined',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, layers, distil }, { session }, { signal }) => {
      await distil(() => engine.read('upkeep.dueSession', partition, session, layers), signal)
      return (await engine.read('gists.get', partition, session)).found
    },
  }),
  pending: operation({
    name: 'gists.pending',
    kind: 'read',
    route: 'GET /gists/pending',
    about: 'Counts the messages that wait to be read: of a session, or of all.',
    input: () => ({ session: ofSession().optional() }),
    output: 'number',
    errors: ['NOT_FOUND'],
    method: { placed: ['session'] },
    run: ({ engine, partition }, { session }) => engine.read('gists.pending', partition, session),
  }),
}
