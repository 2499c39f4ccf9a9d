import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { below, type Random, seeded } from '../shared/random.ts'
import { childEnvironment } from './environment.ts'
import type { OpenOptions } from './system.ts'

/** The loss of messages that were acknowledged before a SIGKILL. */
export interface Killed {
  readonly rounds: number
  readonly acknowledged: number
  readonly lost: number
}

/** The longest life of a child after the first acknowledgement of a round, in milliseconds. */
const longestLifeMs = 1_500

/** Appends until it is killed, `rounds` times over the same store, and looks for all acknowledged messages. */
export async function killed(name: string, rounds: number, options: OpenOptions): Promise<Killed> {
  const random = seeded(7)
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const lines = await live(name, round, options, 'append', random)
    const now = lines.flatMap((line) => valueOf('acknowledged', line)).map(String)
    if (now.length === 0) throw new RangeError(`${name} acknowledged nothing before it was killed`)
    acknowledged.push(...now)
  }
  const lines = await live(name, rounds, options, 'read', random)
  const kept = new Set(
    lines
      .flatMap((line) => valueOf('kept', line))
      .flat()
      .map(String),
  )
  return { rounds, acknowledged: acknowledged.length, lost: acknowledged.filter((id) => !kept.has(id)).length }
}

/** Returns the lines that a child printed until its end. */
async function live(name: string, round: number, { folder, endpoint }: OpenOptions, mode: string, random: Random): Promise<string[]> {
  const args = [join(import.meta.dirname, 'kill-child.ts'), name, String(round), folder, endpoint, mode]
  const child = spawn(process.execPath, args, { cwd: folder, env: childEnvironment(folder), stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const closed = once(child, 'close')
  let timer: NodeJS.Timeout | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('acknowledged ')) timer ??= setTimeout(() => child.kill('SIGKILL'), below(random, longestLifeMs))
  }
  await closed
  clearTimeout(timer)
  if (mode === 'append' && child.signalCode !== 'SIGKILL') throw new RangeError(`${name} ended by itself, with ${child.exitCode}`)
  return lines
}

function valueOf(kind: string, line: string): unknown[] {
  if (!line.startsWith(`${kind} `)) return []
  const value: unknown = JSON.parse(line.slice(kind.length + 1))
  return [value]
}
