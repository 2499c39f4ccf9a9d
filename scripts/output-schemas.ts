import { join } from 'node:path'
import ts from 'typescript'

/** A schema of OpenAPI 3.1, which is JSON Schema. */
export interface OutputSchema {
  readonly [keyword: string]: unknown
}

/** The schemas of answers by the names of their types, and the schemas that they share by the names of the types. */
export interface OutputSchemas {
  readonly byName: ReadonlyMap<string, OutputSchema>
  readonly shared: Readonly<Record<string, OutputSchema>>
}

/**
 * Makes the schemas of types. `types` holds each as TypeScript writes it; `files` gives the file of each exported type,
 * from the sources. The generators of npm read the text of a type, and stop at one that is made of a constant's.
 */
export function outputSchemas(home: string, types: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): OutputSchemas {
  const texts = [...types].map(([name, text]) => `export type ${name} = ${text}`)
  const used = new Set(texts.flatMap((text) => text.match(/\b[A-Z]\w+/g) ?? []).filter((name) => files.has(name)))
  const imports = [...used].map((name) => `import type { ${name} } from './${files.get(name)}'`)
  const entry = join(home, 'src', 'output-types.ts')
  const { config } = ts.readConfigFile(join(home, 'tsconfig.build.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [entry] }, ts.sys, home)
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  const source = ts.createSourceFile(entry, [...imports, ...texts].join('\n'), ts.ScriptTarget.Latest, true)
  host.getSourceFile = (path, version) => (path === entry ? source : read(path, version))
  const program = ts.createProgram([entry], { ...options, noCheck: true }, host)
  const schemas = new Schemas(program.getTypeChecker())
  return {
    byName: new Map(source.statements.filter(ts.isTypeAliasDeclaration).map((node) => [node.name.text, schemas.of(node)])),
    shared: schemas.shared,
  }
}

class Schemas {
  readonly shared: Record<string, OutputSchema> = {}
  readonly #checker: ts.TypeChecker

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  of(node: ts.TypeAliasDeclaration): OutputSchema {
    return this.#schema(this.#checker.getTypeFromTypeNode(node.type), node)
  }

  #schema(type: ts.Type, at: ts.Node): OutputSchema {
    if (type.isUnion()) return this.#union(type, at)
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (type.isIntersection()) {
      // A brand is a primitive with a mark that is not there at run time.
      const primitive = type.types.find((one) => (one.flags & (ts.TypeFlags.String | ts.TypeFlags.Number)) !== 0)
      if (primitive !== undefined) return this.#schema(primitive, at)
    }
    if ((type.flags & ts.TypeFlags.StringLike) !== 0) return { type: 'string' }
    if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return { type: 'number' }
    if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) return { const: this.#checker.typeToString(type) === 'true' }
    if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return { type: 'boolean' }
    if ((type.flags & ts.TypeFlags.Null) !== 0) return { type: 'null' }
    return (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection() ? this.#object(type, at) : {}
  }

  #union(type: ts.UnionType, at: ts.Node): OutputSchema {
    const types = type.types.filter((one) => (one.flags & ts.TypeFlags.Undefined) === 0)
    const shared = this.#nameOf(type)
    if (shared !== undefined && types.length > 1) return this.#sharing(shared, () => this.#anyOf(types, at))
    return this.#anyOf(types, at)
  }

  #anyOf(types: readonly ts.Type[], at: ts.Node): OutputSchema {
    const values = types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
    const rest = types.filter((one) => !one.isStringLiteral())
    const isBoolean = rest.filter((one) => (one.flags & ts.TypeFlags.BooleanLiteral) !== 0).length === 2
    const others = rest.filter((one) => !isBoolean || (one.flags & ts.TypeFlags.BooleanLiteral) === 0)
    const schemas = [
      ...(values.length === 0 ? [] : [{ type: 'string', enum: values }]),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...others.map((one) => this.#schema(one, at)),
    ]
    const apart = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()]
    return apart.length === 1 ? (apart[0] ?? {}) : { anyOf: apart }
  }

  #object(type: ts.Type, at: ts.Node): OutputSchema {
    const item = this.#checker.isArrayLikeType(type) ? this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined
    if (item !== undefined) return { type: 'array', items: this.#schema(item, at) }
    const name = this.#nameOf(type)
    return name === undefined ? this.#fields(type, at) : this.#sharing(name, () => this.#fields(type, at))
  }

  #fields(type: ts.Type, at: ts.Node): OutputSchema {
    const properties = this.#checker.getPropertiesOfType(type).map((property) => {
      const about = ts.displayPartsToString(property.getDocumentationComment(this.#checker)).replaceAll('\n', ' ')
      const schema = this.#schema(this.#checker.getTypeOfSymbolAtLocation(property, at), at)
      const isRequired = (property.flags & ts.SymbolFlags.Optional) === 0
      return { name: property.name, isRequired, schema: about === '' ? schema : { ...schema, description: about } }
    })
    const values = this.#checker.getIndexTypeOfType(type, ts.IndexKind.String)
    const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name)
    return {
      type: 'object',
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])) }),
      ...(required.length === 0 ? {} : { required }),
      ...(values === undefined ? {} : { additionalProperties: this.#schema(values, at) }),
    }
  }

  /** The name of an exported type without parameters. */
  #nameOf(type: ts.Type): string | undefined {
    const symbol = type.aliasSymbol ?? type.getSymbol()
    if (symbol === undefined || (type.aliasTypeArguments ?? []).length > 0 || !/^[A-Z]\w+$/.test(symbol.name)) return undefined
    const files = (symbol.declarations ?? []).map((one) => one.getSourceFile().fileName)
    return files.some((file) => file.includes('/src/') && !file.endsWith('output-types.ts')) ? symbol.name : undefined
  }

  #sharing(name: string, make: () => OutputSchema): OutputSchema {
    if (!Object.hasOwn(this.shared, name)) {
      // A type that holds itself finds its place taken.
      this.shared[name] = {}
      this.shared[name] = make()
    }
    return { $ref: `#/components/schemas/${name}` }
  }
}
