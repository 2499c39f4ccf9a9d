/** An operator compares a field of a value with the filter's. */
type Operator = (field: unknown, wanted: unknown) => boolean

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', (field, wanted) => field === wanted],
  ['$ne', (field, wanted) => field !== wanted],
  ['$gt', (field, wanted) => Number(field) > Number(wanted)],
  ['$gte', (field, wanted) => Number(field) >= Number(wanted)],
  ['$lt', (field, wanted) => Number(field) < Number(wanted)],
  ['$lte', (field, wanted) => Number(field) <= Number(wanted)],
  ['$in', (field, wanted) => Array.isArray(wanted) && wanted.includes(field)],
  ['$nin', (field, wanted) => !(Array.isArray(wanted) && wanted.includes(field))],
])

/** Tells whether a value has all that a filter asks for: of its fields at the top, equality or LangGraph's operators. */
export function passes(value: Readonly<Record<string, unknown>>, filter: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.entries(filter).every(([name, wanted]) => isAsWanted(value[name], wanted))
}

function isAsWanted(field: unknown, wanted: unknown): boolean {
  if (wanted === null || typeof wanted !== 'object' || !Object.keys(wanted).every((name) => operators.has(name))) return field === wanted
  return Object.entries(wanted).every(([name, inner]) => operators.get(name)?.(field, inner) === true)
}
