import type { Role } from '../../messages/message.ts'

/** A piece of a message, in every host's shape. Pictures and files are named, never carried. */
export type Piece =
  | { readonly kind: 'text' | 'thought' | 'file'; readonly text: string }
  /** A call, with its output where the host's shape holds both in one. */
  | {
      readonly kind: 'call'
      readonly id: string
      readonly name: string
      readonly input: string
      readonly output?: string
      readonly failed?: boolean
      readonly isOpen: boolean
    }
  | { readonly kind: 'result'; readonly id: string; readonly name: string; readonly output: string; readonly failed: boolean }

/** A host's message as compaction sees it; serialisable. */
export interface Turn {
  readonly role: Role
  readonly id?: string
  readonly pieces: readonly Piece[]
  /** True for a model's thought that its provider takes only together with the next message. */
  readonly withNext?: boolean
}

/** Tells whether a message is somebody's words to the model. A message that only hands results back is not. */
export function isAsked({ role, pieces }: Turn): boolean {
  return role === 'user' && !(pieces.length > 0 && pieces.every(({ kind }) => kind === 'result'))
}

/** Gives a message's text in the form in which an append stores it: see messages/parts.ts. */
export function storedText(turn: Turn): string {
  return turn.pieces
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Gives a message's words alone, without tools. */
export function spokenTurnText({ pieces }: Turn): string {
  return pieces.flatMap((piece) => (piece.kind === 'text' && piece.text !== '' ? [piece.text] : [])).join('\n\n')
}

function textOf(piece: Piece): string {
  if (piece.kind === 'result') return piece.name === '' ? piece.output : `${piece.name}: ${piece.output}`
  if (piece.kind !== 'call') return piece.kind === 'thought' ? '' : piece.text
  const call = `${piece.name}(${piece.input})`
  if (piece.output === undefined) return call
  return piece.failed === true ? `${call}: failed: ${piece.output}` : `${call}: ${piece.output}`
}
