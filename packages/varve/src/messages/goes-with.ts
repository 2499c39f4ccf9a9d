// A message of the system may belong to others of its session, as a line of a transcript does to the words in it. Its
// external id names them, so that the index of external ids finds it: whoever erases one of them erases it.
//
// `goes-with:<characters of the stem>:<stem>:<endings>:<its own name>`. The ids of the others are the stem with each ending.
// An external id has at most 512 bytes, so three digits tell the characters of every stem.

const mark = 'goes-with:'

/**
 * The most messages that an id names; one with more names none. A transcript's line of 32 MiB is some 33 messages, and
 * each name costs an append two to four hashes.
 */
export const mostNamed = 40

/** The most bytes of such an id. The number of a piece still has room behind it. */
const mostBytes = 500

/** Ids of one source begin alike: `line`, `line#2`, `line/said`. */
function stemOf(id: string): string {
  return id.replace(/(?<=.)(?:#\d+|\/said)+$/su, '')
}

/** Makes the external id of a message that goes with others of its session, whose ids have one stem; undefined when they do not fit. */
export function idThatGoesWith(ids: readonly string[], own: string): string | undefined {
  const [stem = ''] = ids.map(stemOf)
  const id = `${beginningFor(stem)}${ids.map((one) => one.slice(stem.length)).join(',')}:${own}`
  return ids.length > mostNamed || Buffer.byteLength(id) > mostBytes ? undefined : id
}

/** Gives the beginning of all ids that may go with a message. */
export function beginningFor(id: string): string {
  const stem = stemOf(id)
  return `${mark}${[...stem].length}:${stem}:`
}

/** Gives the beginning of an id of this form; '' for another. */
export function beginningIn(externalId: string): string {
  const [head = '', characters = '0'] = /^goes-with:(\d{1,3}):/.exec(externalId) ?? []
  return head === '' ? '' : `${head}${[...externalId.slice(head.length)].slice(0, Number(characters)).join('')}:`
}

/** Gives the ids of the messages that an id of this form names; none for another. */
export function namedIn(externalId: string): readonly string[] {
  const beginning = beginningIn(externalId)
  if (beginning === '') return []
  const [, characters = ''] = beginning.split(':')
  const stem = beginning.slice(`${mark}${characters}:`.length, -1)
  const [list = ''] = externalId.slice(beginning.length).split(':', 1)
  const endings = list.split(',', mostNamed + 1)
  return endings.length > mostNamed ? [] : endings.map((ending) => `${stem}${ending}`)
}

/** Gives the ids of the messages with which a message goes: one of the system alone goes with others. */
export function namedBy({ role, externalId }: { readonly role: string; readonly externalId: string | null }): readonly string[] {
  return role === 'system' && externalId !== null ? namedIn(externalId) : []
}
