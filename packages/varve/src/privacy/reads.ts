import { profilesIn } from '../facts/profiles.ts'
import { contentMark } from '../messages/fence.ts'
import type { PartitionId } from '../scope/partition.ts'
import { type Purpose, storeSigningKey } from '../signing/keys.ts'
import { getReceipt, type Receipt, receipts } from '../storage/erase/receipts.ts'
import type { Here } from '../storage/here.ts'
import { plain } from '../storage/offer.ts'
import { previewOf } from './preview.ts'
import { ownersIn } from './replay-owners.ts'
import { replayPlan } from './replay-plan.ts'
import { forgetPreview } from './shown-forget.ts'

/** The reads of a user's profile and of erasures. */
export const privacyReads = {
  profile: async (here: Here, partition: PartitionId) => {
    // The writer's patterns take long to load, and only a profile needs them here.
    const [{ sayingsIn }, { profileOf }] = [await import('./sayings.ts'), await import('./profile.ts')]
    const sayings = sayingsIn(here)
    await sayings.pool(here, partition)
    return here.read(profileOf({ profiles: profilesIn(here), sayings }, partition, here.now))
  },
  preview: plain(previewOf),
  forgetPreview: plain(forgetPreview),
  /** Gives the mark of a fence around a content. The key stays with the store. */
  contentMark: async (here: Here, content: string) => contentMark(here.key, content),
  receipt: plain(getReceipt),
  receipts: plain(receipts),
  /** Says what has to be erased again. The owners are hashed for the first receipt of a replay. */
  replayPlan: async (here: Here, { erased, at }: Pick<Required<Receipt>, 'erased' | 'at'>, isFirst: boolean) =>
    here.read(replayPlan({ erased, at, now: here.now, secret: here.key, owners: await ownersIn(here, isFirst) })),
  /** Derives the store's key for a purpose. The store's secret stays with the engine. */
  signingKey: async (here: Here, purpose: Purpose) => storeSigningKey(here.key, purpose),
}
