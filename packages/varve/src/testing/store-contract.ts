import { uuidv7 } from '../ids/uuid.ts'
import { appendChecks } from './store/append-checks.ts'
import { blockChecks } from './store/block-checks.ts'
import type { Check } from './store/check.ts'
import { derivedChecks } from './store/derived-checks.ts'
import { type DurableCheck, durableChecks } from './store/durable-checks.ts'
import { erasureChecks } from './store/erasure-checks.ts'
import { indexChecks } from './store/index-checks.ts'
import { knownChecks } from './store/known-checks.ts'
import { ledgerChecks } from './store/ledger-checks.ts'
import { pageChecks } from './store/page-checks.ts'
import { partitionChecks } from './store/partition-checks.ts'
import { receiptChecks } from './store/receipt-checks.ts'
import { sessionChecks } from './store/session-checks.ts'
import type { StoreInitializer, StoreUnderTest } from './store-under-test.ts'

/** One promise of a store, and how to try to break it: `run` rejects with an AssertionError when it does not hold. */
export interface StoreCheck {
  readonly name: string
  run(): Promise<void>
}

export interface StoreContract {
  readonly checks: readonly StoreCheck[]
  /** Names of the checks that a store without the capability cannot take: count them, so that none is missed in silence. */
  readonly absent: readonly string[]
}

/**
 * What every store must do. Needs no test runner.
 *
 * @example for (const { name, run } of storeContract(postgres).checks) test(name, run)
 */
export function storeContract(store: StoreInitializer): StoreContract {
  const everywhere = [...appendChecks, ...sessionChecks, ...partitionChecks, ...erasureChecks, ...receiptChecks, ...indexChecks, ...derivedChecks, ...blockChecks, ...pageChecks, ...ledgerChecks, ...knownChecks]
  return {
    checks: [
      ...everywhere.map((check) => ({ name: check.name, run: () => onOne(store, check) })),
      ...(store.durable ? durableChecks.map((check) => ({ name: check.name, run: () => onTwo(store, check) })) : []),
    ],
    absent: store.durable ? [] : durableChecks.map(({ name }) => name),
  }
}

async function onOne(store: StoreInitializer, check: Check): Promise<void> {
  const opened: StoreUnderTest = await store.open(uuidv7())
  try {
    await check.run(opened)
  } finally {
    await opened.close()
  }
}

/** The same place as often as the check asks: after a close, or twice at once. */
async function onTwo(store: StoreInitializer, check: DurableCheck): Promise<void> {
  const place = uuidv7()
  const opened: StoreUnderTest[] = []
  const open = async (): Promise<StoreUnderTest> => {
    const one = await store.open(place)
    opened.push(one)
    return one
  }
  try {
    await check.run(open)
  } finally {
    for (const one of opened) await one.close()
  }
}
