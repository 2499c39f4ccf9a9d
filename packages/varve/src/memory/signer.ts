import type { Engine } from '../engine/engine.ts'
import type { Ed25519Key, Purpose, SigningKeys, StoreSigningKey } from '../signing/keys.ts'
import { checkReceipt, signReceipt } from '../storage/erase/receipt-signature.ts'
import type { Receipt } from '../storage/erase/receipts.ts'

/** Signs with the store's keys and with the configured Ed25519 key. */
export class Signer {
  readonly #engine: Pick<Engine, 'read'>
  readonly #own: Ed25519Key | undefined
  readonly #ofStore = new Map<Purpose, StoreSigningKey>()

  constructor(engine: Pick<Engine, 'read'>, own: Ed25519Key | undefined) {
    this.#engine = engine
    this.#own = own
  }

  async keysFor(purpose: Purpose): Promise<SigningKeys> {
    const store = this.#ofStore.get(purpose) ?? (await this.#engine.read('privacy.signingKey', purpose))
    this.#ofStore.set(purpose, store)
    return { purpose, store, ed25519: this.#own === undefined ? [] : [this.#own] }
  }

  /** Adds the Ed25519 signature to a receipt. Does so only where the store's own is right: a changed row gets none. */
  async countersigned(receipt: Receipt): Promise<Receipt> {
    const { signatures = [] } = receipt
    if (this.#own === undefined || signatures.length === 0) return receipt
    const keys = await this.keysFor('receipts')
    if (checkReceipt(keys, receipt).state !== 'verified') return receipt
    return { ...receipt, signatures: [...signatures, ...signReceipt({ ...keys, store: undefined }, receipt)] }
  }
}
