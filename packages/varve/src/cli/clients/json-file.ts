import { isDeepStrictEqual } from 'node:util'
import {
  applyEdits,
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
    this.#root = parseTree(this.text, errors, { allowTrailingComma: true })
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

  /** Returns the file with a value at a path. With undefined the value goes, and so does an object or a list that it leaves empty. */
  with(path: JSONPath, value: unknown, isNewItem = false): SettingsFile {
    if (!isNewItem && isDeepStrictEqual(this.at(path), value)) return this
    this.#refuseTwice(path)
    const { text } = this
    const formattingOptions = { ...indentOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' }
    const edits = modify(text.trim() === '' ? '{}' : text, path, value, { formattingOptions, isArrayInsertion: isNewItem })
    const edited = applyEdits(text.trim() === '' ? '{}' : text, edits)
    return new SettingsFile(`${this.#bom}${edited}${text === '' ? '\n' : ''}`)
  }

  /** Returns the file without what is at a path, and without the objects and lists above it that are empty then. */
  without(path: JSONPath): SettingsFile {
    let file = this.with(path, undefined)
    for (let above = path.slice(0, -1); above.length > 0 && isEmpty(file.at(above)); above = above.slice(0, -1))
      file = file.with(above, undefined)
    return file
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
      if (above?.type !== 'object') continue
      const equal = (above.children ?? []).filter(({ children }) => children?.[0]?.value === name)
      if (equal.length > 1) throw new UneditableText(`${shownPath(path.slice(0, place + 1))} stands there twice`)
    }
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
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

function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const [, indent = '  '] = /^([ \t]+)(?=["\]}])/m.exec(text) ?? []
  return indent.startsWith('\t') ? { insertSpaces: false, tabSize: 1 } : { insertSpaces: true, tabSize: indent.length }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}
