import type { Memory } from '../../memory/memory.ts'
import type { ReceiptCheck } from '../../operations/receipt-check.ts'
import type { ReplayedReceipt } from '../../operations/replayed-receipt.ts'
import { keptWords } from './receipt.ts'
import { countedKinds } from '../../messages/counted-kinds.ts'
import { harmlessLine, minute } from '../terminal.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>

export function receiptLine({ id, at, counts, physical, erased }: Receipt): string {
  return `${minute(at)}  ${id}  ${physical.padEnd(7)}  ${(erased?.what ?? '').padEnd(8)}  ${harmlessLine(countedKinds(counts))}`
}

export function receiptText(receipt: Receipt): string[] {
  const { doneAt, reason, erased } = receipt
  return [
    receiptLine(receipt),
    ...(erased?.kept === true
      ? [`its words ${keptWords}`]
      : doneAt === undefined
        ? []
        : [`gone from the files' bytes since ${minute(doneAt)}`]),
    ...(reason === undefined ? [] : [`still in the files' bytes: ${harmlessLine(reason)}`]),
  ]
}

const meanings = {
  verified: 'verified',
  failed: 'CHANGED: it is not as it was signed',
  unknown: 'not verified: signed by a key that is not at hand',
  unsigned: 'unsigned: it is of an older Varve',
} as const

export function checkLine({ id, state, by }: ReceiptCheck): string {
  const keys = by.map(({ by: kind, keyId }) => `${kind === 'store' ? "the store's key" : 'Ed25519 key'} ${harmlessLine(keyId)}`)
  return `${harmlessLine(id)}  ${meanings[state]}${keys.length === 0 ? '' : ` (${keys.join(', ')})`}`
}

export function replayedLine({ line, id, outcome, reason, receipts = [] }: ReplayedReceipt): string {
  const erased = receipts.map(({ counts }) => harmlessLine(countedKinds(counts))).join('; ')
  const told = { erased: `erased again: ${erased}`, gone: 'nothing of it is there', refused: `REFUSED: ${reason ?? ''}` }
  return `${String(line).padStart(5)}  ${harmlessLine(id ?? '-')}  ${told[outcome]}`
}
