import { createHash } from 'node:crypto'
import { unlikeSource } from '../../storage/moved-rows.ts'
import type { MovedTable, MovingSide } from '../../storage/moving.ts'
import { type SampledMessage, SampledMessages } from './sampled-messages.ts'
import { goOn, sameTable } from './copy-rows.ts'
import type { Mark } from './mark.ts'
import type { MoveRequest, Sides } from './request.ts'
import { Sums } from './sums.ts'

type Asked = Pick<MoveRequest, 'signal' | 'onProgress'>

interface Compared {
  readonly tables: number
  readonly rows: number
  readonly partitions: number
  readonly checksum: string
  /** Messages for questions, from all over the store. */
  readonly asked: readonly SampledMessage[]
}

/**
 * Reads all rows of both stores again, and compares their counts and checksums. So it also finds what was written to
 * either of them since the first rows were moved.
 */
export async function compareRows({ source, target }: Sides, { totals, moved }: Mark, request: Asked): Promise<Compared> {
  const partitions = new Set<number>()
  const checksum = createHash('sha256')
  const asked = new SampledMessages(totals['message'] ?? 0)
  let done = 0
  const read = async (side: MovingSide, table: MovedTable, seen: (row: Buffer) => void, counts: boolean): Promise<Sums> => {
    const sums = new Sums(table)
    for await (const rows of side.rows(table, 0)) {
      sums.add(rows)
      rows.forEach(seen)
      if (counts) done += rows.length
      request.onProgress?.({ doing: 'comparison', done, total: moved })
      await goOn(request.signal)
    }
    return sums
  }
  for (const table of source.tables) {
    const note = table.name === 'message' ? asked.noting(table) : () => undefined
    const reading = [read(source, table, note, true), read(target, sameTable(target.tables, table), () => undefined, false)] as const
    // Both end before a failure is told: nothing may be under way when the stores are let go of.
    await Promise.allSettled(reading)
    const [one, other] = await Promise.all(reading)
    const difference = one.differenceTo(other)
    if (difference !== undefined) throw unlikeSource(target.shown, `its rows in ${table.name} are not those of the source: ${difference}`)
    for (const partition of one.partitions) partitions.add(partition)
    checksum.update(`${table.name} ${one.digest()}\n`)
  }
  return { tables: source.tables.length, rows: done, partitions: partitions.size, checksum: checksum.digest('hex'), asked: asked.all }
}
