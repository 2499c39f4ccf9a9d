/** Leaves out the fields that a model did not give. Some models give null, or an empty text, for none. */
export function given(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== ''))
}
