// A message of the system may belong to others of its session, as a line of a transcript does to the words in it. Its
// external id names them, so that the index of external ids finds it: whoever erases one of them erases it.
//
// `goes-with:<characters of the stem>:<stem>:<endings>:<its own name>`. The ids of the others are the stem with each ending.

const mark = 'goes-with:'

/** Ids of one source begin alike: `line`, `line#2`, `line/said`. */
function stemOf(id: string): string {
  return id.replace(/(?<=.)(?:#\d+|\/said)+$/su, '')
}

/** Makes the external id of a message that goes with others of its session, whose ids have one stem. */
export function idThatGoesWith(ids: readonly string[], own: string): string {
  const [stem = ''] = ids.map(stemOf)
  return `${beginningFor(stem)}${ids.map((id) => id.slice(stem.length)).join(',')}:${own}`
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
  const [endings = ''] = externalId.slice(beginning.length).split(':', 1)
  return endings.split(',').map((ending) => `${stem}${ending}`)
}
