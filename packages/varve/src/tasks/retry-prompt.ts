import type { Problem } from './problem.ts'
import type { Prompt } from './prompt.ts'

/**
 * Makes the prompt for a bad part alone, once more, with its problem.
 *
 * @example retryPrompt(spanPrompt(messages, [bulletsTask], { mark }), parsed.problem)
 */
export function retryPrompt(prompt: Prompt, problem: Problem): Prompt {
  return { ...prompt, prompt: `${prompt.prompt}\nAn earlier answer could not be used: ${problem}. Write it anew by the instructions.` }
}
