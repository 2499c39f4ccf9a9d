export type { Program, Step } from '../storage/program.ts'
export { ManualClock } from './manual-clock.ts'
export { type StoreCheck, type StoreContract, storeContract } from './store-contract.ts'
export type { StoreInitializer, StoreUnderTest } from './store-under-test.ts'
