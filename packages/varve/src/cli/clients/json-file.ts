import { isDeepStrictEqual } from 'node:util'
import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** A text that cannot be edited, with the reason. */
export class UneditableText extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UneditableText'
  }
}

/** JSON with comments and commas at ends, as editors and agents read their settings. */
export class SettingsFile {
  readonly text: string
  readonly #bom: string
  readonly #root: Node | undefined

  /** UneditableText for a text that is no JSON object. */
  constructor(text: string) {
    this.#bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
    this.text = text.slice(this.#bom.length)
    if (this.text.trim() === '') return
    const errors: ParseError[] = []
    this.#root = treeOf(this.text, errors)
    const [error] = errors
    if (error !== undefined) throw new UneditableText(`${printParseErrorCode(error.error)} at ${placeOf(this.text, error.offset)}`)
    if (this.#root?.type !== 'object') throw new UneditableText('it is no JSON object')
  }

  /** The whole text, as a file has it. */
  get whole(): string {
    return `${this.#bom}${this.text}`
  }

  /** Returns the value at a path; undefined where there is none. UneditableText where a name on the way stands twice. */
  at(path: JSONPath): unknown {
    const node = this.#node(path)
    return node === undefined ? undefined : valueOf(node)
  }

  /** Returns the file with a value at a path, or with a new item of the list at it. */
  with(path: JSONPath, value: unknown, isNewItem = false): SettingsFile {
    if (!isNewItem && isDeepStrictEqual(this.at(path), value)) return this
    this.#refuseTwice(path)
    const text = this.text.trim() === '' ? '{}' : this.text
    const [edit] = modify(text, isNewItem ? [...path, -1] : path, value, { isArrayInsertion: isNewItem })
    if (edit === undefined) return this
    return this.#edited(text, [laidOut(text, edit)], this.text === '' ? '\n' : '')
  }

  /**
   * Returns the file without what is at a path, and without the objects and lists above it that are empty then. Comments beside it
   * stay, and an object or list with one stays too.
   */
  without(path: JSONPath): SettingsFile {
    this.#refuseTwice(path)
    const node = this.#node(path)
    // A property is a node of its own, with its name and its value.
    const item = node?.parent?.type === 'property' ? node.parent : node
    const { children = [] } = item?.parent ?? {}
    const above = path.slice(0, -1)
    if (item?.parent === undefined || above.length + children.length === 0) return this
    if (children.length === 1 && above.length > 0 && !isCommented(this.text, item, item.parent)) return this.without(above)
    return this.#edited(this.text, removal(this.text, item, item.parent), '')
  }

  #edited(text: string, edits: Edit[], end: string): SettingsFile {
    return new SettingsFile(`${this.#bom}${applyEdits(text, edits)}${end}`)
  }

  #node(path: JSONPath): Node | undefined {
    return this.#root === undefined ? undefined : findNodeAtLocation(this.#root, path)
  }

  /** A reader takes the last of two equal names, an edit the first. */
  #refuseTwice(path: JSONPath): void {
    for (const [place, name] of path.entries()) {
      const above = place === 0 ? this.#root : this.#node(path.slice(0, place))
      if (above !== undefined && above.type !== 'object' && above.type !== 'array')
        throw new UneditableText(`${shownPath(path.slice(0, place))} is no object`)
      if (above?.type === 'array' && typeof name === 'string') throw new UneditableText(`${shownPath(path.slice(0, place))} is no object`)
      if (above?.type !== 'object') continue
      const equal = (above.children ?? []).filter(({ children }) => children?.[0]?.value === name)
      if (equal.length > 1) throw new UneditableText(`${shownPath(path.slice(0, place + 1))} stands there twice`)
    }
  }
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    if (error instanceof RangeError) throw new UneditableText('it is nested too deeply')
    throw error
  }
}

const comments = /\/\/[^\r\n]*|\/\*.*?\*\//gs

/** Gives the text between two values with each sign of a comment as a slash. */
function between(text: string, from: number, to: number): string {
  return text.slice(from, to).replaceAll(comments, (comment) => '/'.repeat(comment.length))
}

