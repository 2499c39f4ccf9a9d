// The range of a Date (ECMA-262, time values).
const maxTimeMs = 8.64e15

export type ReadTime =
  | { readonly kind: 'time'; readonly ms: number; readonly zoneAssumed: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable' }

const iso = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/u

/** Reads a time of a file: UTC milliseconds, or ISO 8601. ISO 8601 without an offset is read as UTC. */
export function readTime(at: unknown): ReadTime {
  if (at === undefined || at === null || at === '') return { kind: 'missing' }
  if (typeof at === 'number') return timeOf(at, false)
  const found = typeof at === 'string' ? iso.exec(at.trim()) : null
  if (found === null) return { kind: 'unreadable' }
  const [, day = '', time = '00:00', zone] = found
  return timeOf(Date.parse(`${day}T${time.replace(',', '.')}${offset(zone)}`), zone === undefined && found[2] !== undefined)
}

/** Turns seconds since 1970, as ChatGPT writes them, into milliseconds; returns any other value as it is. */
export function fromSeconds(at: unknown): unknown {
  return typeof at === 'number' ? Math.round(at * 1000) : at
}

function timeOf(ms: number, zoneAssumed: boolean): ReadTime {
  return Math.abs(ms) <= maxTimeMs ? { kind: 'time', ms: Math.round(ms), zoneAssumed } : { kind: 'unreadable' }
}

function offset(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z'
  return `${zone.slice(0, 3)}:${zone.length > 3 ? zone.slice(-2) : '00'}`
}
