import type { Sentence } from '../models/writer.ts'
import { redact } from '../redaction/redact.ts'
import type { Composed } from '../storage/derived/distilled.ts'
import { composeItem } from './compose-item.ts'
import { type Outline, type OutlinePart, outlines, type Outlines } from './compose.ts'
import { type DistilStore, languageOf, promptMark, sized, writerIn } from './distil-store.ts'
import type { Written } from './span-of.ts'
import type { Asked } from './asked-model.ts'
import { fusePrompt } from './prompts/fuse-prompt.ts'
import type { TextLayer } from './prompts/layers.ts'
import { parseFused } from './prompts/parse-whole.ts'
import type { Parsed } from './prompts/problem.ts'
import { extractFusion, textLayersIn } from './write-parts.ts'

/** Fuses the parts of a session to one item a layer. */
export class Fusions {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  outlines(session: number, project: number, wanted: number, again: boolean): Promise<Outlines> {
    return this.#store.read(outlines(session, project, wanted, again))
  }

  async ask({ layer, parts }: Outline): Promise<Asked> {
    return sized(fusePrompt(await sentencesWithoutSecrets(parts), layerOf(layer), { mark: promptMark(this.#store) }))
  }

  async parse({ layer, parts }: Outline, object: Readonly<Record<string, unknown>>): Promise<Parsed> {
    return parseFused(object, layerOf(layer), await sentencesWithoutSecrets(parts))
  }

  async extract({ layer, parts }: Outline, session: number): Promise<Sentence[]> {
    return extractFusion(
      writerIn(await languageOf(this.#store, session)),
      layer,
      parts.map(({ sentences }) => sentences),
    )
  }

  async compose(outline: Outline, sentences: readonly Sentence[], session: number, written: Written): Promise<Composed> {
    return composeItem(outline, sentences, await languageOf(this.#store, session), written)
  }
}

async function sentencesWithoutSecrets(parts: readonly OutlinePart[]): Promise<readonly (readonly Sentence[])[]> {
  const { texts } = await redact(parts.flatMap(({ sentences }) => sentences.map(({ text }) => text)))
  let at = 0
  return parts.map(({ sentences }) => sentences.map((sentence) => ({ ...sentence, text: texts[at++] ?? '' })))
}

/** The layer of one bit, of those that are made of sentences. */
function layerOf(bit: number): TextLayer {
  const [layer] = textLayersIn(bit)
  if (layer === undefined) throw new RangeError(`no layer has the bit ${bit}`)
  return layer
}
