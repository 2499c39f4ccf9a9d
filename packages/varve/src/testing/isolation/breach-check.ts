import type { MemoryUnderTest, OpenedMemory } from './memory-under-test.ts'

/** A check as the kit writes it. It returns each breach as one line. */
export interface BreachCheck {
  readonly name: string
  /** The optional method of the adapter that it needs. */
  readonly needs?: 'search' | 'forgetAll'
  breaches<Handle>(memory: MemoryUnderTest<Handle>, opened: OpenedMemory<Handle>, seed: number): Promise<readonly string[]>
}
