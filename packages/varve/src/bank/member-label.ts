import { nameLine } from '../messages/shown-name.ts'
import type { Owner } from '../scope/partition.ts'

/** The anonymous user in a list of members. No user can have this name. */
export const anonymousMember = '~'

/** Reads a member of a list as the owner of a partition. */
export function memberOwner(member: string): Owner {
  return member === anonymousMember ? { kind: 'anonymous' } : { kind: 'user', name: member }
}

/** The longest name that is shown whole, and the most names of one line. */
const maxCharacters = 40
const mostNames = 3

/**
 * Names the members whose words a shared line rests on. A name that a caller gave to a speaker is shown as a claim:
 * `bob, as 'Ada'`.
 *
 * @example labelOf(['bob'], ['Ada']) // "bob, as 'Ada'"
 */
export function labelOf(members: readonly string[], names: readonly string[]): string {
  const shown = listed(members.map((member) => (member === anonymousMember ? 'the anonymous user' : short(member))))
  const claimed = names.filter((name) => !members.some((member) => folded(member) === folded(name))).map((name) => `'${claim(name)}'`)
  return claimed.length === 0 ? shown : `${shown}, as ${listed([...new Set(claimed)])}`
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames
  if (more > 0) return `${names.slice(0, mostNames).join(', ')} and ${more} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function folded(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/** Puts a name on one line, without signs that end a name there. */
function claim(name: string): string {
  return short(name.replace(/['’‘"“”:;[\]<>]+/gu, ' ')) || '?'
}

function short(name: string): string {
  const line = nameLine(name).trim()
  const signs = [...line]
  return signs.length <= maxCharacters ? line : `${signs.slice(0, maxCharacters - 1).join('')}…`
}
