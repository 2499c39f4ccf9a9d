// Compares docs/reference/requirements.md with the tests that cite its ids in a comment above them: `// requirement: P1.2, BANK-1`.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const page = 'docs/reference/requirements.md'
const tests = ['packages/*/src/**/*.test.ts', 'packages/varve/src/testing/store/*-checks.ts', 'test/**/*.test.ts']
const idForm = /^(?:P[1-5]\.\d+|[A-Z]+-\d+)$/
const mostWords = 25

interface Requirement {
  readonly id: string
  readonly statement: string
  readonly status: string
  readonly line: number
}

interface Citation {
  readonly id: string
  readonly where: string
}

const problems: string[] = []

/** Reads the rows of the page's tables whose first cell is an id. */
function readRequirements(): Requirement[] {
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((text, place): Requirement[] => {
      const [, id = '', statement = '', , status = ''] = text.split('|').map((cell) => cell.trim())
      if (!text.startsWith('|') || id === 'id' || /^-+$/.test(id)) return []
      return [{ id, statement, status, line: place + 1 }]
    })
}

/** Returns the ids that a file's comments cite. A comment without a test below it is a problem. */
function citationsIn(path: string): Citation[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  return lines.flatMap((text, place): Citation[] => {
    const ids = /^\s*\/\/ requirement: (.*)$/.exec(text)?.[1]
    if (ids === undefined) return []
    const where = `${path}:${place + 1}`
    // A check of the store contract is an object with a name.
    if (!/^\s*(?:(?:test|it|describe)\b|name:)/.test(lines[place + 1] ?? '')) problems.push(`${where} stands above no test`)
    return ids.split(',').map((id) => ({ id: id.trim(), where }))
  })
}

function checkRequirement(requirement: Requirement, cited: ReadonlySet<string>): void {
  const { id, statement, status, line } = requirement
  const where = `${page}:${line}`
  if (!idForm.test(id)) problems.push(`${where} "${id}" is no id: write P1.2 or BANK-1`)
  if (statement.split(/\s+/).length > mostWords) problems.push(`${where} ${id} has more than ${mostWords} words`)
  if (status === 'kept') {
    if (!cited.has(id)) problems.push(`${where} ${id} is kept, and no test cites it: write "// requirement: ${id}" above its test`)
  } else if (!/^planned: \S/.test(status)) {
    problems.push(`${where} ${id} is "${status}": write "kept", or "planned: " and the reason`)
  } else if (cited.has(id)) {
    problems.push(`${where} ${id} is planned, and a test cites it: write "kept"`)
  }
}

const requirements = readRequirements()
const citations = globSync(tests, { cwd: root, exclude: ['**/node_modules/**'] })
  .sort()
  .flatMap(citationsIn)
const cited = new Set(citations.map(({ id }) => id))
const known = new Map<string, number>()
for (const requirement of requirements) {
  const first = known.get(requirement.id)
  if (first !== undefined) problems.push(`${page}:${requirement.line} ${requirement.id} stands on line ${first} already`)
  else known.set(requirement.id, requirement.line)
  checkRequirement(requirement, cited)
}
if (requirements.length === 0) problems.push(`${page} has no requirement`)
for (const { id, where } of citations) if (!known.has(id)) problems.push(`${where} cites ${id}, which ${page} does not have`)

const kept = requirements.filter(({ status }) => status === 'kept').length
console.log(`${requirements.length} requirements: ${kept} kept, ${requirements.length - kept} planned; ${citations.length} citations`)
for (const problem of problems) console.error(`error: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
