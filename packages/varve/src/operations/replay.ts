import { VarveError } from '../errors/varve-error.ts'
import { type PartitionId, type ProjectName, projectName, type SessionName, sessionName } from '../scope/partition.ts'
import type { Erases } from '../storage/erase/erases.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { StoreMeans } from './means.ts'
import type { ReceiptCheck } from './receipt-check.ts'
import type { ReplayedReceipt } from './replayed-receipt.ts'

type Refusal = NonNullable<ReplayedReceipt['reason']>

/** Gives the reason why a receipt is not replayed; undefined when it may be: nothing is wrong, and this store signed it. */
export function refusalOf(check: ReceiptCheck | undefined): Refusal | undefined {
  if (check === undefined) return 'not a receipt'
  return check.state === 'verified' && check.by.every(({ by }) => by !== 'store') ? 'of another store' : refusals[check.state]
}

const refusals = { verified: undefined, failed: 'changed', unknown: 'of another store', unsigned: 'unsigned' } as const

/** Replays receipts, in their order. Each is checked before anything is erased. */
export async function replayReceipts(
  means: StoreMeans,
  given: readonly (Receipt | undefined)[],
  check: (receipt: Receipt) => ReceiptCheck,
): Promise<ReplayedReceipt[]> {
  const replayed: ReplayedReceipt[] = []
  let isFirst = true
  for (const [place, receipt] of given.entries()) {
    const line = place + 1
    const reason: Refusal | undefined = refusalOf(receipt === undefined ? undefined : check(receipt))
    if (receipt === undefined || reason !== undefined) {
      replayed.push({
        line,
        ...(receipt === undefined ? {} : { id: receipt.id }),
        outcome: 'refused',
        ...(reason === undefined ? {} : { reason }),
      })
      continue
    }
    const receipts = await eraseAgain(means, receipt, isFirst)
    isFirst = false
    replayed.push({ line, id: receipt.id, outcome: receipts.length > 0 ? 'erased' : 'gone', ...(receipts.length > 0 ? { receipts } : {}) })
  }
  return replayed
}

async function eraseAgain(means: StoreMeans, { erased, at }: Receipt, isFirst: boolean): Promise<readonly Receipt[]> {
  const plan = erased === undefined ? [] : await means.engine.read('privacy.replayPlan', { erased, at }, isFirst)
  const receipts: Receipt[] = []
  for (const one of plan) {
    const receipt = await mirrored(means, one).catch(whereGone)
    if (receipt === undefined) continue
    receipts.push(await means.finishErasure(receipt))
    means.observer.count('forgotten', receipt.counts['message'] ?? 0)
    const whose = whoseOf(one)
    if (whose !== undefined) means.observer.emit({ type: 'forgotten', ...whose, receipt: receipt.id, counts: receipt.counts })
  }
  return receipts
}

/** Another caller may have erased it meanwhile. */
function whereGone(error: unknown): undefined {
  if (VarveError.is(error) && error.code === 'NOT_FOUND') return undefined
  throw error
}

function whoseOf(one: Erases): { readonly project: ProjectName; readonly user?: string } | undefined {
  if (one.what === 'kept') return undefined
  if (one.what === 'project') return { project: projectName(one.project) }
  const { project, owner } = one.of
  return owner.kind === 'user' ? { project, user: owner.name } : { project }
}

/** Erases from the store, and from the files of notes. */
async function mirrored(means: StoreMeans, one: Erases): Promise<Receipt | undefined> {
  const { mirror } = means
  if (mirror === undefined || one.what === 'kept') return written(means, one)
  const partitions: readonly PartitionId[] = one.what === 'project' ? await means.partitionsOf(projectName(one.project)) : [one.of]
  return mirror.erasing(partitions, () => written(means, one))
}

/** Erases once more what a receipt says, by the call that erased it first. */
async function written({ engine }: StoreMeans, one: Erases): Promise<Receipt | undefined> {
  switch (one.what) {
    case 'project':
      return (await engine.write('privacy.deleteProject', projectName(one.project))).receipt
    case 'messages':
      return (await engine.write('privacy.forget', one.of, one.selection)).receipt
    // The new words are not in a receipt: the message goes.
    case 'words':
      return (await engine.write('privacy.forget', one.of, { messages: [one.message] })).receipt
    case 'document':
      return (await engine.write('documents.delete', one.of, { name: one.key })).receipt
    case 'notes':
      return (await engine.write('notes.delete', one.of, { session: sessionName(one.session) })).receipt
    case 'block':
      return (await engine.write('blocks.delete', one.of, { name: one.name, session: sessionOf(one.session) })).receipt
    case 'bank':
      if (one.entry !== undefined) return (await engine.write('bank.delete', one.of, { id: one.entry }, !one.isKept)).receipt
      if (one.member !== undefined) return (await engine.write('bank.withdraw', one.of, one.member)).receipt
      return (await engine.write('bank.clear', one.of, !one.isKept)).receipt
    case 'sharing':
      if (one.of.owner.kind === 'shared')
        return (await engine.write('projects.setSharing', one.of.project, undefined, endOf(one.answers === true))).receipt
      if (one.session === undefined) return (await engine.write('projects.shareByDefault', one.of, undefined, false)).receipt
      return (await engine.write('log.changeSession', one.of, { session: sessionName(one.session) }, { share: false })).receipt
    case 'kept':
      return (await engine.write('privacy.eraseTexts', one.ids)).receipt
    case 'imports':
      if (one.ids === undefined) return (await engine.write('privacy.dropImports', one.of, one.until))?.receipt
      return (await engine.write('transfer.discard', one.of, one.ids[0] ?? '')).receipt
  }
}

/** The change that ends the sharing of a project, or that of assistants' answers alone. */
function endOf(isOfAnswers: boolean) {
  return { on: isOfAnswers, backfill: false, assistants: false }
}

function sessionOf(name: string | undefined): SessionName | undefined {
  return name === undefined ? undefined : sessionName(name)
}
