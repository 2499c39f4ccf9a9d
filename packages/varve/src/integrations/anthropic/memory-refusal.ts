/** What the model did wrong, or what memory could not do, in words for the model. The SDK's tool runner shows the message to it. */
export class MemoryToolRefusal extends Error {
  override readonly name = 'MemoryToolRefusal'
}
