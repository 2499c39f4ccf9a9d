import type { Metadata } from '../messages/message.ts'
import { checkText, validMetadata } from '../messages/validate.ts'
import type { Session } from '../storage/log/sessions.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { switchedLayers } from '../storage/layers.ts'
import { checked, expectedVersion, flag, page, record, refused, session, typed } from './fields.ts'
import { forgotten } from './forgetting.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'

const maxSessionNameBytes = 1_024
const id = () => session().describe('The session.')

function refuse(field: string, received: unknown): (_: string, reason: string) => never {
  return (_, reason) => {
    throw refused(field, received, `valid, but it ${reason}`)
  }
}

const title = () =>
  checked<string, string>({ type: 'string' }, (received) => {
    checkText('name', received, maxSessionNameBytes, refuse('name', received))
    return received
  }).describe('Its title.')

const metadata = () =>
  typed(
    'Metadata',
    checked<Metadata, Metadata>({ type: 'object' }, (received) => {
      const json = validMetadata(received, refuse('metadata', received))
      const valid: Metadata = JSON.parse(json)
      return valid
    }),
  ).describe('Values by which messages are filtered.')

const layerSwitches = () =>
  record(Object.fromEntries(switchedLayers.map((layer) => [layer, flag().nullable().optional()]))).describe(
    'Layers of this session that differ from its project’s; null takes a switch back.',
  )

const details = () => ({
  name: title().optional(),
  share: flag().optional().describe('Whether it may feed the shared bank of its project.'),
  metadata: metadata().optional(),
  layers: layerSwitches().optional(),
})

/** Finishes the erasure of bullets that no longer feed a shared bank, when a change withdrew some. */
async function withdrawn(means: PartitionMeans, change: Promise<{ readonly session: Session; readonly receipt?: Receipt | undefined }>) {
  const { session, receipt } = await change
  return receipt === undefined ? session : { ...session, receipt: await means.finishErasure(receipt) }
}

export const sessionOperations = {
  ensure: operation({
    name: 'sessions.ensure',
    kind: 'write',
    route: 'PUT /sessions/{id}',
    about:
      'Makes the session when it is new, and sets the given details; others stay. With `share: false`, its ' +
      'bullets are withdrawn from its project.',
    expects: 'expectedVersion',
    input: () => ({ id: id(), ...details(), expectedVersion: expectedVersion() }),
    output: 'Session & Withdrawn',
    errors: ['STALE_REVISION'],
    run: (means, { id, expectedVersion: expected, ...changes }) =>
      withdrawn(means, means.engine.write('log.ensureSession', means.partition, { session: id, expected }, changes)),
  }),
  list: operation({
    name: 'sessions.list',
    kind: 'read',
    route: 'GET /sessions',
    about: 'Lists sessions, the newest talk first.',
    input: () => page(100, 100_000),
    output: 'List<Session>',
    errors: [],
    method: { details: 'A list of over 16 MiB of text ends early, with a `cursor`.' },
    run: async ({ engine, partition }, request) => listOf(await engine.read('log.sessions', partition, request)),
  }),
  get: operation({
    name: 'sessions.get',
    kind: 'read',
    route: 'GET /sessions/{id}',
    about: 'Reads a session’s details.',
    input: () => ({ id: id() }),
    output: 'Session',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition }, { id }) => engine.read('log.session', partition, id),
  }),
  rename: operation({
    name: 'sessions.rename',
    kind: 'write',
    route: 'PUT /sessions/{id}/name',
    about: 'Gives a session a title.',
    expects: 'expectedVersion',
    input: () => ({ id: id(), name: title(), expectedVersion: expectedVersion() }),
    output: 'Session & Withdrawn',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: (means, { id, name, expectedVersion: expected }) =>
      withdrawn(means, means.engine.write('log.changeSession', means.partition, { session: id, expected }, { name })),
  }),
  share: operation({
    name: 'sessions.share',
    kind: 'write',
    route: 'PUT /sessions/{id}/share',
    about:
      'Says whether the session may feed the bank of its project. With true, a session that did not feed it does so with what ' +
      'comes from then on. With false, its bullets are withdrawn.',
    expects: 'expectedVersion',
    input: () => ({
      id: id(),
      share: flag().describe('Whether it may feed the shared bank of its project.'),
      expectedVersion: expectedVersion(),
    }),
    output: 'Session & Withdrawn',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: (means, { id, share, expectedVersion: expected }) =>
      withdrawn(means, means.engine.write('log.changeSession', means.partition, { session: id, expected }, { share })),
  }),
  delete: operation({
    name: 'sessions.delete',
    kind: 'write',
    route: 'DELETE /sessions/{id}',
    about: 'Forgets the session: its messages, its title, and everything that rests on them.',
    input: () => ({ id: id() }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    run: (means, { id }) => forgotten(means, { session: id }),
  }),
}
