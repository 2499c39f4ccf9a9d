import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import * as z from 'zod'
import { type Handle, handles } from '../packages/varve/src/operations/all.ts'
import type { FieldSchema } from '../packages/varve/src/operations/field-schema.ts'
import { typeNames } from '../packages/varve/src/operations/fields.ts'
import type { AnyOperation } from '../packages/varve/src/operations/operation.ts'
import { jsonSchemaOf } from '../packages/varve/src/operations/parse.ts'

const root = dirname(import.meta.dirname)
const sources = join(root, 'packages', 'varve', 'src')
/** The folder of the files that are written, from the sources. */
const folder = join('memory', 'handles')
export const config: FormatConfig = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'))

/** A field's schema, with words for its type in TypeScript. */
interface TypedSchema extends Omit<FieldSchema, 'items' | 'anyOf' | 'properties' | 'additionalProperties'> {
  readonly items?: TypedSchema
  readonly anyOf?: readonly TypedSchema[]
  readonly properties?: Readonly<Record<string, TypedSchema>>
  readonly additionalProperties?: TypedSchema | boolean
  readonly typeName?: string
  /** Whether undefined may be given. */
  readonly mayBeUndefined?: boolean
}

/** The fields of an operation, and which of them are required. */
export function fieldsOf(operation: AnyOperation): {
  readonly fields: Readonly<Record<string, TypedSchema>>
  readonly required: readonly string[]
} {
  const shape = operation.input()
  const schema: TypedSchema = jsonSchemaOf(operation, ({ zodSchema, jsonSchema }) => {
    Object.assign(jsonSchema, typeNames.get(zodSchema))
    // The schema is asked, since JSON Schema does not know undefined.
    Object.assign(jsonSchema, { mayBeUndefined: z.safeParse(zodSchema, undefined).success })
  })
  const required = (schema.required ?? []).filter((name) => name in shape)
  return { fields: schema.properties ?? {}, required }
}

const listFields: ReadonlySet<string> = new Set(['limit', 'cursor'])
const isList = ({ output }: AnyOperation): boolean => output.startsWith('List<')

interface Declaration {
  readonly head: string
  readonly body: string
  readonly about?: string | undefined
  /** The operations that take it as their options. */
  readonly operations: readonly string[]
}

/** The interfaces that a file of handles declares. */
class Declarations {
  readonly #byName = new Map<string, Declaration>()

  /** Declares an interface. Several operations may share one whose fields are the same. */
  add(name: string, declared: Declaration): void {
    const before = this.#byName.get(name)
    if (before !== undefined && (before.head !== declared.head || before.body !== declared.body))
      throw new TypeError(`${name} would be two types`)
    this.#byName.set(name, { ...declared, operations: [...(before?.operations ?? []), ...declared.operations] })
  }

