const ownNames = /^(?:[\w-]+__)?memory_(?:recall|context|remember|edit|forget|(?:block|document|fact|instruction)_\w+)$/

/**
 * Tells a tool by which an agent uses Varve. What it shows is remembered already, and what it writes is in the store: a turn
 * that stored its parts would remember memory.
 */
export function isOwnTool(toolName: string): boolean {
  return ownNames.test(toolName)
}
