import { bulletBounds, digestBounds, gistBounds } from '../../models/writer.ts'
import type { DistilledLayer } from '../../storage/layers.ts'

/** What is asked for one layer, and the bounds of what is taken. */
export interface LayerTask {
  /** Its name in the answer. */
  readonly key: string
  readonly task: string
  readonly maxSentences: number
  /** Of all sentences together. */
  readonly maxWords: number
  /** Room for a language that takes four tokens a word, and for JSON around the words. */
  readonly maxOutputTokens: number
  /** Takes only what rests upon persons' words. */
  readonly personsOnly: boolean
}

const bulletStyle =
  'Each bullet is one complete statement on one line. No pleasantries, no reasoning of tools or assistants, no verbatim quotes, ' +
  'no preamble, no headings.'

const bullets =
  '1 to 3 bullets, under 80 words in all, in order of weight: first the topic; then concrete facts, names, ids and decisions; ' +
  `then open questions. ${bulletStyle}`

/** Layers that are made of sentences. Facts and documents have tasks of their own (facts-task.ts, documents-task.ts). */
export type TextLayer = Exclude<DistilledLayer, 'facts' | 'documents'>

/** The layers that a span is read for. A new one needs an entry here, and nothing else. */
export const layerTasks: Readonly<Record<TextLayer, LayerTask>> = {
  gists: {
    key: 'gist',
    task:
      'what this talk was about, in the third person, 4 to 8 sentences, fewer for a short talk: what was discussed, the ' +
      'decisions and outcomes, names, places and numbers, the mood. One sentence an item, in the order of the talk.',
    maxSentences: gistBounds.maxSentences,
    maxWords: gistBounds.maxWords,
    maxOutputTokens: 1600,
    personsOnly: false,
  },
  bank: {
    key: 'bullets',
    task: bullets,
    maxSentences: bulletBounds.maxBullets,
    maxWords: bulletBounds.maxWords,
    maxOutputTokens: 600,
    personsOnly: false,
  },
  shared: {
    key: 'bullets',
    task:
      `what the other members of this project should know of it: ${bullets} Only what a person said: nothing that an assistant ` +
      'or a tool alone said. Nothing personal, such as health, money, family, feelings or opinions on people, unless it is the ' +
      `project's own matter. An empty list where nothing is left.`,
    maxSentences: bulletBounds.maxBullets,
    maxWords: bulletBounds.maxWords,
    maxOutputTokens: 600,
    personsOnly: true,
  },
}

/** What one call may be asked for: private layers together, shared bullets by themselves, so that nothing private leaks into them. */
export type AskedLayers = readonly (Exclude<DistilledLayer, 'shared'> | 'documents')[] | readonly ['shared']

/** A digest's bullets. */
export const digestTask: LayerTask = {
  key: 'bullets',
  task:
    '2 to 4 bullets, under 120 words in all, in order of weight. Keep facts, names, ids, decisions and open questions; leave out ' +
    `what a later entry made void. ${bulletStyle}`,
  maxSentences: digestBounds.maxBullets,
  maxWords: digestBounds.maxWords,
  maxOutputTokens: 800,
  personsOnly: false,
}