  texts(): readonly string[] {
    return [...this.#byName].map(([name, { head, body, about = '', operations }]) => {
      const title = operations.length === 0 ? about : `Options of ${operations.map((one) => `\`${one}\``).join(', ')}.`
      return `${comment([title])}export interface ${name}${head} {\n${body}\n}`
    })
  }
}

/** A type in TypeScript. A named type whose schema has properties is declared in the same file. */
function typeOf(schema: TypedSchema, declarations: Declarations): string {
  const { typeName, type, enum: names, anyOf, items, properties, additionalProperties } = schema
  if (typeName !== undefined && !(properties !== undefined && /^\w+$/.test(typeName))) return typeName
  if (properties !== undefined) {
    // Bounds may differ from one use of the type to the next.
    const body = propertiesOf(properties, schema.required ?? [], declarations, ({ description = '' }) => description)
    if (typeName === undefined) return `{ ${body} }`
    declarations.add(typeName, { head: '', body, about: schema.description, operations: [] })
    return typeName
  }
  if (names !== undefined) return names.map((name) => `'${name}'`).join(' | ')
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, declarations)))].join(' | ')
  if (type === 'array') return `readonly ${bracketed(items === undefined ? 'unknown' : typeOf(items, declarations))}[]`
  if (type === 'object')
    return typeof additionalProperties === 'object' ? `Readonly<Record<string, ${typeOf(additionalProperties, declarations)}>>` : 'object'
  return [...new Set([type ?? 'unknown'].flat().map((one) => (one === 'integer' ? 'number' : one)))].join(' | ')
}

function bracketed(text: string): string {
  return /[|&]/.test(text) && !text.startsWith('{') ? `(${text})` : text
}

function propertiesOf(
  properties: Readonly<Record<string, TypedSchema>>,
  required: readonly string[],
  declarations: Declarations,
  meaning = meaningOf,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const type = typeOf(schema, declarations)
      const whole = schema.mayBeUndefined === true && !required.includes(name) ? `${type} | undefined` : type
      return `${comment([meaning(schema)])}readonly ${name}${required.includes(name) ? '' : '?'}: ${whole}`
    })
    .join('\n')
}

/** A field's description, and its bounds where it does not say them. */
function meaningOf({ description = '', minimum, maximum }: TypedSchema): string {
  if (description === '' || minimum === undefined || maximum === undefined || Math.abs(maximum) > 1e15) return description
  const bounds = `${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`
  return description.includes(bounds) ? description : `${description} From ${bounds}.`
}

const width = 116

/** A comment of these paragraphs. A line of a list of tags is a paragraph of its own. */
function comment(paragraphs: readonly string[]): string {
  const told = paragraphs.filter((text) => text !== '')
  if (told.length === 0) return ''
  const lines = told.flatMap((text, place) => [
    ...(place > 0 && (place === 1 || !text.startsWith('@')) ? [''] : []),
    ...(text.startsWith('@example') ? [text] : wrapped(text)),
  ])
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The words of an operation's name as those of a type: `facts.list` to `FactsList`. */
function typeNameOf(name: string): string {
  return name.split('.').map(capital).join('')
}

interface Parameter {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly meaning: string
}

/** The fields that an operation's method takes by place. */
export function placedOf({ method = {} }: AnyOperation, required: readonly string[]): readonly string[] {
  return method.placed ?? (method.whole === undefined ? required : required.filter((field) => field === 'id'))
}

/** The parameters of an operation's method: fields by place, and then options. */
function parametersOf(
  operation: AnyOperation,
  declarations: Declarations,
): { readonly placed: readonly string[]; readonly parameters: readonly Parameter[] } {
  const { fields, required } = fieldsOf(operation)
  const { method = {}, name } = operation
  const { whole } = method
  const placed = placedOf(operation, required)
  const isOwn = (field: string): boolean => !placed.includes(field) && !(isList(operation) && listFields.has(field))
  const own = Object.entries(fields).filter(([field]) => isOwn(field))
  const body = propertiesOf(Object.fromEntries(own), required, declarations)
  const bases = ['CallOptions', ...(isList(operation) ? ['ListOptions'] : [])]
  const byPlace = placed.map((field) => {
    const schema = fields[field] ?? {}
    return { name: field, type: typeOf(schema, declarations), isOptional: !required.includes(field), meaning: meaningOf(schema) }
  })
  const options = { name: 'options', type: bases.join(' & '), isOptional: true, meaning: '' }
  if (whole !== undefined) {
    if (/^\w+$/.test(whole.type)) declarations.add(whole.type, { head: '', body, operations: [name] })
    return { placed, parameters: [...byPlace, { ...whole, isOptional: false, meaning: '' }, options] }
  }
  if (own.length === 0) return { placed, parameters: [...byPlace, options] }
  const type = method.options ?? `${typeNameOf(name)}Options`
  declarations.add(type, { head: ` extends ${bases.join(', ')}`, body, operations: [name] })
  return { placed, parameters: [...byPlace, { ...options, type, isOptional: own.every(([field]) => !required.includes(field)) }] }
}

function methodOf(key: string, { constant }: Handle, operation: AnyOperation, declarations: Declarations): string {
  const { about, output, errors, method = {} } = operation
  const { placed, parameters } = parametersOf(operation, declarations)
  if (method.byHand === true) return ''
  const { limit } = fieldsOf(operation).fields
  const pages =
    isList(operation) && limit?.default !== undefined
      ? ` A page has at most ${Number(limit.default).toLocaleString('en-US')} items by default.`
      : ''
  const told = comment([
    `${about}${pages}${method.details === undefined ? '' : ` ${method.details}`}`,
    ...parameters.flatMap(({ name, meaning }) => (meaning === '' ? [] : [`@param ${name} ${meaning}`])),
    errors.length === 0 ? '' : `@throws {VarveError} ${errors.join(', ')}`,
    method.example === undefined ? '' : `@example ${method.example}`,
  ])
  const signature = parameters.map(({ name, type, isOptional }) =>
    isOptional && name === 'options' ? `options: ${type} = {}` : `${name}${isOptional ? '?' : ''}: ${type}`,
  )
  const given = `{ ${placed.join(', ')} }`
  const call = `this.calls.${isList(operation) ? 'list' : method.whole === undefined ? 'call' : 'whole'}`
  const input =
    method.whole === undefined
      ? given
      : `{ ${placed.length === 0 ? '' : `placed: ${given}, `}named: '${method.whole.name}', fields: ${method.whole.name} }`
  const answer = isList(operation) ? output.replace(/^List</, 'Listing<') : `Promise<${output}>`
  return `${told}${key}(${signature.join(', ')}): ${answer} {\nreturn ${call}(${constant}.${key}, ${input}, options)\n}`
}

function classOf(handle: Handle, declarations: Declarations): string {
  const { name, about, operations, base, on, isAbstract = false } = handle
  const calls = `Calls<${on === 'memory' ? 'StoreMeans' : 'PartitionMeans'}>`
  const methods = Object.entries(operations).map(([key, operation]) => methodOf(key, handle, operation, declarations))
  const held = `/** @internal */\nprotected ${isAbstract ? 'abstract ' : ''}readonly calls: ${calls}`
  const made = isAbstract ? [] : [`/** @internal */\nconstructor(calls: ${calls}) {\nthis.calls = calls\n}`]
  const members = [...(base === undefined ? [held, ...made] : []), ...methods.filter((text) => text !== '')]
  const title = `export ${isAbstract ? 'abstract ' : ''}class ${name}${base === undefined ? '' : ` extends ${base}`}`
  return `${comment([about])}${title} {\n${members.join('\n\n')}\n}`
}

/** The file of each exported type of the sources, from there. */
export function typeFiles(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('.test.') || file.startsWith(folder) || file.startsWith('testing')) continue
    for (const [, name] of readFileSync(join(sources, file), 'utf8').matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
      if (name !== undefined) found.set(name, file)
  }
  return found
}

/** The text of a file of handles: its imports, the types of its options, and its classes. */
function fileOf(own: readonly Handle[], files: ReadonlyMap<string, string>): string {
  const declarations = new Declarations()
  const classes = own.map((handle) => classOf(handle, declarations))
  const body = [...declarations.texts(), ...classes].join('\n\n')
  const declared = new Set([...body.matchAll(/(?:interface|class) (\w+)/g)].map(([, name]) => name))
  const used = new Set([...body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').matchAll(/\b[A-Z]\w+/g)].map(([name]) => name))
  const byFile = Map.groupBy(
    [...used].filter((name) => !declared.has(name)).flatMap((name) => (files.has(name) ? [{ name, file: files.get(name) ?? '' }] : [])),
    ({ file }) => file,
  )
  const imports = [...byFile].map(
    ([file, names]) =>
      `import type { ${names
        .map(({ name }) => name)
        .toSorted()
        .join(', ')} } from '${pathTo(file)}'`,
  )
  const constants = [...new Set(own.map(({ constant }) => constant))].filter((constant) => body.includes(`${constant}.`))
  const operations = `import { ${constants.join(', ')} } from '${pathTo(join('operations', `${own[0]?.file ?? ''}.ts`))}'`
  const head = `// Written from operations/${own[0]?.file}.ts by \`npm run api\`. Do not edit.`
  return `${head}\n${[...imports, operations].toSorted().join('\n')}\n\n${body}\n`
}

function pathTo(file: string): string {
  return relative(folder, file)
}

/** The files of handles, by their paths from the root. */
export async function handleFiles(): Promise<ReadonlyMap<string, string>> {
  const files = typeFiles()
  const written = new Map<string, string>()
  for (const [file, own] of Map.groupBy(handles, (handle) => handle.file)) {
    const path = join('packages', 'varve', 'src', folder, `${file}.ts`)
    const { code, errors } = await format(path, fileOf(own, files), config)
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
    written.set(path, code)
  }
  return written
}
