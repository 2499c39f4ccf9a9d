/**
 * Gives the local day around a moment: UTC milliseconds, the end exclusive. The calendar is loaded at the first call: 6
 * MB that a host which only remembers has no use for.
 */
export async function dayAround(at: number, timeZone: string): Promise<{ from: number; to: number }> {
  const { Temporal } = await import('temporal-polyfill')
  const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).startOfDay()
  return { from: start.epochMilliseconds, to: start.add({ days: 1 }).startOfDay().epochMilliseconds }
}