/** Tells whether an object or a list has comments beside its only item, or before its brace. */
function isCommented(text: string, item: Node, parent: Node): boolean {
  const name = parent.parent?.type === 'property' ? parent.parent.children?.[0] : undefined
  const head = name === undefined ? '' : between(text, endOf(name), parent.offset)
  return `${head}${between(text, parent.offset, item.offset)}${between(text, endOf(item), endOf(parent))}`.includes('/')
}

/** Takes an item out with one comma and the blanks that came with it. Comments stay. */
function removal(text: string, item: Node, { offset, length, children = [] }: Node): Edit[] {
  const place = children.indexOf(item)
  const [previous, next] = [children[place - 1], children[place + 1]]
  const [from, end] = [previous === undefined ? offset + 1 : endOf(previous), endOf(item)]
  const before = between(text, from, item.offset)
  const after = between(text, end, next?.offset ?? offset + length - 1)
  if (previous !== undefined && !before.includes('/')) return [span(from, end)]
  if (next !== undefined && !after.includes('/')) return [span(item.offset, next.offset)]
  const comma = after.indexOf(',')
  const cut = after.slice(0, comma).trim() === '' ? comma + 1 : 0
  const isLineEmpty = /^[ \t]*\r?\n/.test(after.slice(cut))
  const own = isLineEmpty
    ? span(from + before.trimEnd().length, end + cut)
    : span(item.offset, end + cut + (/^[ \t]*/.exec(after.slice(cut))?.[0].length ?? 0))
  const commaBefore = before.indexOf(',')
  if (comma >= cut && comma !== -1) return [own, span(end + comma, end + comma + 1)]
  return comma === -1 && commaBefore !== -1 ? [span(from + commaBefore, from + commaBefore + 1), own] : [own]
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function span(from: number, to: number): Edit {
  return { offset: from, length: to - from, content: '' }
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  const fields = (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name === undefined || value === undefined ? [] : [[String(name.value), valueOf(value)] as const],
  )
  return Object.fromEntries(fields)
}

function shownPath(path: JSONPath): string {
  return path.length === 0 ? 'the file' : path.join('.')
}

/** The new text of an edit: a comma, a name, a value, a comma. */
const newText = /^(,?)((?:"(?:[^"\\]|\\.)*":)?)(.*?)(,?)$/s

/**
 * Gives an edit the indentation and the line breaks of its surroundings, and changes nothing of them. A text or a
 * value in one line stays in one line.
 */
function laidOut(text: string, edit: Edit): Edit {
  const [, before = '', name = '', json = '', after = ''] = newText.exec(edit.content) ?? []
  if (!text.trim().includes('\n') && /[^\s{}]/.test(text)) return edit
  const replaced = text.slice(edit.offset, edit.offset + edit.length)
  if (replaced !== '' && !replaced.includes('\n')) return edit
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = unitOf(text)
  const line = text.slice(text.lastIndexOf('\n', edit.offset - 1) + 1, edit.offset)
  const [indent = ''] = /^[ \t]*/.exec(line) ?? []
  const value: unknown = JSON.parse(json)
  const pretty = (base: string): string =>
    `${name}${name === '' ? '' : ' '}${JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${base}`)}`
  if (edit.length > 0) return { ...edit, content: `${before}${pretty(indent)}${after}` }
  // Behind a neighbour the indentation is its line's; at the beginning of an object or a list it is one more.
  if (before !== '') return { ...edit, content: `${before}${eol}${indent}${pretty(indent)}` }
  const inner = `${indent}${unit}`
  const closes = after === '' && !/^[ \t]*\r?\n/.test(text.slice(edit.offset)) ? `${eol}${indent}` : ''
  return { ...edit, content: `${eol}${inner}${pretty(inner)}${after}${closes}` }
}

function unitOf(text: string): string {
  return /^([ \t]+)(?=["\]}{/])/m.exec(text)?.[1] ?? '  '
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}
