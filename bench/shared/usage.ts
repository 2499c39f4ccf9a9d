/** The cost of some work. CPU time is of all threads of the process, user and system: on a shared machine it is the reliable figure. */
export interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Starts a measurement; the returned function reads the cost so far. */
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

/** Returns this process's resident memory now, in MB (10⁶ bytes). */
export function residentMb(): number {
  return process.memoryUsage.rss() / mb
}

/** Returns the largest resident memory so far, in MB (10⁶ bytes). */
export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1_024) / mb
}
