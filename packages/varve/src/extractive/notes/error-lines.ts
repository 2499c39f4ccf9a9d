import { asOneLine, maxQuoted, cutAround } from './wording.ts'
import { regex } from '../word-lists.ts'

/** Signs of an error line, from sure to unsure: its form, a phrase, a word. */
const forms = regex('u')`\b[A-Z]\w*(?:Error|Exception)\b(?:\s?\[[\w-]+\])?\s?:\s*\S|^\s*(?:[a-z_]\w*\.)+[A-Z]\w+: \S|\b[Ee]rror near\b|
  \([A-Z]\w*(?:Error|Exception)\)|\b(?:[Ee]rror|ERROR|ERR|[Ff]atal|FATAL|[Pp]anic|CRITICAL|[Ff]ehler)\b(?:\s?\[?[A-Z]*\d+\]?)?\s?:\s*\S|
  \berror (?:TS|E|C|CS|MSB)\d+|\bE(?:NOENT|ACCES|PERM|CONN\w+|ADDR\w+|EXIST|PIPE|TIMEDOUT|RESOLVE|BUSY|INVAL|MFILE|NOTEMPTY|NOTFOUND|
  AI_\w+)\b|\bERR_\w+|^\s*(?:npm )?ERR!|\bFATAL\b|\bpanicked at\b`
const phrases = regex('iu')`\b(?:cannot|can't|can’t|could not|couldn't|unable to|permission denied|access denied|not found|no such|
  refused|timed? ?out|undefined (?:reference|is not|method|local|variable|name|symbol)|is not (?:a function|defined|recognized|
  assignable|iterable)|unexpected|failed to|does not exist|doesn't exist|already exists|invalid|conflict|violat\w+|
  assert(?:ion)? ?(?:failed|error)|expected .{1,80}(?:got|received|to (?:be|equal|have))|command not found|segmentation fault|
  out of memory|rejected|forbidden|unauthori[sz]ed|mismatch|missing|exceeded|deadlock|overflow|too (?:many|large|long)|5\d\d (?:internal|
  bad|service|gateway)|4\d\d (?:bad|un|forb|not|too|conf))\b`
const word = /\b(?:failed|failure|failing|FAIL|FAILED|fails)\b|[✗✖✘×] /u
const harmless = regex('u')`\b(?:0|no|zero|without) (?:errors?|failures?|failed|problems?|warnings?)\b|\bfail(?:ed|ures?)?[:=]? ?0\b|
  \berrors?[:=] ?0\b|A complete log of this run|^\s*at\s.+[:(]\d+|^\s*File ".+", line \d+|^\s*\^+\s*$|^\s*(?:import|from|const|let|var|
  def|class|function|return|if|throw|raise|catch|except|\/\/|#|\*)\s`

/** A tool's own report on a command, beside the command's output. */
const bookkeeping = /^\s*\[?\w*(?:exit|code|status|duration|time|signal|truncated)[\w ]*[:=]? ?\S*$/iu

/** Longer lines are data. */
const maxLine = 2_000
const maxLines = 400

/** Rates how surely a line is an error: 3 by its form, 2 by a phrase, 1 by a word, 0 not at all. */
export function errorScore(line: string): number {
  if (line.length > maxLine || harmless.test(line)) return 0
  return forms.test(line) ? 3 : phrases.test(line) ? 2 : word.test(line) ? 1 : 0
}

/** Returns the lines of an answer that tell the error: at most so many, the clearest first. */
export function errorLines(text: string, least: number, most: number): string[] {
  const lines = text.split('\n')
  const read = lines.length <= maxLines ? lines : [...lines.slice(0, maxLines / 2), ...lines.slice(-maxLines / 2)]
  const scored = read.map((line) => ({ line: shortened(line), score: errorScore(line) }))
  const telling = scored.filter(({ score, line }) => score >= least && line !== '').toSorted((a, b) => b.score - a.score)
  const groups = Map.groupBy(telling, ({ line }) => errorKey(line))
  return [...groups.values()].flatMap(([first]) => first?.line ?? []).slice(0, most)
}

/** Returns the last line that says anything, for a command that failed without an error message. */
export function lastLine(text: string): string | undefined {
  const lines = text.trimEnd().split('\n')
  const line = lines.findLast((line) => /[\p{L}\p{N}]/u.test(line) && !bookkeeping.test(line))
  return line === undefined ? undefined : shortened(line)
}

const failedCommand = regex('imu')`\bexit(?:ed)?(?: with)?(?: non-zero)?(?:[ _]?code|[ _]?status)?[: ]{0,3}(?!0\b)\d{1,3}\b|
  \breturn(?:ed)? code:? (?!0\b)\d|\bcommand failed\b|^Traceback \(most recent|^\S{0,40}: command not found|\bSegmentation fault\b|
  ^(?:BUILD |TESTS? )?FAILED\b|^FAILURE\b`

/** Tells whether a command says that it failed. */
export function saysFailed(output: string): boolean {
  return failedCommand.test(output)
}

/** Times, addresses, places in a file, durations. */
const varying = /\d{4}-\d\d-\d\d[t ]\d\d:\d\d\S*|\b\d\d:\d\d:\d\d\S*|\b0x[0-9a-f]+\b|:\d+(?::\d+)?\b|\(\d+,\d+\)|\b\d+(?:\.\d+)? ?m?s\b/gu

/** Returns the key of an error, the same on two days: the line without times, durations, addresses and places in a file. */
export function errorKey(line: string): string {
  const steady = line.toLowerCase().replaceAll(varying, '#')
  return steady.replaceAll(/[\s`'"]+/gu, ' ').trim()
}

function shortened(line: string): string {
  const clean = asOneLine(line.slice(0, maxLine))
  const place = Math.max(0, clean.search(forms))
  return cutAround(clean, place, maxQuoted)
}
