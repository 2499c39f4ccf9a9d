import { v7 } from 'uuid'

/** A uuid of version 7: sorts by its time, in UTC milliseconds (default: now). */
export function uuidv7(now?: number): string {
  return now === undefined ? v7() : v7({ msecs: now })
}
