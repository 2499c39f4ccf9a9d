import type { SourceMessage } from '../models/writer.ts'

/**
 * Makes a reader that reads a list of messages once, whatever number of layers asks for it. What it read is kept as long as
 * the list itself.
 */
export function readOnce<Read>(read: (messages: readonly SourceMessage[]) => Read): (messages: readonly SourceMessage[]) => Read {
  const known = new WeakMap<readonly SourceMessage[], { readonly read: Read }>()
  return (messages) => {
    const found = known.get(messages) ?? { read: read(messages) }
    known.set(messages, found)
    return found.read
  }
}
