import { estimateTokenCount } from 'tokenx'
import type { Turn } from './turn.ts'

/** The tokens of a message beside its words, and of a picture or file, whose bytes are not read. */
export const messageTokens = 4
export const fileTokens = 1_600

/** Lists the texts of a turn that the model reads. */
export function textsOf({ pieces }: Turn): string[] {
  return pieces
    .flatMap((piece) => {
      if (piece.kind === 'call') return [piece.name, piece.id, piece.input, piece.output ?? '']
      return piece.kind === 'result' ? [piece.name, piece.id, piece.output] : [piece.text]
    })
    .filter((text) => text !== '')
}

export function filesTokens({ pieces }: Turn): number {
  return pieces.filter(({ kind }) => kind === 'file').length * fileTokens
}

/** Estimates a text's tokens. Of a long text it samples so many characters, in slices spread over it. */
export function estimate(text: string, characters: number): number {
  if (text.length <= Math.max(characters, sliceCharacters)) return estimateTokenCount(text)
  const slices = Math.max(1, Math.min(mostSlices, Math.floor(characters / sliceCharacters)))
  let tokens = 0
  for (let slice = 0; slice < slices; slice += 1) {
    const from = Math.floor(((slice + 0.5) * text.length) / slices - sliceCharacters / 2)
    tokens += estimateTokenCount(text.slice(from, from + sliceCharacters))
  }
  return Math.round((tokens * text.length) / (slices * sliceCharacters))
}

const sliceCharacters = 200
const mostSlices = 16
