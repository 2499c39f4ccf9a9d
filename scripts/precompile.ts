// Compiles the queries of the built store. So the published package has their text, and loads no query builder (20 MB, .1 s a thread).
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { compile } from '../packages/varve/src/storage/compile-statement.ts'
import type { DialectName } from '../packages/varve/src/storage/dialect.ts'
import type { Statement } from '../packages/varve/src/storage/statement.ts'

type Query = Statement<object, unknown>

/** The one module that loads the query builder, and its replacement when every query is compiled. */
const compiler = 'storage/compile-statement.js'
const compiled = "export function compile(query, dialect = 'sqlite') {\n    return query.compiled[dialect];\n}\n"
/** The queries' texts then hold the parts that engines write differently. */
const dialects = 'storage/dialect.js'
const importOfBuilder = /^import .* from ['"]kysely['"];$/m
const declares = 'statement()('

/**
 * Replaces every `statement()(…)` of the modules under `dist` by `{ compiled: { sqlite: { sql, order }, postgres: {
 * sql, order } } }`. Returns their number.
 */
export async function precompile(dist: string): Promise<number> {
  // The built module, with the types of its source.
  const { compile }: { compile: Compile } = await import(pathToFileURL(join(dist, compiler)).href)
  const { dialectNames }: { dialectNames: readonly DialectName[] } = await import(pathToFileURL(join(dist, dialects)).href)
  const compiledFor = (query: Query): object => Object.fromEntries(dialectNames.map((dialect) => [dialect, compile(query, dialect)]))
  let count = 0
  for (const path of globSync('storage/**/*.js', { cwd: dist }).map((name) => join(dist, name))) {
    const text = readFileSync(path, 'utf8')
    const calls = callsIn(text)
    if (calls.length === 0) continue
    const queries = await declaredBy(path, text)
    if (queries.length !== calls.length)
      throw new RangeError(`${path} declares ${queries.length} queries in ${calls.length} calls: declare each once, at the top level`)
    writeFileSync(path, withText(text, calls, queries.map(compiledFor)))
    count += calls.length
  }
  writeFileSync(join(dist, compiler), compiled)
  for (const name of [`${compiler}.map`, dialects, `${dialects}.map`]) rmSync(join(dist, name), { force: true })
  return count
}

type Compile = typeof compile

/** Returns the places of the calls, in the order in which they run. */
function callsIn(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isCallExpression(node.expression) && node.expression.expression.getText() === 'statement') {
      found.push({ from: node.getStart(), to: node.getEnd() })
    } else ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true))
  return found
}

/** Runs a copy of the module that returns its queries. */
async function declaredBy(path: string, text: string): Promise<Query[]> {
  const queries: Query[] = []
  const copy = path.replace(/\.js$/, '.declared.mjs')
  const declareQuery = (write: NonNullable<Query['write']>): Query => {
    const query = { write, compiled: {} }
    queries.push(query)
    return query
  }
  Object.assign(globalThis, { declareQuery })
  writeFileSync(copy, text.replaceAll(declares, 'globalThis.declareQuery('))
  try {
    await import(pathToFileURL(copy).href)
  } finally {
    rmSync(copy)
  }
  return queries
}

/** Lines stay in place, so that the source map still fits. */
function withText(text: string, calls: readonly { from: number; to: number }[], queries: readonly object[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [place, { from, to }] of calls.entries()) {
    const lines = text.slice(from, to).split('\n').length - 1
    pieces.push(text.slice(at, from), `{ compiled: ${JSON.stringify(queries[place])}${'\n'.repeat(lines)} }`)
    at = to
  }
  return [...pieces, text.slice(at)].join('').replace(importOfBuilder, '')
}
