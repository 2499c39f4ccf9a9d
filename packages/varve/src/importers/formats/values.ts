import { type Role, roles } from '../../messages/message.ts'

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Other tools' names of the four roles. */
const otherNames: ReadonlyMap<string, Role> = new Map([
  ['ai', 'assistant'],
  ['developer', 'system'],
  ['function', 'tool'],
  ['human', 'user'],
  ['model', 'assistant'],
])

/** Returns the role of that name; undefined when there is none. */
export function roleOf(name: string): { readonly role: Role; readonly renamed: boolean } | undefined {
  const role = roles.find((one) => one === name)
  if (role !== undefined) return { role, renamed: false }
  const other = otherNames.get(name)
  return other === undefined ? undefined : { role: other, renamed: true }
}
