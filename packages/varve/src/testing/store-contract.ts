import { uuidv7 } from '../ids/uuid.ts'
import { appendChecks } from './store/append-checks.ts'
import { auditChecks } from './store/audit-checks.ts'
import { blockChecks } from './store/block-checks.ts'
import type { ProgramCheck } from './store/check.ts'
import { claimRaceChecks } from './store/claim-race-checks.ts'
import { closeChecks, durableCloseChecks } from './store/close-checks.ts'
import { derivedChecks } from './store/derived-checks.ts'
import { type DurableCheck, durableChecks } from './store/durable-checks.ts'
import { erasureChecks } from './store/erasure-checks.ts'
import { forgetRaceChecks } from './store/forget-race-checks.ts'
import { indexChecks } from './store/index-checks.ts'
import { instructionChecks } from './store/instruction-checks.ts'
import { keyChecks } from './store/key-checks.ts'
import { knownChecks } from './store/known-checks.ts'
import { ledgerChecks } from './store/ledger-checks.ts'
import { runChecks } from './store/run-checks.ts'
import { listChecks } from './store/list-checks.ts'
import { pageChecks } from './store/page-checks.ts'
import { partitionChecks } from './store/partition-checks.ts'
import type { RaceCheck } from './store/race.ts'
import { receiptChecks } from './store/receipt-checks.ts'
import { sessionChecks } from './store/session-checks.ts'
import { writeRaceChecks } from './store/write-race-checks.ts'
import type { StoreInitializer, StoreUnderTest } from './store-under-test.ts'

/** One promise of a store and a test of it: `run` rejects with an AssertionError when the promise is broken. */
export interface StoreCheck {
  readonly name: string
  /** The subject of the check: one program, programs that run at the same time, closing, or durability after a close. */
  readonly looksAt: 'programs' | 'races' | 'closing' | 'durability'
  run(): Promise<void>
}

export interface StoreContract {
  readonly checks: readonly StoreCheck[]
  /** Names of the checks that a store without the capability cannot run: count them, so that none is silently missing. */
  readonly absent: readonly string[]
}

/**
 * Returns the checks that every store must pass. Needs no test runner.
 *
 * @example for (const { name, run } of storeContract(postgres).checks) test(name, run)
 */
export function storeContract(store: StoreInitializer): StoreContract {
  const programs = [
    ...appendChecks,
    ...sessionChecks,
    ...partitionChecks,
    ...erasureChecks,
    ...receiptChecks,
    ...indexChecks,
    ...derivedChecks,
    ...blockChecks,
    ...pageChecks,
    ...ledgerChecks,
    ...runChecks,
    ...keyChecks,
    ...auditChecks,
    ...knownChecks,
    ...instructionChecks,
    ...listChecks,
  ]
  const races = [...claimRaceChecks, ...writeRaceChecks, ...forgetRaceChecks]
  const durable = [...durableChecks, ...durableCloseChecks]
  return {
    checks: [
      ...programs.map((check): StoreCheck => ({ name: check.name, looksAt: 'programs', run: () => onOne(store, check) })),
      ...races.map((check): StoreCheck => ({ name: check.name, looksAt: 'races', run: () => onPair(store, check) })),
      ...closeChecks.map((check): StoreCheck => ({ name: check.name, looksAt: 'closing', run: () => onTwo(store, check) })),
      ...(store.durable ? durable : []).map((check): StoreCheck => ({
        name: check.name,
        looksAt: 'durability',
        run: () => onTwo(store, check),
      })),
    ],
    absent: store.durable ? [] : durable.map(({ name }) => name),
  }
}

async function onOne(store: StoreInitializer, check: ProgramCheck): Promise<void> {
  const opened: StoreUnderTest = await store.open(uuidv7())
  try {
    await check.run(opened)
  } finally {
    await opened.close()
  }
}

/** Opens the same place as often as the check asks: after a close, or twice at once. */
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

/** Runs a check on two handles of one place, or on one handle where two are impossible. */
function onPair(store: StoreInitializer, check: RaceCheck): Promise<void> {
  return onTwo(store, {
    name: check.name,
    run: async (open) => {
      const one = await open()
      await check.run([one, store.durable ? await open() : one])
    },
  })
}
