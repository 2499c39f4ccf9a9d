import { auditEntries } from '../storage/doors/audit.ts'
import { callerKeys, type StoredKey, storedKey } from '../storage/doors/caller-keys.ts'
import type { Here } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'

/** A stored key, and the present time by the store's clock. */
export interface KeyNow {
  readonly found: StoredKey | undefined
  readonly now: number
}

/** The reads of callers' keys, and of what callers did. */
export const callerReads = {
  key: async (here: Here, id: string): Promise<KeyNow> => ({ found: await here.read(storedKey(id)), now: here.now }),
  keys: plain(callerKeys),
  audit: plain(auditEntries),
}
