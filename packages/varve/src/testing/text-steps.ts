import { setFlagsFromString } from 'node:v8'

/** The steps by name: a regular expression's source, or a function of strings. */
type Steps = Map<string, number>

const growth = 8
/**
 * The allowed growth of steps. As they are counted, linear work takes up to 16 times as many for 8 times the text,
 * quadratic work 32 times or more.
 */
const mostGrowth = 24
/** The steps a character below which nothing is reported: work that begins only at some length would seem to grow. */
const fewSteps = 64
/** The most steps of a search before the check gives up on it. */
const mostSteps = 2 ** 24
/**
 * Searches of a text this short each count as this many steps: they are the most searches, and counting takes longer
 * than searching.
 */
const shortText = 64
const shortSteps = 256

/**
 * Runs work on a text and on one of eight times its length. Throws a RangeError that names each regular expression and
 * each string function whose steps grow faster than the text.
 *
 * Steps are characters read and backtracks, without any clock: the count is the same on every machine. Indexing
 * (`text[at]`) is not counted. `length` must be more than the bounds within the work, such as `{0,200}` in an
 * expression.
 *
 * @example checkLinear((length) => sectionsOf('>'.repeat(length)))
 */
export function checkLinear(work: (length: number) => unknown, length = 250): void {
  const few = stepsOf(() => work(length))
  const many = stepsOf(() => work(length * growth))
  const over = [...many].filter(([name, steps]) => steps > mostGrowth * Math.max(few.get(name) ?? 0, fewSteps * length))
  const told = over.map(([name, steps]) => `${few.get(name) ?? 0} and ${steps} steps in ${name}`).join('; ')
  if (over.length > 0) throw new RangeError(`text of ${length} and of ${length * growth} characters takes ${told}`)
}

function stepsOf(work: () => unknown): Steps {
  const steps: Steps = new Map()
  const add = (name: string, count: number): void => void steps.set(name, (steps.get(name) ?? 0) + count)
  const restores = [countExpressions(add), ...searches.map((name) => countSearches(name, add))]
  // V8 does not count the backtracks of loops that it optimises.
  setFlagsFromString('--no-regexp-optimization')
  try {
    work()
  } finally {
    setFlagsFromString('--regexp-optimization')
    for (const restore of restores) restore()
  }
  return steps
}

type Add = (name: string, count: number) => void

/** Replaces a function; returns the function that restores it. */
function replaced<Own>(owner: object, name: string, make: (original: Own) => unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, name) ?? {}
  Object.defineProperty(owner, name, { ...own, value: make(own.value) })
  return () => Object.defineProperty(owner, name, own)
}

/** Counts regular expressions: every use, even in `replaceAll` and the like, calls `exec`. */
function countExpressions(add: Add): () => void {
  return replaced(
    RegExp.prototype,
    'exec',
    (exec: RegExp['exec']) =>
      function counted(this: RegExp, text: string) {
        const from = this.global || this.sticky ? this.lastIndex : 0
        // First with a bound: a search of exponential time would not end.
        const back = stepsBack(this, exec, text)
        const found: RegExpExecArray | null = Reflect.apply(exec, this, [text])
        const to = found === null ? from : found.index + found[0].length
        add(`/${this.source}/${this.flags}`, back + Math.max(0, to - from))
        return found
      },
  )
}

/** Cutting a text (`slice`, `trim`) copies nothing in V8. */
const searches = ['indexOf', 'lastIndexOf', 'includes', 'charCodeAt', 'codePointAt', 'split', 'toLowerCase', 'normalize'] as const

/** Counts the characters that a string function reads: up to its match, one character, or the whole text. */
function countSearches(name: (typeof searches)[number], add: Add): () => void {
  type Search = (...args: unknown[]) => unknown
  return replaced(
    String.prototype,
    name,
    (original: Search) =>
      function counted(this: string, ...args: unknown[]) {
        const found = Reflect.apply(original, this, args)
        add(name, charactersOf(this, args, found, name))
        return found
      },
  )
}

function charactersOf(text: string, [, from = 0]: readonly unknown[], found: unknown, name: string): number {
  if (name.endsWith('At')) return 1
  if (name === 'indexOf' && typeof found === 'number' && found >= 0) return found - Number(from) + 1
  return text.length
}

/** Returns the smallest limit, of those that double, within which a search ends. */
function stepsBack(expression: RegExp, exec: RegExp['exec'], text: string): number {
  if (text.length <= shortText || expression.lastIndex > text.length) return shortSteps
  for (let limit = shortSteps; limit <= mostSteps; limit *= 2) {
    const bounded = boundedTwin(expression, limit)
    bounded.lastIndex = expression.lastIndex
    if (Reflect.apply(exec, bounded, [text]) !== null) return limit
  }
  throw new RangeError(`${expression} takes more than ${mostSteps} steps back in ${text.length} characters: make it linear`)
}

/** Tells whether each alternative of an expression begins with `^`: V8 tries such an expression at the start alone. */
function isAnchored(source: string): boolean {
  let [depth, isInClass, isBegun] = [0, false, false]
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]
    if (!isBegun && sign !== '^') return false
    isBegun = true
    if (sign === '\\') at += 1
    else if (isInClass) isInClass = sign !== ']'
    else if (sign === '[') isInClass = true
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if (sign === '|' && depth === 0) isBegun = false
  }
  return isBegun
}

const twins = new Map<string, RegExp>()
let natively: Function | undefined

/** Makes the same expression with a limit of backtracks. Without a match it matches an end of the text: null means that it gave up. */
function boundedTwin({ source, flags, sticky, multiline, global }: RegExp, backtracks: number): RegExp {
  const key = `${backtracks}/${source}/${flags}`
  const known = twins.get(key)
  if (known !== undefined) return known
  natively ??= nativeMaker()
  const always = sticky ? '' : !multiline && !global && isAnchored(source) ? '^' : '(?![^])'
  const twin: RegExp = Reflect.apply(natively, undefined, [`(?:${source})|${always}`, flags, backtracks])
  twins.set(key, twin)
  return twin
}

/**
 * Makes V8's own test function; nothing else tells how often an expression backtracks. The flag stays, because
 * functions are compiled anew at times.
 */
function nativeMaker(): Function {
  setFlagsFromString('--allow-natives-syntax')
  return new Function('source', 'flags', 'backtracks', 'return %NewRegExpWithBacktrackLimit(source, flags, backtracks | 0)')
}
