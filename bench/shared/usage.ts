/** What a stretch of work cost. CPU time is of all threads of the process, user and system: on a shared machine it is the one to trust. */
export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Starts a measurement; the function it gives back reads the cost so far. */
export function measuring(): () => Cost {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const wallMs = performance.now() - wall
    const { user, system } = process.cpuUsage(cpu)
    return { wallMs, cpuMs: (user + system) / 1_000 }
  }
}

export function sum(costs: readonly Cost[]): Cost {
  return { wallMs: costs.reduce((total, { wallMs }) => total + wallMs, 0), cpuMs: costs.reduce((total, { cpuMs }) => total + cpuMs, 0) }
}

const mb = 1e6

/** Memory of this process that is resident now, in MB (10⁶ bytes). */
export function residentMb(): number {
  return process.memoryUsage.rss() / mb
}

/** The most of it that ever was, in MB (10⁶ bytes). */
export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1_024) / mb
}
