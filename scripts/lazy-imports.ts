// Rewrites built modules so that they load an import at its first use.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** The code of modules, by path. */
export type Modules = ReadonlyMap<string, string>

interface Change {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** An import that is used in functions alone, and the changes that delay it to its first use. */
interface LazyImport {
  readonly of: string
  readonly changes: readonly Change[]
}

/**
 * Finds the imports that are used in functions alone. The function that it gives returns the code of the modules, with such an import
 * as a `require` at its first use, unless the imported module is `needed`. What a module does when it is loaded stays as it is.
 */
export function lazyImportsOf(paths: readonly string[]): (needed: ReadonlySet<string>) => Modules {
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext }
  const program = ts.createProgram([...paths], options)
  const checker = program.getTypeChecker()
  const found = paths.map((path) => {
    const file = program.getSourceFile(path)
    return { path, code: readFileSync(path, 'utf8'), imports: file === undefined ? [] : lazyImportsIn(file, checker) }
  })
  return (needed) =>
    new Map(
      found.map(({ path, code, imports }) => {
        const later = imports.filter(({ of }) => !needed.has(join(dirname(path), of)))
        return [
          path,
          changed(
            code,
            later.flatMap(({ changes }) => changes),
          ),
        ] as const
      }),
    )
}

function lazyImportsIn(file: ts.SourceFile, checker: ts.TypeChecker): readonly LazyImport[] {
  const uses = usesOf(file, checker)
  return file.statements.filter(isRelativeImport).flatMap((statement, place) => {
    const names = namesIn(statement)
    const used = names.flatMap(({ symbol, member }) => (uses.get(symbol) ?? []).map((node) => ({ node, member })))
    if (names.length === 0 || used.some(({ node }) => ts.isExportSpecifier(node.parent) || !isInFunction(node))) return []
    const [of, taken, take] = [statement.moduleSpecifier.text, `takenLater${place}`, `takeLater${place}`]
    const declared = `var ${taken}; function ${take}() { return ${taken} ??= require(${JSON.stringify(of)}) }`
    const changes = used.map(({ node, member }) => {
      const name = ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ` : ''
      return { from: node.getStart(), to: node.getEnd(), text: `${name}(${take}())${member}` }
    })
    return [{ of, changes: [{ from: statement.getStart(), to: statement.getEnd(), text: declared }, ...changes] }]
  })

  /** The names that an import declares, each with the way to it from the module. */
  function namesIn({ importClause }: ts.ImportDeclaration): readonly { symbol: ts.Symbol; member: string }[] {
    if (importClause === undefined) return []
    const { name, namedBindings } = importClause
    const named = namedBindings === undefined ? [] : ts.isNamespaceImport(namedBindings) ? [namedBindings] : [...namedBindings.elements]
    return [
      ...(name === undefined ? [] : [{ name, member: '.default' }]),
      ...named.map((one) => ({ name: one.name, member: ts.isNamespaceImport(one) ? '' : `.${(one.propertyName ?? one.name).text}` })),
    ].flatMap((one) => {
      const symbol = checker.getSymbolAtLocation(one.name)
      return symbol === undefined ? [] : [{ symbol, member: one.member }]
    })
  }
}

interface RelativeImport extends ts.ImportDeclaration {
  readonly moduleSpecifier: ts.StringLiteral
}

function isRelativeImport(statement: ts.Statement): statement is RelativeImport {
  return (
    ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier) && statement.moduleSpecifier.text.startsWith('.')
  )
}

/** Finds where the names of a module's imports are used. */
function usesOf(file: ts.SourceFile, checker: ts.TypeChecker): ReadonlyMap<ts.Symbol, readonly ts.Identifier[]> {
  const uses = new Map<ts.Symbol, ts.Identifier[]>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    const symbol = ts.isIdentifier(node) ? meantBy(node, checker) : undefined
    if (symbol !== undefined && ts.isIdentifier(node)) uses.set(symbol, [...(uses.get(symbol) ?? []), node])
    ts.forEachChild(node, visit)
  }
  visit(file)
  return uses
}

function meantBy(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const { parent } = node
  // The name of a property: to find what it means takes the type of its object.
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return undefined
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent)
  return ts.isExportSpecifier(parent) ? checker.getExportSpecifierLocalTargetSymbol(parent) : checker.getSymbolAtLocation(node)
}

/** False for what runs when its module is loaded, fields of classes included. */
function isInFunction(node: ts.Node): boolean {
  return node.parent !== undefined && (ts.isFunctionLike(node.parent) || isInFunction(node.parent))
}

function changed(code: string, changes: readonly Change[]): string {
  const sorted = changes.toSorted((a, b) => a.from - b.from)
  const kept = sorted.map(({ text }, place) => `${code.slice(sorted[place - 1]?.to ?? 0, sorted[place]?.from)}${text}`)
  return `${kept.join('')}${code.slice(sorted.at(-1)?.to ?? 0)}`
}
