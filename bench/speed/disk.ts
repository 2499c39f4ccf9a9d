import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../shared/statistics.ts'

const writes = 200
const page = Buffer.alloc(4_096, 1)

/** What the disk itself takes to make a page durable, at the median: the floor under every append that waits for its own commit. */
export function fsyncMs(folder: string): number {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const taken: number[] = []
  for (let place = 0; place < writes; place += 1) {
    const start = performance.now()
    writeSync(file, page, 0, page.length, place * page.length)
    fsyncSync(file)
    taken.push(performance.now() - start)
  }
  closeSync(file)
  rmSync(path)
  return median(taken)
}
