import { regex } from './word-lists.ts'

const fence = /^\s*(?:```|~~~)/u

/**
 * Tells which lines are code: what stands between two fences, and the fences. A fence that is never closed holds code as
 * far as the next empty line, so that it hides no prose behind it.
 */
export function codeLines(lines: readonly string[]): readonly boolean[] {
  const isCode = lines.map(() => false)
  let open = -1
  for (const [at, line] of lines.entries()) {
    if (!fence.test(line)) continue
    if (open === -1) open = at
    else {
      isCode.fill(true, open, at + 1)
      open = -1
    }
  }
  if (open === -1) return isCode
  const end = lines.findIndex((line, at) => at > open && line.trim() === '')
  return isCode.fill(true, open, end === -1 ? lines.length : end)
}

/** Forms of lines that no prose has: a prompt, an import, a query, a value that is set, a key of JSON, a log, a listing, a patch. */
const lineOfCode = regex('u')`^\s*(?:[❯➜]|\$(?=\s+[a-z])|>>>|[\w.-]+@[\w.-]+[:~]\S*[$#])|^\s*(?:const|let|var)\s+[\w$[{]+.*=|
  ^\s*(?:import\s.+\sfrom\s["']|from\s\S+\simport\s|import [\w.]+(?: as \w+)?\s*$)|^\s*(?:SELECT\b.*\bFROM|INSERT INTO|UPDATE \w+ SET|
  DELETE FROM|(?:CREATE|ALTER|DROP) (?:TABLE|INDEX|VIEW))\b|^\s*[\w$.["'\]]+\s*:?=\s*(?:["'[{(]|new |await |\w[\w.]*\()|
  ^\s*(?:export )?[A-Z][A-Z0-9_]{2,}=\S|^\s*[\w$.]+\([^)]*\)\s*$|^[\s{,[]*["'][\w $.-]+["']\s*:\s*[[{"'\dtfn-]|
  ^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|
  ^[-dlcb](?:[r-][w-][xsS-]){3}|^(?:diff --git|@@ -\d|[-+]{3} [ab]\/|index [\da-f]{7,}\.\.)|^\s*(?:\/\/|\/\*|\*\/|#!|#include)`

/** Forms that prose has as well: a command, a statement, a declaration, a key of JSON, columns. */
const maybeCode = regex('u')`^\s*(?:\$ )?(?:sudo|npm|npx|pnpm|yarn|pip3?|docker|kubectl|curl|wget|chmod|mkdir|apt(?:-get)?|brew|ssh|psql|
  cargo|git|node|python3?|cd|ls)\s+(?:install|add|run|build|push|pull|commit|clone|checkout|exec|get|apply|init|test|up|compose|log|
  status|diff|-{1,2}\w|[.~]{0,2}\/|https?:|\S+\.(?:js|ts|py|sh)(?:\s|$))|
  ^\s*(?:export |async |public |private |static )*(?:function\*?|class|interface|enum|struct|def|fn|func)\s+\w+.*[({:]\s*$|
  ^\s*(?:return|throw|await|yield)\b.*;\s*$|^\s*(?:if|for|while|switch|catch)\s*\(.*\)|^(?=.*[=()]).*;\s*$|
  ["'][\w $.-]+["']\s*:\s*[[{"'\dtfn-]|\S(?: {3,}|\t)\S.*(?: {3,}|\t)\S`

/** A line of so many parts, of which this share is plain words, is prose. */
const fewestParts = 5
const leastPlain = 0.6
const plainWord = /^\p{L}[\p{Ll}'’-]*[.,:;!?]*$/u

/** Tells whether a line is of a program, of its output or of data. */
export function isCodeLine(line: string): boolean {
  return lineOfCode.test(line) || (maybeCode.test(line) && !isProse(line))
}

function isProse(line: string): boolean {
  const parts = line.trim().split(/\s+/u)
  return parts.length >= fewestParts && parts.filter((part) => plainWord.test(part)).length >= parts.length * leastPlain
}

/** Tells whether a sentence holds code: braces, an arrow, a formula's commands, a key of JSON. */
export function holdsCode(sentence: string): boolean {
  return /[{}]|[=-][>›]|\\(?:[a-z]{3,}|[()[\]])|"\w+"\s*:\s*(?:["'[{\d-]|true|false|null)/u.test(sentence)
}
