import * as z from 'zod'
import { NotFound } from '../errors/not-found.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { checked, id, page, typed } from './fields.ts'
import { listOf } from './list.ts'
import { storeOperation } from './operation.ts'
import { checkOf, parsedReceipt } from './receipt-check.ts'
import { replayReceipts } from './replay.ts'

const expected = 'a receipt, or the id of one'

const receiptOf = async (read: Promise<Receipt | undefined>, id: string): Promise<Receipt> => {
  const receipt = await read
  if (receipt === undefined) throw new NotFound({ kind: 'receipt', id })
  return receipt
}

/** The most receipts of one replay. */
export const mostReplayed = 1_000

export const receiptsOperations = {
  list: storeOperation({
    name: 'receipts.list',
    kind: 'read',
    route: 'GET /receipts',
    about: 'Lists receipts of erasures, the newest first.',
    input: () => page(100, 10_000),
    output: 'List<Receipt>',
    errors: [],
    run: async ({ engine, countersigned }, request) => {
      const found = await engine.read('privacy.receipts', request)
      return listOf({ ...found, items: await Promise.all(found.items.map((one) => countersigned(one))) })
    },
  }),
  get: storeOperation({
    name: 'receipts.get',
    kind: 'read',
    route: 'GET /receipts/{id}',
    about: 'Reads a receipt.',
    input: () => ({ id: id().describe('The id of the receipt.') }),
    output: 'Receipt',
    errors: ['NOT_FOUND'],
    run: async ({ engine, countersigned }, { id }) => countersigned(await receiptOf(engine.read('privacy.receipt', id), id)),
  }),
  verify: storeOperation({
    name: 'receipts.verify',
    kind: 'read',
    route: 'POST /receipts/verify',
    about: "Verifies the signatures of a receipt with the store's key and the configured Ed25519 key.",
    input: () => ({
      receipt: typed(
        'Receipt | string',
        checked(
          { type: ['string', 'object'] },
          (received) => (typeof received === 'string' ? received : parsedReceipt(received)),
          expected,
        ),
      ).describe('A receipt, or the id of one of this store.'),
    }),
    output: 'ReceiptCheck',
    errors: ['NOT_FOUND'],
    run: async ({ engine, signingKeys }, { receipt }) => {
      const given = typeof receipt === 'string' ? await receiptOf(engine.read('privacy.receipt', receipt), receipt) : receipt
      return checkOf(await signingKeys('receipts'), given)
    },
  }),
  replay: storeOperation({
    name: 'receipts.replay',
    kind: 'write',
    route: 'POST /receipts/replay',
    about:
      'Erases again what receipts of this store say: for a backup from before an erasure. Nothing that was recorded after a ' +
      'receipt goes. A receipt that does not verify is refused, and the others are replayed.',
    input: () => ({
      receipts: typed('readonly Receipt[]', z.array(z.unknown(), { error: 'a list of receipts' }).max(mostReplayed)).describe(
        `Receipts, at most ${mostReplayed}.`,
      ),
    }),
    output: 'ReplayedReceipt[]',
    errors: [],
    run: async (means, { receipts }) => {
      const keys = await means.signingKeys('receipts')
      const read = receipts.map((received) => parsedReceipt(received))
      return replayReceipts(means, read, (receipt) => checkOf(keys, receipt))
    },
  }),
}
