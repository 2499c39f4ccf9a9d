import type { LanguageModelChoice } from './configuration.ts'
import type { LanguageModel } from './models/language-model.ts'

/** Tokens of a host's own model that says nothing of its window: what any model served today by a provider has, and few of those on a laptop have not. */
const usualWindow = 32_768

/** The model that a memory's layers are written with; undefined for none. InvalidConfiguration for what is no language model. */
export async function languageModelOf(choice: LanguageModelChoice | undefined): Promise<LanguageModel | undefined> {
  if (choice === undefined) return undefined
  const window = choice.window === undefined ? {} : { window: choice.window }
  if ('url' in choice) {
    const { openAiCompatible } = await import('./models/ai-sdk/language-openai-compatible.ts')
    return openAiCompatible({ url: choice.url, model: choice.model, ...(choice.key === undefined ? {} : { key: choice.key }), ...window })
  }
  if (choice.given === undefined) return undefined
  const { aiSdkLanguageModel } = await import('./models/ai-sdk/language-model.ts')
  return aiSdkLanguageModel(choice.given, { window: choice.window ?? usualWindow })
}
