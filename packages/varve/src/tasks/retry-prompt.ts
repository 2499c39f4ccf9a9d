import type { Prompt } from './prompt.ts'

/**
 * Makes the prompt for bad parts alone, once more, with their problems in Varve's own words.
 *
 * @example retryPrompt(spanPrompt(messages, [bulletsTask], { mark }), parsed.problem)
 */
export function retryPrompt(prompt: Prompt, problem: string): Prompt {
  return { ...prompt, prompt: `${prompt.prompt}\nAn earlier answer could not be used: ${problem}. Write it anew by the instructions.` }
}
