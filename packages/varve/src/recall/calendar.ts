import { type Hemisphere, hemisphereOf } from '../projects/hemisphere.ts'
import type { PartitionId } from '../scope/partition.ts'
import { projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'

/** The calendar by which a question is read, and its moment in UTC milliseconds. */
export interface AskedCalendar {
  readonly now: number
  readonly timeZone: string
  readonly hemisphere: Hemisphere
}

/** The last calendar. The searches of one request share it, so that the dates of its question are read once. */
let newest: WeakRef<AskedCalendar> | undefined

/** Reads the calendar of a project from its settings, which were checked when they were set. */
export function* askedCalendar({ project }: PartitionId, now: number): Program<AskedCalendar> {
  const settings: { timeZone?: string; hemisphere?: Hemisphere } = yield* projectSettings(project)
  const calendar = { now, timeZone: settings.timeZone ?? 'UTC', hemisphere: hemisphereOf(settings) }
  const last = newest?.deref()
  if (last?.now === now && last.timeZone === calendar.timeZone && last.hemisphere === calendar.hemisphere) return last
  newest = new WeakRef(calendar)
  return calendar
}
