/** Pages of which a memory has one. */
export const singles = ['profile', 'bank'] as const
/** Kinds of pages that have names. */
export const kinds = ['blocks', 'documents', 'notes'] as const

export type SingleResource = (typeof singles)[number]
export type NamedResource = (typeof kinds)[number]

/** What an address of this memory names. */
export type ResourcePlace = { readonly single: SingleResource } | { readonly kind: NamedResource; readonly name: string }

const scheme = 'varve://'

export function uriOf(place: ResourcePlace): string {
  return 'single' in place ? scheme + place.single : `${scheme}${place.kind}/${encodeURIComponent(place.name)}`
}

/**
 * Reads an address. It is taken as it was sent: a parser of addresses would resolve `..`, and a name may hold a slash. Undefined
 * for one that names nothing here.
 */
export function placeOfUri(uri: string): ResourcePlace | undefined {
  if (!uri.startsWith(scheme)) return undefined
  const [first = '', name, ...more] = uri.slice(scheme.length).split('/')
  const single = singles.find((one) => one === first)
  if (single !== undefined) return name === undefined ? { single } : undefined
  const kind = kinds.find((one) => one === first)
  if (kind === undefined || name === undefined || name === '' || more.length > 0 || /[?#]/.test(name)) return undefined
  const decoded = decodedName(name)
  return decoded === undefined ? undefined : { kind, name: decoded }
}

function decodedName(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
