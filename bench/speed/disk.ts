import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../shared/statistics.ts'
import { type Cost, measuring } from '../shared/usage.ts'

const writes = 200
const page = Buffer.alloc(4_096, 1)

/**
 * Returns the system's own cost to make a page durable (time at the median, CPU on average). It is the least cost of an
 * append with a commit of its own.
 */
export function syncCost(folder: string): Cost {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const taken: number[] = []
  const cost = measuring()
  for (let place = 0; place < writes; place += 1) {
    const start = performance.now()
    writeSync(file, page, 0, page.length, place * page.length)
    fsyncSync(file)
    taken.push(performance.now() - start)
  }
  const { cpuMs } = cost()
  closeSync(file)
  rmSync(path)
  return { wallMs: median(taken), cpuMs: cpuMs / writes }
}
