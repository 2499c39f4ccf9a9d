// A message of the system may belong to others of its session, as a line of a transcript does to the words in it. Its
// external id names them, so that the index of external ids finds it: whoever erases one of them erases it.
//
// `goes-with:<characters of the stem>:<stem>:<endings>:<its own name>`. The ids of the others are the stem with each ending.

const mark = 'goes-with:'

/** Ids of one source begin alike: `line`, `line#2`, `line/said`. */
function stemOf(id: string): string {
  return id.replace(/(?<=.)[#/].*$/su, '')
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

/** Tells whether an id of this form names another message. */
export function goesWith(externalId: string, id: string): boolean {
  const beginning = beginningFor(id)
  if (!externalId.startsWith(beginning)) return false
  const [endings = ''] = externalId.slice(beginning.length).split(':', 1)
  return endings.split(',').includes(id.slice(stemOf(id).length))
}
