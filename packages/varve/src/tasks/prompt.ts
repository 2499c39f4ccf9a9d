import { estimateTokenCount } from 'tokenx'

/** A request to a model, without deadline, signal and meter, which are the caller's: see ModelRequest. */
export interface Prompt {
  readonly instructions: string
  readonly prompt: string
  /** JSON schema, draft 2020-12. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly schemaName: string
  readonly maxOutputTokens: number
}

/** Estimates the tokens of a request (tokenx). The answer takes `maxOutputTokens` more of the model's window. */
export function tokensOf({ instructions, prompt, schema }: Prompt): number {
  return estimateTokenCount(instructions) + estimateTokenCount(prompt) + estimateTokenCount(JSON.stringify(schema))
}
