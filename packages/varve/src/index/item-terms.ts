import { estimateTokenCount } from 'tokenx'
import { analyse } from './analyse.ts'
import { encodeTerms } from './terms-codec.ts'
import { traitsOf } from './traits.ts'

/** Returns the index data of a derived text, and its estimated length in tokens. */
export function itemTerms(text: string, language: string): { terms: Uint8Array; traits: number; tokens: number } {
  return {
    terms: encodeTerms({ role: 'assistant', language, name: '', text: analyse(text, language) }),
    traits: traitsOf(text),
    tokens: estimateTokenCount(text),
  }
}
