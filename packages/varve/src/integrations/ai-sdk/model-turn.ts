import type { MessageInput } from '../../messages/message.ts'
import { fieldOf } from '../../turns/outside-json.ts'
import type { SaidInTurn, TurnPlace } from '../../turns/turn-captures.ts'
import type { TurnDoor } from '../../turns/turn-door.ts'
import type { KnownTurn } from './known-turns.ts'
import type { StreamedAnswer, WholeAnswer } from './model-call.ts'
import type { PromptTalk } from './read-prompt.ts'
import { ReplyPieces } from './reply-pieces.ts'
import { type AnswerEnd, watchedStream } from './watched-stream.ts'

export interface TurnMeans {
  readonly door: TurnDoor
  readonly place: TurnPlace
  readonly talk: PromptTalk
  readonly turn: KnownTurn
  /** What the call began with, as far as it stands in the store. */
  readonly asked: readonly MessageInput[]
}

/** One call of a model: what the assistant says is stored as it ends, and before a tool is called. */
export class ModelTurn {
  readonly #means: TurnMeans
  readonly #pieces = new ReplyPieces()
  readonly #signal: AbortSignal | undefined
  /** True when words of the assistant at the end of the prompt are the host's own: the reply goes on from them. */
  #isBegun: boolean
  readonly #kept = Promise.withResolvers<void>()

  constructor(means: TurnMeans, signal: AbortSignal | undefined) {
    this.#means = means
    this.#signal = signal
    this.#isBegun = !means.turn.isAnswered
    means.door.keepsAlive(this.#kept.promise)
  }

  async whole<Answer extends WholeAnswer>(call: () => PromiseLike<Answer>): Promise<Answer> {
    const answer = await this.#called(call)
    await this.#safely(() => {
      this.#pieces.whole(answer)
      return answer.content.some(isCall) ? this.#storedFirst() : undefined
    })
    this.#ended('whole')
    return answer
  }

  async streamed<Answer extends StreamedAnswer>(call: () => PromiseLike<Answer>): Promise<Answer> {
    const answer = await this.#called(call)
    const stream = watchedStream(answer.stream, this.#signal, {
      seen: (piece) =>
        this.#safely(() => {
          this.#pieces.piece(piece)
          return isCall(piece) ? this.#storedFirst() : undefined
        }),
      ended: (how) => this.#ended(how),
    })
    return Object.assign({}, answer, { stream })
  }

  async #called<Answer>(call: () => PromiseLike<Answer>): Promise<Answer> {
    try {
      return await call()
    } catch (error) {
      this.#ended('cut')
      throw error
    }
  }

  /** The tool may forget: what was said before it is stored before it, else it would be stored after it. */
  #storedFirst(): Promise<unknown> {
    return this.#means.door.stored(this.#means.place, this.#said())
  }

  #ended(how: AnswerEnd): void {
    const { door, place, turn } = this.#means
    turn.isAnswered ||= how === 'whole' && !this.#pieces.hasFailed
    void this.#safely(() => door.take(place, this.#said())).then(() => this.#kept.resolve())
  }

  #safely(work: () => Promise<unknown> | undefined): Promise<unknown> {
    return this.#means.door.failures.safely('append', work)
  }

  /** What was said since it was stored last. */
  #said(): SaidInTurn {
    const { talk, turn, asked } = this.#means
    const said = this.#pieces.taken()
    const reply = said.parts.length === 0 ? undefined : talk.reply(turn.seed, said, this.#isBegun)
    if (reply === undefined) return { messages: [] }
    this.#isBegun = false
    return { asked, messages: [reply] }
  }
}

/** Tells a call of a tool that the host runs. */
function isCall(part: unknown): boolean {
  return fieldOf(part, 'type') === 'tool-call' && fieldOf(part, 'providerExecuted') !== true
}
