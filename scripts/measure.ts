import ts from 'typescript'

/** The counts of ways around the type checker and around typed errors. */
export interface Counts {
  /** `any`, written as a type. */
  any: number
  /** `x!` */
  nonNull: number
  /** `x as T`, without `as const`. */
  casts: number
  /** Comments that switch the type checker or the linter off. */
  suppressions: number
  /** `throw new Error(…)`: an error without a class, a code or facts. */
  plainErrors: number
}

export interface Measure {
  readonly lines: number
  readonly functions: readonly { readonly name: string; readonly line: number; readonly lines: number }[]
  /** The lines where an error is caught and dropped. */
  readonly emptyCatches: readonly number[]
  /** The lines at which an error is looked at with `instanceof VarveError`. */
  readonly classChecks: readonly number[]
  readonly counts: Counts
}

export const emptyCounts = (): Counts => ({ any: 0, nonNull: 0, casts: 0, suppressions: 0, plainErrors: 0 })

/** The blocks of a test file. Each is measured by itself, so that a suite may be as long as its file. */
const testBlock = /^(describe|it|test|suite)\b/

/** Measures one source file, without resolving its types. */
export function measure(path: string, text: string): Measure {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const counts = emptyCounts()
  const functions: Measure['functions'][number][] = []
  const emptyCatches: number[] = []
  const classChecks: number[] = []
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const linesOf = (node: ts.Node) => lineOf(node.end) - lineOf(node.getStart(source)) + 1

  const visit = (node: ts.Node): void => {
    count(node, source, counts)
    if (isEmptyCatch(node)) emptyCatches.push(lineOf(node.getStart(source)))
    if (isClassCheck(node, source)) classChecks.push(lineOf(node.getStart(source)))
    if (isFunction(node)) {
      const inBlocks = testBlocksIn(node, source).reduce((sum, block) => sum + linesOf(block), 0)
      functions.push({ name: nameOf(node, source), line: lineOf(node.getStart(source)), lines: linesOf(node) - inBlocks })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  counts.suppressions = suppressionsIn(path, text)
  return { lines: text.trimEnd().split('\n').length, functions, emptyCatches, classChecks, counts }
}

/** Counts suppressions. In a type test an expected error is the test itself: it hides nothing. */
function suppressionsIn(path: string, text: string): number {
  const pattern = path.endsWith('.test-d.ts')
    ? /@ts-(ignore|nocheck)\b|(ox|es)lint-disable/g
    : /@ts-(expect-error|ignore|nocheck)\b|(ox|es)lint-disable/g
  return text.match(pattern)?.length ?? 0
}

function count(node: ts.Node, source: ts.SourceFile, counts: Counts): void {
  if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any += 1
  else if (ts.isNonNullExpression(node)) counts.nonNull += 1
  else if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) counts.casts += 1
  else if (ts.isTypeAssertionExpression(node)) counts.casts += 1
  else if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression) && node.expression.expression.getText(source) === 'Error') {
    counts.plainErrors += 1
  }
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody }

function isFunction(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

/** Finds `catch {}`, and `.catch(() => {})`. */
function isEmptyCatch(node: ts.Node): boolean {
  if (ts.isCatchClause(node)) return node.block.statements.length === 0
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  const handler = node.arguments[0]
  return node.expression.name.text === 'catch' && handler !== undefined && isFunction(handler) && doesNothing(handler.body)
}

function isClassCheck(node: ts.Node, source: ts.SourceFile): boolean {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.InstanceOfKeyword) return false
  return node.right.getText(source) === 'VarveError'
}

function doesNothing(body: ts.ConciseBody): boolean {
  if (ts.isBlock(body)) return body.statements.length === 0
  return ts.isVoidExpression(body) || (ts.isIdentifier(body) && body.text === 'undefined')
}

/** Returns the outermost callbacks of describe and it inside a function. */
function testBlocksIn(outer: ts.Node, source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testBlock.test(node.expression.getText(source)) && node.arguments.some(isFunction)) found.push(node)
    else ts.forEachChild(node, visit)
  }
  ts.forEachChild(outer, visit)
  return found
}

function nameOf(node: FunctionWithBody, source: ts.SourceFile): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (node.name !== undefined) return node.name.getText(source)
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText(source) : 'a function'
}
