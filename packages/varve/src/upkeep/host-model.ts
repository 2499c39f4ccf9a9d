import { type AskedFor, type AskedModel, handedWindow, type SizedPrompt } from '../distil/asked-model.ts'
import type { ModelAnswer } from '../models/language-model.ts'

/** A request that waits for the answer of the host's own model. It ends the work that made it; what was stored before stays. */
export class Unanswered extends Error {
  readonly asked: SizedPrompt
  readonly about: AskedFor

  constructor(asked: SizedPrompt, about: AskedFor) {
    super('this request waits for its answer')
    this.asked = asked
    this.about = about
  }
}

/** The work asks for something else than it did when its request was handed out. */
export class RequestChanged extends Error {
  constructor() {
    super('the request is another one by now')
  }
}

/** An answer, with the hash of the request that it is for. */
export interface HostAnswer {
  readonly hash: string
  readonly object: ModelAnswer['object']
  /** True for the answer to the same request made again, after one that could not be used. */
  readonly isAgain: boolean
}

/**
 * The host's own model, which the loops that write layers ask like any other. It has one answer at most: the work goes as
 * far as that reaches, and ends with Unanswered. So an answer passes every check that a configured model's does.
 */
export class HostModel implements AskedModel {
  readonly name: string
  readonly notBefore = 0
  readonly failure = undefined
  readonly made = 0
  readonly #answers: ModelAnswer['object'][]
  readonly #hash: string | undefined
  readonly #hashOf: (asked: SizedPrompt) => string
  #asked = 0

  constructor(name: string, hashOf: (asked: SizedPrompt) => string, answer?: HostAnswer) {
    this.name = name
    this.#hashOf = hashOf
    this.#hash = answer?.hash
    // An answer without a part stands for the one that could not be used: so the work asks again.
    this.#answers = answer === undefined ? [] : answer.isAgain ? [{}, answer.object] : [answer.object]
  }

  /** True once its answer was taken. */
  get isSpent(): boolean {
    return this.#hash !== undefined && this.#answers.length === 0
  }

  isUp(): boolean {
    return true
  }

  window(): Promise<number> {
    return Promise.resolve(handedWindow)
  }

  async ask(asked: SizedPrompt, about: AskedFor): Promise<ModelAnswer> {
    this.#asked += 1
    const object = this.#answers.shift()
    if (object === undefined) throw new Unanswered(asked, about)
    if (this.#asked === 1 && this.#hashOf(asked) !== this.#hash) throw new RequestChanged()
    return { object, finish: 'stop' }
  }
}
