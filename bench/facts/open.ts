import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { withoutVectors } from '../speed/product.ts'
import { end } from './made-up.ts'

const day = 86_400_000
const tickMs = 1_000

/** Opens a filled store on the day after its last statement; each reading of the clock is a second later. */
export function openFilled(file: string, vectors = false): Promise<Memory> {
  let now = end + day
  return openMemory({
    store: file,
    upkeep: 'manual',
    clock: { now: () => (now += tickMs) },
    logger: { warn: () => undefined },
    isolation: 'silent',
    ...(vectors ? {} : withoutVectors),
  })
}
