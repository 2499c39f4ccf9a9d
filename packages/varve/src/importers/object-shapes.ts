import { jsonParser, type Token } from 'stream-json/parser.js'
import { formatOf, formatOfAll, formatWithin, type ImportFormat } from './formats/all.ts'

// Small, so that little text after the telling key is parsed.
const sliceChars = 4096
/**
 * Lines with a role and a content may be JSONL, or messages of the Agents SDK between its other items. So much text
 * after them is looked at for such an item.
 */
const lookAheadChars = 64 * 1024
/** How many levels below the first objects a telling object may lie: a user, a session, its messages. */
const mostLevelsWithin = 6

/** Reads the keys of the first object, or of the first objects of a list, until they tell the format. */
export function formatOfObjects(text: string): ImportFormat | undefined {
  const parse = jsonParser({
    packValues: false,
    packKeys: true,
    packStrings: true,
    streamKeys: false,
    streamStrings: false,
    jsonStreaming: true,
  })
  const shapes = new Shapes()
  let until = text.length
  for (let at = 0; at < until; at += sliceChars) {
    const tokens = tokensOf(parse, text.slice(at, at + sliceChars))
    for (const token of tokens ?? []) {
      const format = shapes.take(token)
      if (format !== undefined) return format
    }
    if (tokens === undefined) break
    if (shapes.first === 'jsonl') until = Math.min(until, at + lookAheadChars)
  }
  return shapes.first ?? shapes.within
}

function tokensOf(parse: ReturnType<typeof jsonParser>, text: string): Iterable<Token> | undefined {
  try {
    const parsed = parse(text)
    return typeof parsed === 'symbol' ? [] : parsed.values
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

interface Shape {
  readonly keys: Set<string>
  lastKey: string
}

/** The objects that are open, with the keys met so far. */
class Shapes {
  readonly #open: (Shape | undefined)[] = []
  /** The depth at which the first objects lie: 0, or 1 in a list. */
  #level = 0
  #begun = false
  /** The format that the first objects tell, where a later one may tell better. */
  first: ImportFormat | undefined
  /** The format that an object within them tells. */
  within: ImportFormat | undefined

  take(token: Token): ImportFormat | undefined {
    switch (token.name) {
      case 'startArray':
        if (!this.#begun) this.#level = 1
        this.#begun = true
        this.#open.push(undefined)
        return undefined
      case 'startObject':
        this.#begun = true
        this.#open.push({ keys: new Set(), lastKey: '' })
        return undefined
      case 'endArray':
        this.#open.pop()
        return undefined
      case 'endObject':
        return this.#ended(this.#open.pop())
      case 'keyValue':
        return this.#key(token.value)
      case 'stringValue':
        return this.#type(token.value)
      default:
        return undefined
    }
  }

  #key(key: string): ImportFormat | undefined {
    const shape = this.#open.at(-1)
    if (shape === undefined) return undefined
    shape.lastKey = key
    const outer = this.#open.at(-2)
    return this.#add(shape, key, 0) ?? (outer === undefined ? undefined : this.#add(outer, `${outer.lastKey}.${key}`, 1))
  }

  #type(value: string): ImportFormat | undefined {
    const shape = this.#open.at(-1)
    return shape?.lastKey === 'type' ? this.#add(shape, `type=${value}`, 0) : undefined
  }

  /** Adds a key to the object that is open so many levels above the innermost. */
  #add(shape: Shape, key: string, above: number): ImportFormat | undefined {
    shape.keys.add(key)
    const depth = this.#open.length - above
    if (depth === this.#level + 1) return this.#told(shape)
    if (depth > this.#level && depth <= this.#level + mostLevelsWithin) this.within ??= formatWithin(shape.keys)
    return undefined
  }

  #told(shape: Shape): ImportFormat | undefined {
    if (this.first !== undefined) return undefined
    const format = formatOf(shape.keys, false)
    if (format === 'jsonl') this.first = format
    return format === 'jsonl' ? undefined : format
  }

  #ended(shape: Shape | undefined): ImportFormat | undefined {
    if (shape === undefined || this.#open.length !== this.#level) return undefined
    return formatOfAll(shape.keys) ?? (this.first === undefined ? this.within : undefined)
  }
}
