import type { CallMemory } from './call-memory.ts'
import type { CheckedScope } from './call-scope.ts'
import type { KnownTurn } from './known-turns.ts'
import type { StreamedAnswer, WholeAnswer } from './model-call.ts'
import type { PromptTalk } from './read-prompt.ts'
import { ReplyPieces } from './reply-pieces.ts'
import type { TurnCaptures } from '../../turns/turn-captures.ts'
import { type AnswerEnd, watchedStream } from './watched-stream.ts'

export interface TurnMeans {
  readonly captures: TurnCaptures
  readonly memory: CallMemory
  readonly scope: CheckedScope
  readonly talk: PromptTalk
  readonly turn: KnownTurn
  /** Keeps a serverless function alive until the turn is stored. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined
}

/** One call of a model: what is new in its prompt is stored before it, and what the assistant says after it. */
export class ModelTurn {
  readonly #means: TurnMeans
  readonly #pieces = new ReplyPieces()
  readonly #signal: AbortSignal | undefined
  /** True when words of the assistant at the end of the prompt are the host's own: the reply goes on from them. */
  readonly #isBegun: boolean
  readonly #kept = Promise.withResolvers<void>()

  constructor(means: TurnMeans, signal: AbortSignal | undefined) {
    this.#means = means
    this.#signal = signal
    this.#isBegun = !means.turn.isAnswered
    means.waitUntil?.(this.#kept.promise)
    // Before the model is called: the person's words are kept when it fails, or when the process ends.
    void this.#take(means.talk.newest(means.turn.seed))
  }

  async whole<Answer extends WholeAnswer>(call: () => PromiseLike<Answer>): Promise<Answer> {
    const answer = await this.#called(call)
    this.#pieces.whole(answer)
    this.#ended('whole')
    return answer
  }

  async streamed<Answer extends StreamedAnswer>(call: () => PromiseLike<Answer>): Promise<Answer> {
    const answer = await this.#called(call)
    const stream = watchedStream(answer.stream, this.#signal, {
      seen: (piece) => this.#pieces.piece(piece),
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

  #ended(how: AnswerEnd): void {
    const { talk, turn } = this.#means
    turn.isAnswered ||= how === 'whole' && !this.#pieces.hasFailed
    const said = this.#pieces.said()
    const reply = said.parts.length === 0 ? undefined : talk.reply(turn.seed, said, this.#isBegun)
    void this.#take(reply === undefined ? [] : [reply]).then(this.#kept.resolve)
  }

  #take(messages: ReturnType<PromptTalk['newest']>): Promise<void> {
    const { captures, memory, scope } = this.#means
    if (!scope.writes || scope.session === undefined) return Promise.resolve()
    return captures.take(memory, scope.key, scope.session, messages)
  }
}
