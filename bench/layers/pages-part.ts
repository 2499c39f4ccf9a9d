import { mean } from '../shared/statistics.ts'
import { figure } from '../shared/table.ts'
import { notesOf, pagesOf } from './lines.ts'
import { atMost, type LayerPart, shareOf } from './part.ts'

const fewestLines = 3
const mostOfTalk = 0.06

/** Subjects with a name begin with a capital, and so does each of their longer words. */
const isNamed = (name: string): boolean => /^\p{Lu}/u.test(name) && !/^(?:The|A|An|My|Our) \p{Ll}/u.test(name)

export const documentsPart: LayerPart = {
  layer: 'documents',
  figures: async ({ talks }) => {
    const pages = (await Promise.all(talks.map(pagesOf))).flat()
    const names = pages.map(({ name }) => name)
    const thin = pages.filter(({ lines }) => lines.length < fewestLines).length / pages.length
    return [
      { what: 'pages of a conversation', value: figure(pages.length / talks.length) },
      { what: 'lines of a page', value: figure(mean(pages.map(({ lines }) => lines.length))) },
      atMost(
        'pages of unnamed subjects',
        shareOf(names, (name) => !isNamed(name)),
        0,
      ),
      atMost(`pages of fewer than ${fewestLines} lines`, thin, 0),
    ]
  },
}

export const notesPart: LayerPart = {
  layer: 'notes',
  figures: async ({ talks, tokenizer }) => {
    const pages = (await Promise.all(talks.map(notesOf))).flat()
    const tokens = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + tokenizer.count(text), 0)
    const said = talks.reduce((sum, { texts }) => sum + tokens(texts), 0)
    return [
      { what: 'pages of notes', value: String(pages.length) },
      { what: 'tokens of a page', value: figure(tokens(pages) / pages.length) },
      atMost('tokens of the talk', tokens(pages) / said, mostOfTalk),
    ]
  },
}
