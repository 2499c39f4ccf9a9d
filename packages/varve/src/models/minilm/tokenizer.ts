import { Tokenizer } from '@huggingface/tokenizers'
import { z } from 'zod'
import { head, maxTextTokens } from './slices.ts'

/** Turns texts into the ids that the model reads: [CLS] first, [SEP] last, at most 256 in all. */
export interface WordPieces {
  encode(text: string): Int32Array
}

const fileShape = z.looseObject({
  model: z.looseObject({ type: z.literal('WordPiece'), vocab: z.record(z.string(), z.int()) }),
  post_processor: z.looseObject({}),
})

/**
 * Makes a tokenizer from the text of a tokenizer.json; throws for one of another kind. Any string has ids, the empty
 * one those of its two marks.
 *
 * A special token in a text is plain text: nobody can end a text early by writing [SEP].
 */
export function loadWordPieces(file: string): WordPieces {
  const parsed = fileShape.parse(JSON.parse(file))
  const end = parsed.model.vocab['[SEP]']
  if (end === undefined) throw new TypeError('the tokenizer has no [SEP]')
  const tokenizer = new Tokenizer({ ...parsed, added_tokens: [] }, {})
  return {
    encode: (text) => {
      const ids = Int32Array.from(tokenizer.encode(head(text)).ids.slice(0, maxTextTokens))
      if (ids.length === maxTextTokens) ids[maxTextTokens - 1] = end
      return ids
    },
  }
}
