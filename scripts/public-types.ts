import { join } from 'node:path'
import ts from 'typescript'

/**
 * Returns the declarations of each module's exports, sorted by name and without comments, as a d.ts file would hold them.
 * One program has all the modules: reading the sources is most of the work.
 */
export function publicTypes(home: string, entries: Readonly<Record<string, string>>): Record<string, string> {
  const { config } = ts.readConfigFile(join(home, 'tsconfig.build.json'), ts.sys.readFile)
  const files = Object.values(entries)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, home)
  const program = ts.createProgram(
    files.map((entry) => join(home, entry)),
    { ...options, emitDeclarationOnly: true, removeComments: true, noCheck: true },
  )
  const emitted = new Map<ts.SourceFile, ts.SourceFile>()
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, exportsOf(program, join(home, entry), emitted)]))
}

function exportsOf(program: ts.Program, entry: string, emitted: Map<ts.SourceFile, ts.SourceFile>): string {
  const source = program.getSourceFile(entry)
  const checker = program.getTypeChecker()
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  const exported = module === undefined ? [] : checker.getExportsOfModule(module)
  return exported
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((symbol) => {
      const owner = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
      const files = new Set((owner.declarations ?? []).map((declaration) => declaration.getSourceFile()))
      const text = [...files].map((file) => declarationsOf(declarationFile(program, file, emitted), owner.name)).join('\n')
      return text === '' ? `${symbol.name}: no declaration found` : text
    })
    .join('\n\n')
    .concat('\n')
}

/** Returns the d.ts file of a source; emits it once. */
function declarationFile(program: ts.Program, source: ts.SourceFile, emitted: Map<ts.SourceFile, ts.SourceFile>): ts.SourceFile {
  const known = emitted.get(source)
  if (known !== undefined) return known
  let text = ''
  program.emit(source, (_path, written) => (text = written), undefined, true)
  const file = ts.createSourceFile('declarations.d.ts', text, ts.ScriptTarget.Latest, true)
  emitted.set(source, file)
  return file
}

function declarationsOf(file: ts.SourceFile, name: string): string {
  const printer = ts.createPrinter({ removeComments: true })
  return file.statements
    .filter((statement) => namesOf(statement).includes(name))
    .map((statement) => printer.printNode(ts.EmitHint.Unspecified, statement, file))
    .join('\n')
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  const declares =
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return declares && statement.name !== undefined ? [statement.name.text] : []
}
