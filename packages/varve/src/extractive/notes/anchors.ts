import { matchesOf } from '../../messages/matches-of.ts'
import { regex, source } from '../word-lists.ts'

// Ids of trackers, but no names that look like one: encodings, standards, licences, models.
const ticket = regex('gu')`\b(?!(?:UTF|SHA|ISO|RFC|HTTP|MD|TLS|SSL|ES|IPV|AES|RSA|CVSS|GPT|UTC|GMT|COVID|BASE|ECMA|WCAG|UCS|EXIT|CODE|TS|
  US|EU|AND|OR|TO|IN)-)[A-Z][A-Z0-9]{1,9}-\d{1,7}\b`
const reference = /(?<![\w&/])#\d{1,7}\b|\bCVE-\d{4}-\d{3,7}\b|\b(?:PR|MR|issue|ticket|build|run|job|incident|release)[ -]#?\d{1,9}\b/giu
const hash = /(?<![\w/.-])(?=[0-9a-f]{0,40}\d)(?=[0-9a-f]{0,40}[a-f])[0-9a-f]{7,40}(?![\w/-])/gu
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu
const coded = /\b(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[A-Za-z]{1,12}[-_][A-Za-z0-9]{4,24}(?:[-_][A-Za-z0-9]{1,24}){0,4}\b/gu
const address = /\bhttps?:\/\/[^\s<>"'`)\]]{4,200}/gu
const version = /\bv?\d+\.\d+\.\d+(?:[-+][\w.]+)?\b|\b[\w@/-]{1,80}@\d+\.\d[\w.]*\b/gu
const port = /\bport \d{2,5}\b|\blocalhost:\d{2,5}\b|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?\b/giu
const variable = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]{2,60}\b/gu
const option = /(?<![\w-])--?[a-z][\w-]{1,40}(?:[= ]\d[\w.]*|=\S{1,60})|(?<![\w-])(?:--[a-z][\w-]{1,40}|-[DX]\w[\w.=:-]{1,60})/giu
const amount = regex('giu')`\b\d[\d.,]{0,20}\s?(?:%|ms|s|sec(?:onds)?|min(?:utes)?|hours?|days?|[kmg]i?b|MB|GB|KB|tokens?|rows?|
  requests?|users?|rps|qps|x)\b|\b\d[\d.,]{0,20}%`

const error = /\b[A-Z]\w{2,60}(?:Error|Exception|Warning)\b|\bE[A-Z]{4,15}\b|\bTS\d{4,5}\b|\berror[: ]/gu
const code = /`[^`\n]{2,120}`|\b[a-z]+[A-Z]\w{2,60}\b|\b[a-z]\w*_\w{2,60}\b|\b\w{2,60}\(\)/gu
const bare = /(?<![\w.-])\d{2,12}(?![\w.-])/gu

const extension = source`(?:[cm]?[jt]sx?|json[5cl]?|ya?ml|toml|md|mdx|py|pyi|ipynb|go|rs|rb|java|kts?|swift|c|cc|cpp|h|hpp|cs|php|sh|
  bash|zsh|sql|html?|s?css|less|vue|svelte|xml|ini|cfg|conf|env|lock|txt|csv|proto|graphql|tf|tfvars|gradle|ex|exs|erl|hs|scala|lua|pl|r|
  jl|dart|log|pdf|png|svg|wasm|wat|prisma|dockerfile|mk|cmake)`
const path = regex('gu')`(?<![\w@:/.~-])(?:~?\.{0,2}\/)?(?:[\w@.+\-\[\]]{1,80}\/){1,16}[\w@+.\-\[\]]{0,80}[\w\]](?![\w/])|
  (?<![\w@/.-])\.?[\w@+-][\w@+.\-]{0,80}\.${extension}(?![\w/])|\b(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Procfile|Rakefile)\b`

/**
 * Returns the places of ids, addresses, versions, names of settings and amounts in a line: nobody can guess them once
 * they are lost.
 */
export function strongAnchors(line: string): number[] {
  const found = placesOf(line, [ticket, reference, hash, uuid, coded, address, version, port, variable, option, amount])
  return [...new Set(found)].toSorted((a, b) => a - b)
}

function placesOf(line: string, patterns: readonly RegExp[]): number[] {
  return patterns.flatMap((pattern) => matchesOf(line, pattern).map(({ index }) => index))
}

/** Returns the ids of trackers, commits and builds in a line, and its addresses. */
export function idsIn(line: string): string[] {
  return [ticket, reference, hash, uuid, address].flatMap((pattern) => line.match(pattern) ?? [])
}

/** Returns the places of names of errors, names of code and bare numbers in a line. */
export function weakAnchors(line: string): number[] {
  return placesOf(line, [error, code, bare])
}

/** Files and folders that a line names. Two words with a slash between them (`and/or`) are none. */
export function pathsNamed(line: string): string[] {
  const found = (line.replaceAll(address, ' ').match(path) ?? []).map((found) => found.replace(/[.:,]+$/u, ''))
  return [...new Set(found)].filter((each) => isPath(each))
}

const known = regex('iu')`\.${extension}$|(?:^|/)(?:Dockerfile|Makefile|Jenkinsfile|Gemfile|Procfile|Rakefile|\.\w[\w.-]+)$`

function isPath(text: string): boolean {
  if (known.test(text)) return !/^(?:node|next|vue|express|d3|three|socket|deno|bun)\.(?:js|io)$/iu.test(text)
  const pieces = text.split('/').filter((piece) => piece !== '')
  return pieces.length >= 3 || (/^(?:\/|~\/|\.{1,2}\/)/u.test(text) && pieces.length >= 1)
}
