import { createInterface } from 'node:readline'
import { VarveError } from '../../errors/varve-error.ts'
import { shell } from '../shell.ts'
import { countedKinds } from '../../messages/counted-kinds.ts'
import { harmless, harmlessLine, note, paint, print, printJson } from '../terminal.ts'
import { finishErasures } from '../open-store.ts'
import type { ChatMeans, ChatTalk } from './chat-talk.ts'
import { usedLines } from './used-memories.ts'

const help = `/memories         what the model read for its last answer
/memories <words> what is remembered of these words
/forget           erases what was said in this session; /forget 2 erases the second memory above
/new              begins another session
/quit             ends, as Ctrl-D does. Ctrl-C stops an answer`

const mostHits = 10

const unconfirmed = 'Nothing was erased: /forget shows what would go, and /forget yes, as the line after it, erases that.'

/** What is told of an answer that ended in another way than with its last word. */
const endings: ReadonlyMap<string, string> = new Map([
  ['content-filter', 'a filter held it back'],
  ['length', 'it reached the most tokens that it may write'],
  ['interrupted', 'its stream broke off'],
  ['error', 'it ended with an error'],
  ['tool-calls', 'it called a tool, and a chat has none'],
])

type Erasure = NonNullable<Parameters<ChatMeans['ada']['showForget']>[0]>['what']

/** Talks line by line: on a terminal with a prompt, in a pipe without. Resolves at the end of the input. */
export class ChatLoop {
  readonly #means: ChatMeans
  readonly #talk: ChatTalk
  readonly #isJson: boolean
  readonly #newSession: () => string
  #answering: AbortController | undefined
  #erasure: { readonly what: Erasure; readonly token: string } | undefined
  /** True when something that was asked for was not done. */
  hasFailed = false

  constructor(means: ChatMeans, talk: ChatTalk, { isJson, newSession }: { isJson: boolean; newSession: () => string }) {
    this.#means = means
    this.#talk = talk
    this.#isJson = isJson
    this.#newSession = newSession
  }

  async run(): Promise<void> {
    const { stdin, stdout } = shell()
    const isTerminal = stdin.isTTY === true && stdout.isTTY === true
    const lines = createInterface({ input: stdin, output: stdout, terminal: isTerminal, prompt: '> ', historySize: 100 })
    // The first Ctrl-C stops an answer, the next one ends; without an answer, the first ends.
    const interrupted = (): void => {
      if (this.#answering !== undefined && !this.#answering.signal.aborted) this.#answering.abort()
      else lines.close()
    }
    const ended = (): void => {
      this.#answering?.abort()
      lines.close()
    }
    lines.on('SIGINT', interrupted)
    process.on('SIGINT', interrupted)
    process.on('SIGTERM', ended)
    try {
      if (isTerminal) lines.prompt()
      for await (const line of lines) {
        if (line.trim() !== '' && !(await this.#took(line.trim()))) break
        if (isTerminal) lines.prompt()
      }
      this.#dropErasure()
    } finally {
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', ended)
      lines.close()
      await this.#talk.settled()
    }
  }

  /** Takes a line. False when it ends the talk. */
  async #took(line: string): Promise<boolean> {
    const [command = '', ...rest] = line.split(/\s+/)
    const words = rest.join(' ')
    if (command === '/quit' || command === '/exit') return false
    try {
      if (command !== '/forget') this.#dropErasure()
      if (command === '/new') this.#begin()
      else if (command === '/memories') await this.#showMemories(words)
      else if (command === '/forget') await this.#forget(words)
      else if (/^\/\w*$/.test(command)) this.#help(command)
      else await this.#say(line)
    } catch (error) {
      if (!VarveError.is(error)) throw error
      this.#failed(harmlessLine(error.message))
    }
    return true
  }

  /** Tells that something was not done. */
  #failed(message: string): void {
    this.hasFailed = true
    note(`${paint('red', 'varve:', shell().stderr)} ${message}`)
  }

  #help(command: string): void {
    if (command !== '/help' && command !== '/') this.#failed(`there is no ${harmlessLine(command)}.`)
    note(help)
  }

  /** Tells that an erasure that was shown is not made, since no yes followed. */
  #dropErasure(): void {
    if (this.#erasure === undefined) return
    this.#erasure = undefined
    this.#failed(unconfirmed)
  }

  async #say(line: string): Promise<void> {
    this.#answering = new AbortController()
    const write = (piece: string): void => void (this.#isJson || shell().stdout.write(harmless(piece)))
    const { words, isStopped, finish = '', failure, used } = await this.#talk.say(line, write, this.#answering.signal)
    this.#answering = undefined
    if (this.#isJson)
      printJson({ session: this.#talk.session, answer: words, isStopped, ...(finish === '' ? {} : { finish }), memories: used })
    else if (words !== '') print('')
    if (isStopped) note('(stopped)')
    for (const one of this.#isJson ? [] : usedLines(used)) note(paint('dim', one, shell().stderr))
    if (failure !== undefined) throw failure
    const ending = endings.get(finish)
    if (isStopped) return
    if (words.trim() === '') this.#failed(`the model gave no words: ${ending ?? 'its answer was empty'}. Ask again, or ask otherwise.`)
    else if (ending !== undefined) this.#failed(`the answer is not whole: ${ending}.`)
  }

  #begin(): void {
    this.#talk.begin(this.#newSession())
    note(`Session ${harmlessLine(this.#talk.session)}.`)
  }

  async #showMemories(words: string): Promise<void> {
    if (words === '') {
      const used = this.#talk.used.map(({ kind, day = '', text }, at) => `${at + 1}. ${kind} ${day}\n${harmless(text)}`)
      return note(used.length === 0 ? 'The model read no memory for its last answer.' : used.join('\n\n'))
    }
    await this.#talk.settled()
    const { hits: found } = await this.#means.ada.recall(words, { limit: mostHits })
    const lines = found.map(({ kind, at, text }) => `${kind} ${new Date(at).toISOString().slice(0, 10)}  ${harmlessLine(text)}`)
    note(lines.length === 0 ? 'Nothing is remembered of that.' : lines.join('\n'))
  }

  /** Shows what would be erased, and erases it after a `/forget yes`. */
  async #forget(words: string): Promise<void> {
    const { ada } = this.#means
    await this.#talk.settled()
    if (words === 'yes' && this.#erasure !== undefined) {
      const { token, what } = this.#erasure
      this.#erasure = undefined
      const { counts } = await ada.confirmForget(token, { what })
      await finishErasures(this.#means.memory)
      // The running talk may hold the words too.
      this.#talk.begin(what !== undefined && 'messages' in what ? this.#talk.session : this.#newSession())
      return note(`Forgotten: ${countedKinds(counts)}.`)
    }
    if (words === 'yes') return this.#failed(unconfirmed)
    const what = this.#erasureOf(words)
    if (what === undefined)
      return this.#failed(
        'there is no such message above. /forget erases this session, /forget 2 the second memory above where it is a message.',
      )
    const { counts, token } = await ada.showForget({ what })
    this.#erasure = { what, token }
    note(`Would be forgotten: ${countedKinds(counts)}. It cannot be undone: /forget yes`)
  }

  #erasureOf(words: string): Erasure | undefined {
    if (words === '') return { session: this.#talk.session }
    const used = this.#talk.used[Number(words) - 1]
    return used?.kind === 'message' && used.id !== undefined ? { messages: [used.id] } : undefined
  }
}
