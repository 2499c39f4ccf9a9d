/** Waits, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

const firstWaitMs = 200
const longestWaitMs = 10_000

/** Gives the wait before an attempt: twice as long each time, half of it by chance, so that many clients do not come at once. */
export function backoffMs(attempt: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2)
}
