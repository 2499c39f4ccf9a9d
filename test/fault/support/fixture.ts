import { join } from 'node:path'
import { textOf } from './text.ts'

/** Returns the store of a schema version, as it was when that version was the newest. */
export function fixtureFile(version: number): string {
  return join(import.meta.dirname, '..', '..', 'fixtures', 'stores', `schema-${version}.db`)
}

export const fixtureUsers = ['ada', 'grace'] as const
export const fixtureSessions = ['harbour', 'pricing', 'winter'] as const

/** The messages of one more session, for documents; from schema 6 on. */
export const fixtureSaid = ['Our bakery opens at 7.', 'Our bakery sells rye bread for $10.'] as const

/** Returns the messages of each of its sessions; a new fixture has the same. */
export function fixtureContents(user: string, session: string): string[] {
  return Array.from({ length: 12 }, (_, at) => textOf(`${user}-${session}-${at}/1/0`))
}
