// Checks that each name that the product exports is declared in one file, so that a name in the code leads to one
// thing.
//
// `scripts/names-ratchet.json` records how many names are still in several files. More fail, and so do fewer, until
// `npm run names -- --tighten` records them.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const root = dirname(import.meta.dirname)
const ratchetFile = join(root, 'scripts', 'names-ratchet.json')

function isExported(statement: ts.Statement): boolean {
  return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}

/** Returns the names that a pattern binds: `a`, `{ b, c: d }`, `[e]`. */
function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}

/** Returns the names that a file declares at its top level and exports. A value and a type of one name count once. */
function exportedNames(path: string): Set<string> {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
  const names = source.statements.filter(isExported).flatMap((statement): string[] => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name))
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name ? [statement.name.text] : []
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [statement.name.text]
    return []
  })
  return new Set(names)
}

const files = globSync('packages/varve/src/**/*.ts', { cwd: root }).filter((path) => !/\.(?:test|sentences|d)\.ts$/.test(path))
const declaredIn = new Map<string, string[]>()
for (const path of files.sort()) {
  for (const name of exportedNames(path)) declaredIn.set(name, [...(declaredIn.get(name) ?? []), path])
}
const duplicates = [...declaredIn].filter(([, paths]) => paths.length > 1).sort(([one], [other]) => (one < other ? -1 : 1))

const recorded: number | undefined = existsSync(ratchetFile) ? JSON.parse(readFileSync(ratchetFile, 'utf8')).duplicates : undefined
const most = process.argv.includes('--tighten') ? Math.min(recorded ?? duplicates.length, duplicates.length) : recorded
if (most !== recorded) writeFileSync(ratchetFile, `${JSON.stringify({ duplicates: most }, null, 2)}\n`)

const limit = most ?? 0
console.log(`${declaredIn.size} exported names, ${duplicates.length} in several files; at most ${limit} may be`)
if (duplicates.length !== limit) {
  for (const [name, paths] of duplicates) console.error(`${name}\n${paths.map((path) => `  ${path}`).join('\n')}`)
  const advice = duplicates.length > limit ? 'rename one of those above' : 'npm run names -- --tighten'
  console.error(`error: ${duplicates.length} names are in several files, and ${limit} are recorded: ${advice}`)
  process.exitCode = 1
}
