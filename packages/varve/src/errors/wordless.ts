import { VarveError } from './varve-error.ts'

/** The name of an error's class. Any other name may be somebody's words. */
const className = /^(?:[A-Z]{2,4}_)?[A-Z][A-Za-z]{2,40}(?:Error|Exception)$/

/** The code of a system error, of undici's or of Node's. It has no digit, so no key looks like one. */
const systemCode = /^(?:E[A-Z]{2,24}|(?:UND_ERR|ERR|CERT|DEPTH|UNABLE|SELF|HPE|STORE|MODEL)_[A-Z_]{2,60})$/

/** A line of a stack: the place in a file, and nothing that a message can hold. */
const frame = /^ {4}at (?:[\w.<>$#[\] ]{1,200} \()?(?:file|node|https?):[^\s()]{1,500}:\d+:\d+\)?$/

/** The most errors of a chain of causes that are looked at. */
const mostCauses = 5

/**
 * Tells what sort of error a foreign one is, without its words, which may hold a key or a prompt: `ECONNREFUSED`,
 * `TypeError`; '' when nothing is known but that it failed.
 */
export function sortOf(error: unknown): string {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < mostCauses; at = at.cause) chain.push(at)
  const codes = chain.map((each): unknown => Reflect.get(each, 'code'))
  const code = codes.find((each) => typeof each === 'string' && systemCode.test(each))
  if (typeof code === 'string') return code
  return chain.map(({ name }) => name).find((name) => className.test(name)) ?? ''
}

/** Copies an error without its words and its fields: a log that prints a cause prints them. Its class and its stack stay. */
export function wordless(error: unknown): Error {
  const sort = sortOf(error)
  const copy = new Error(sort === '' ? 'its words are left out' : `${sort}; its words are left out`)
  if (!(error instanceof Error)) return copy
  copy.name = className.test(error.name) ? error.name : 'Error'
  copy.stack = [`${copy.name}: ${copy.message}`, ...framesOf(error)].join('\n')
  return copy
}

function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => frame.test(line))
}

/** Tells in Varve's own words why a call failed: whole for Varve's own errors, the sort and the place of any other. */
export function ownReason(error: unknown): string {
  if (VarveError.is(error)) return error.message
  const [first] = error instanceof Error ? framesOf(error) : []
  const place = first === undefined ? '' : ` at ${first.trim().slice(3)}`
  return `an unexpected error (${sortOf(error) || 'of an unknown sort'})${place}`
}
