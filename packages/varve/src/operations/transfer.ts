import * as z from 'zod'
import { calledOn } from '../engine/port.ts'
import { type Ed25519Key, ed25519Key } from '../signing/keys.ts'
import { exportLines } from '../transfer/export-lines.ts'
import type { transferReads } from '../transfer/reads.ts'
import type { ExportPieces } from '../transfer/coming-lines.ts'
import { applyWaiting, importLines } from '../transfer/import-lines.ts'
import type { Imported } from '../transfer/imported.ts'
import type { transferWrites } from '../transfer/writes.ts'
import { checked, flag, id, page, typed } from './fields.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'
import { parsedReceipt } from './receipt-check.ts'

const readsOf = (engine: PartitionMeans['engine']) =>
  calledOn<typeof transferReads>('transfer', (name, args) => engine.call('read', name, args))

const writesOf = (engine: PartitionMeans['engine']) =>
  calledOn<typeof transferWrites>('transfer', (name, args) => engine.call('write', name, args))

/** Makes the field of a private Ed25519 key in PEM. */
const privateKey = (option: string) =>
  checked<Ed25519Key, string>(
    { type: 'string' },
    (received) => {
      const key = typeof received === 'string' ? ed25519Key(received, option) : undefined
      return key?.privateKey === undefined ? undefined : key
    },
    'a private Ed25519 key in PEM',
  )

export const exportOperation = operation({
  name: 'export',
  kind: 'read',
  route: 'POST /export',
  about:
    'Writes this memory as JSON lines, to be kept or imported elsewhere: messages byte for byte, and everything that was made ' +
    'of them or written by hand, except vectors. A user’s lines hold no other user’s words: what members share is in the ' +
    'project’s. The lines are signed with the store’s key.',
  input: () => ({
    signingKey: privateKey('signingKey')
      .optional()
      .describe('A private Ed25519 key in PEM that signs the lines too: whoever has its public half can check them.'),
  }),
  output: 'AsyncIterable<string>',
  errors: ['EXPORT_INTERRUPTED'],
  method: { byHand: true, options: 'ExportOptions' },
  run: async ({ engine, clock, partition, countersigned }, { signingKey }, { signal }) =>
    exportLines({
      reads: readsOf(engine),
      now: clock.now(),
      partition,
      keys: {
        purpose: 'export',
        store: await engine.read('privacy.signingKey', 'export'),
        ed25519: signingKey === undefined ? [] : [signingKey],
      },
      signaturesOfReceipt: async (received) => {
        const receipt = parsedReceipt(received)
        return receipt === undefined ? undefined : (await countersigned(receipt)).signatures
      },
      signal,
    }),
})

/** The same for what a project's members share. */
export const projectExportOperation = operation({
  ...exportOperation,
  name: 'project.export',
  about:
    'Writes what the members of a project share as JSON lines, with the project’s settings: blocks, documents and the shared ' +
    'bank. Holds no member’s own memory. The lines are signed with the store’s key.',
  method: { byHand: true, options: 'ProjectExportOptions' },
})

const pieces = () =>
  typed(
    'ExportPieces',
    checked<ExportPieces, ExportPieces>(
      { type: 'string' },
      (received) => (isPieces(received) ? received : undefined),
      'the lines of an export: a text, bytes, or an iterable of these',
    ),
  )

function isPieces(received: unknown): received is ExportPieces {
  if (typeof received === 'string' || received instanceof Uint8Array) return true
  return typeof received === 'object' && received !== null && (Symbol.asyncIterator in received || Symbol.iterator in received)
}

const trusted = () =>
  z
    .array(
      checked<Ed25519Key, string>(
        { type: 'string' },
        (received) => (typeof received === 'string' ? ed25519Key(received, 'trust') : undefined),
        'an Ed25519 key in PEM',
      ),
    )
    .max(64)

const restoring = () =>
  flag()
    .default(false)
    .describe('Stores again what was forgotten or deleted by hand here, and messages that were forgotten where the export was made.')

