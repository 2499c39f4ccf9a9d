import { Dialogue } from '../../shared/dialogue.ts'
import { inFlight } from '../../shared/flight.ts'
import { type Cost, measuring } from '../../shared/usage.ts'
import { modelFrom, type Origin } from '../product.ts'
import type { Question } from '../questions.ts'
import { warmUp } from '../recall-task.ts'
import type { Modelled, Runtime } from './tasks.ts'

/** The texts of a call, as in upkeep: about 2,048 tokens. */
const textsPerCall = 40
/** Calls a thread: enough that no thread waits, and that all are started. */
const callsPerThread = 2

/** Measures the model by itself, with so many threads of its own: many messages, then questions one by one. */
export async function modelTask(
  from: Origin,
  runtime: Runtime,
  threads: number,
  messages: number,
  asked: readonly Question[],
): Promise<Modelled> {
  const { miniLm } = await modelFrom(from)
  const model = miniLm({ runtime, threads })
  const dialogue = new Dialogue(0)
  const embed = (calls: number): Promise<void> =>
    inFlight(
      Array.from({ length: calls }, () => textsOf(dialogue)),
      threads * callsPerThread,
      (texts) => model.embed(texts),
    )
  await embed(threads * callsPerThread * 2)
  const before = model.status()
  if (before.threads !== threads) throw new RangeError(`${before.threads} of ${threads} threads were started`)
  const calls = Math.ceil(messages / textsPerCall)
  const cost = measuring()
  await embed(calls)
  const spent = cost()
  const tokens = model.status().tokens - before.tokens
  const questions: Cost[] = []
  for (const { text } of asked) {
    const asking = measuring()
    await model.embed([text], { priority: 'query' })
    questions.push(asking())
  }
  await model.close()
  return { ...spent, tokens, messages: calls * textsPerCall, questions: questions.slice(warmUp) }
}

function textsOf(dialogue: Dialogue): string[] {
  return dialogue.messages(textsPerCall).map(({ content }) => (typeof content === 'string' ? content : ''))
}
