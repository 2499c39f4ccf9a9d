import { nameLine } from '../messages/shown-name.ts'
import type { Owner } from '../scope/partition.ts'

/** The anonymous user in a list of members. No user can have this name. */
export const anonymousMember = '~'

/** Reads a member of a list as the owner of a partition. */
export function memberOwner(member: string): Owner {
  return member === anonymousMember ? { kind: 'anonymous' } : { kind: 'user', name: member }
}

/** Gives the key by which a list of members has an owner. */
export function memberKey(owner: Owner): string {
  return owner.kind === 'user' ? owner.name : anonymousMember
}

/** The most characters of a name. Of a longer key the beginning and the end are shown: keys may differ in either. */
const maxCharacters = 40
const tailCharacters = 12
/** The most names of one line. */
const mostNames = 3

/** A key that is shown as it is. Any other stands in quotation marks, so that none passes for a label of Varve's. */
const plainKey = /^[\p{L}\p{N}._@+-]+$/u

/**
 * Names the members whose words a shared line rests on. A name that a caller gave to a speaker is shown as a claim:
 * `bob, as 'Ada'`.
 *
 * @example labelOf(['bob'], ['Ada']) // "bob, as 'Ada'"
 */
export function labelOf(members: readonly string[], names: readonly string[]): string {
  const shown = listed(members.map((member) => (member === anonymousMember ? 'the anonymous user' : shownKey(member))))
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

function shownKey(key: string): string {
  const signs = [...key]
  const cut =
    signs.length <= maxCharacters
      ? key
      : `${signs.slice(0, maxCharacters - tailCharacters - 1).join('')}…${signs.slice(-tailCharacters).join('')}`
  return plainKey.test(key) ? cut : `"${nameLine(cut).replaceAll('"', "'")}"`
}

/** Puts a name on one line, without signs that end a name there. */
function claim(name: string): string {
  const signs = [...nameLine(name.replace(/['’‘"“”:;[\]<>]+/gu, ' ')).trim()]
  return (signs.length <= maxCharacters ? signs.join('') : `${signs.slice(0, maxCharacters - 1).join('')}…`) || '?'
}
