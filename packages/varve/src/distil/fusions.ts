import type { PlacedSession } from '../storage/derived/parts.ts'
import { composedLayer } from '../layers/all.ts'
import type { Sentence } from '../models/writer.ts'
import { redact } from '../redaction/redact.ts'
import type { Composed } from '../storage/derived/distilled.ts'
import { composeItem } from './compose-item.ts'
import { withInheritedDates } from './dated/inherited-dates.ts'
import { type Outline, type OutlinePart, outlines, type Outlines } from './compose.ts'
import { type DistilStore, promptMark, shareable, sized, writerIn } from './distil-store.ts'
import type { Written } from '../tasks/parts/read-span.ts'
import type { SizedPrompt } from './asked-model.ts'
import { fusePrompt } from '../tasks/fuse-prompt.ts'
import { parseFused } from '../tasks/parse-whole.ts'
import type { Parsed } from '../tasks/problem.ts'

/** Fuses the parts of a session to one item a layer. */
export class Fusions {
  readonly #store: DistilStore

  constructor(store: DistilStore) {
    this.#store = store
  }

  outlines(session: PlacedSession, project: number, wanted: number, again: boolean): Promise<Outlines> {
    return this.#store.read(outlines(session, project, wanted, again))
  }

  async ask({ layer, parts }: Outline): Promise<SizedPrompt> {
    return sized(
      fusePrompt(await sentencesWithoutSecrets(layer, parts), composedLayer(layer).composing.task, { mark: promptMark(this.#store) }),
    )
  }

  async parse({ layer, parts }: Outline, object: Readonly<Record<string, unknown>>): Promise<Parsed> {
    const sources = await sentencesWithoutSecrets(layer, parts)
    const parsed = parseFused(object, composedLayer(layer).composing.task, sources)
    if ('problem' in parsed) return parsed
    const all = sources.flat()
    return {
      sentences: withInheritedDates(parsed.sentences, ({ from }) =>
        all.flatMap((source) => (source.from.some((seq) => from.includes(seq)) ? source.text : [])),
      ),
    }
  }

  async extract({ layer, parts, language }: Outline): Promise<Sentence[]> {
    const writer = writerIn(language)
    const written = composedLayer(layer).isShared ? await sentencesWithoutSecrets(layer, parts) : parts.map(({ sentences }) => sentences)
    return writer.fuse(written, composedLayer(layer).composing.bounds)
  }

  async compose(outline: Outline, sentences: readonly Sentence[], written: Written): Promise<Composed> {
    const safe = composedLayer(outline.layer).isShared ? await shareable(sentences) : sentences
    return composeItem(outline, safe, written)
  }
}

async function sentencesWithoutSecrets(layer: number, parts: readonly OutlinePart[]): Promise<readonly (readonly Sentence[])[]> {
  const said = parts.flatMap(({ sentences }) => sentences.map(({ text }) => text))
  const { texts } = await redact(said, composedLayer(layer).isShared ? 'shared' : 'model')
  let at = 0
  return parts.map(({ sentences }) => sentences.map((sentence) => ({ ...sentence, text: texts[at++] ?? '' })))
}
