/** An error's message and facts. */
interface Told {
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** Takes out where the store's file is: a caller is told of a memory, not of a machine. */
export function withoutPlace<Error extends Told>(error: Error): Error {
  const { store } = error.facts
  if (typeof store !== 'string' || store === '') return error
  const hidden = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll(store, 'the store') : value)
  const facts = Object.fromEntries(Object.entries(error.facts).map(([name, value]) => [name, hidden(value)]))
  return { ...error, facts, message: error.message.replaceAll(store, 'the store') }
}

/** Gives the words of an error without the place of the store. */
export function messageWithoutPlace({ message, ...facts }: Error): string {
  return withoutPlace({ message, facts }).message
}
