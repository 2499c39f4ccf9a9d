import { v7 } from 'uuid'

/** Makes a uuid of version 7, which sorts by its time: UTC milliseconds, default now. */
export function uuidv7(now?: number): string {
  return now === undefined ? v7() : v7({ msecs: now })
}