export const importOperation = operation({
  name: 'import',
  kind: 'write',
  route: 'POST /import',
  about:
    'Takes the lines of an export into this memory. Messages keep their ids and times; what is there already is a duplicate, and ' +
    'what was changed here stays. Lines that this store signed for this owner, or that a key in `trust` signed, are applied; ' +
    'those of anybody else wait, neither found nor shown, until they are accepted. Nothing is applied of lines that were ' +
    'changed since they were signed.',
  input: () => ({
    lines: pieces().describe('The export: text or bytes, whole or in pieces.'),
    accept: z
      .union([flag(), z.literal('changed')], { error: 'true, false or changed' })
      .default(false)
      .describe('True applies the lines of a stranger at once; `changed` even lines that are not as they were signed.'),
    trust: trusted().optional().describe('Ed25519 keys in PEM whose signature is as good as this store’s.'),
    restoreForgotten: restoring(),
  }),
  output: 'Imported',
  errors: ['EXPORT_BROKEN', 'LIMIT_EXCEEDED', 'NOT_FOUND'],
  method: {
    placed: ['lines'],
    details: 'It is done in many transactions. One that was cut off is finished by the next import of the same lines.',
    options: 'ImportLinesOptions',
    example: "const { state, stored } = await ada.import(createReadStream('ada.jsonl'))",
  },
  run: async ({ engine, partition }, { lines, accept, trust = [], restoreForgotten }, { signal }): Promise<Imported> =>
    importLines(
      {
        reads: readsOf(engine),
        writes: writesOf(engine),
        partition,
        keys: { purpose: 'export', store: await engine.read('privacy.signingKey', 'export'), ed25519: trust },
        accept,
        restores: restoreForgotten,
        signal,
      },
      lines,
    ),
  told: ({ observer, hint }, _input, { state, stored, duplicates, forgotten }) => {
    if (state === 'waiting') return
    observer.count('appended', stored['message'] ?? 0)
    observer.count('duplicates', duplicates['message'] ?? 0)
    observer.count('forgottenBefore', forgotten)
    hint()
  },
})

/** The same for what a project's members share. */
export const projectImportOperation = operation({
  ...importOperation,
  name: 'project.import',
  about:
    'Takes the lines of a project’s export into what its members share. Otherwise it is as `import`. From a stranger it takes ' +
    'blocks and documents only: nobody else can vouch for whose words a shared bank rests on, or for settings.',
  method: { placed: ['lines'], options: 'ProjectImportOptions' },
})

/** Operations on imports that wait. */
export const importsOperations = {
  list: operation({
    name: 'imports.list',
    kind: 'read',
    route: 'GET /imports',
    about:
      'Lists imports that are not done, with their state, the newest first: those that wait to be accepted, and those that were stopped.',
    input: () => page(100, 1_000),
    output: 'List<WaitingImport>',
    errors: [],
    run: async ({ engine, partition }, request) => listOf(await engine.read('transfer.imports', partition, request)),
  }),
  get: operation({
    name: 'imports.get',
    kind: 'read',
    route: 'GET /imports/{id}',
    about: 'Shows an import that is not done: where it says it is from, what is in it, and its first texts. They are somebody’s words.',
    input: () => ({ id: id().describe('The id of the import.') }),
    output: 'WaitingImport & { texts: readonly ImportedText[] }',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition }, { id }) => engine.read('transfer.import', partition, id),
  }),
  accept: operation({
    name: 'imports.accept',
    kind: 'write',
    route: 'POST /imports/{id}/accept',
    about: 'Applies an import that waits, or goes on with one that was stopped. Its sessions share nothing until somebody says so here.',
    input: () => ({ id: id().describe('The id of the import.'), restoreForgotten: restoring() }),
    output: 'ImportCounts',
    errors: ['NOT_FOUND'],
    run: ({ engine, partition }, { id, restoreForgotten: restores }, { signal }) =>
      applyWaiting({ reads: readsOf(engine), writes: writesOf(engine), partition, restores, signal }, id),
    told: ({ observer, hint }, _input, { stored, duplicates, forgotten }) => {
      observer.count('appended', stored['message'] ?? 0)
      observer.count('duplicates', duplicates['message'] ?? 0)
      observer.count('forgottenBefore', forgotten)
      hint()
    },
  }),
  discard: operation({
    name: 'imports.discard',
    kind: 'write',
    route: 'DELETE /imports/{id}',
    about: 'Throws an import away with its lines: one that waits, or one that was stopped. What was applied of it stays.',
    input: () => ({ id: id().describe('The id of the import.') }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    run: async ({ engine, partition, finishErasure }, { id }) =>
      finishErasure((await engine.write('transfer.discard', partition, id)).receipt),
  }),
}
