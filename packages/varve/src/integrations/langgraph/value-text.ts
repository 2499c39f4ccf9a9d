/** The depth to which a value is read, and its texts at most. */
const mostDepth = 12
const mostTexts = 2_000

/** Gives the texts in a value that are searched: all of its texts and numbers by their names, or those at some paths. */
export function textOfValue(value: unknown, paths?: readonly string[]): string {
  if (paths === undefined) return leaves(value, '', 0).slice(0, mostTexts).join('\n')
  const texts = paths.flatMap((path) => (path === '$' ? leaves(value, '', 0) : at(value, stepsOf(path))))
  return texts.slice(0, mostTexts).join('\n')
}

function leaves(value: unknown, name: string, depth: number): string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value === '' ? [] : [name === '' ? String(value) : `${name}: ${value}`]
  if (value === null || typeof value !== 'object' || depth === mostDepth) return []
  if (Array.isArray(value)) return value.slice(0, mostTexts).flatMap((inner) => leaves(inner, name, depth + 1))
  return Object.entries(value).flatMap(([field, inner]) => leaves(inner, name === '' ? field : `${name}.${field}`, depth + 1))
}

/** Reads a path such as `chapters[*].title`. */
function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([name, index]) => index ?? name)
}

function at(value: unknown, [step, ...others]: readonly string[]): string[] {
  if (step === undefined) return leaves(value, '', 0)
  if (value === null || typeof value !== 'object') return []
  if (step === '*') return Object.values(value).flatMap((inner) => at(inner, others))
  if (!Array.isArray(value)) return Object.hasOwn(value, step) ? at(Reflect.get(value, step), others) : []
  const place = Number(step)
  return Number.isInteger(place) ? at(value.at(place), others) : []
}
