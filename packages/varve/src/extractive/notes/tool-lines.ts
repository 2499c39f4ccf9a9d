import { idsIn, pathsNamed, strongAnchors } from './anchors.ts'
import { errorLines, lastLine, saysFailed } from './error-lines.ts'
import type { NotesLine } from './lines.ts'
import { commandOf, pathsIn, type ToolStep } from './steps.ts'
import { cutAround, asCode, asOneLine } from './wording.ts'
import { regex } from '../word-lists.ts'

const maxCommand = 200
/** Before its error, a command only has to be recognised. */
const maxBriefCommand = 48
const maxErrors = 3
const maxHead = 2
const maxResults = 2
/** The longest line of an outcome that is read, and how much of it is shown. */
const maxResult = 1_000
const maxShown = 160
/** A longer answer of a tool that is not known is data, and no outcome. */
const maxOutcome = 4_000

const summary = regex('iu')`\b\d+ (?:tests? |specs? |checks? |examples? )?(?:passed|passing|failed|failing|pending|skipped)\b|
  \bTests?:\s+\d|\b\d+ failures?\b|\bcoverage\b.{0,30}\d+ ?%|\bok \(\d+|\b0 errors?\b`
const outcome = regex('iu')`^\[[\w./-]+ [0-9a-f]{7,40}\]|\b(?:created|opened|merged|published|deployed|pushed|tagged|released|closed|
  queued|started|scheduled|listening|assigned|released|version|digest|id|url|image|revision|deployment)\b`

/** Returns the lines that a use of a tool leaves in the notes: files, the command with its outcome, errors, new ids. */
export function toolLines(step: ToolStep): NotesLine[] {
  const called = step.doing === 'ran' ? commandOf(step.input) : undefined
  const command = called === undefined || asOneLine(called.split('\n')[0] ?? '') === '' ? undefined : called
  const problems = problemsOf(step)
  const about = command === undefined ? aboutOf(step) : cutAround(asOneLine(command.split('\n')[0] ?? ''), 0, maxBriefCommand)
  const line = (kind: NotesLine['kind'], text: string): NotesLine => ({ kind, text, from: step.from })
  return [
    ...filesOf(step).map((text) => line('files', text)),
    ...(command === undefined ? [] : [line('commands', `- ${asCode(shownCommand(command))}${outcomeOf(step, problems.length > 0)}`)]),
    ...problems.map((problem) => line('errors', `- ${asCode(about)}: ${asCode(problem)}`)),
    ...(problems.length > 0 ? [] : resultsOf(step).map((result) => line('results', `- ${asCode(about)}: ${asCode(result)}`))),
  ]
}

function shownCommand(command: string): string {
  const [first = '', ...more] = command.split('\n')
  const shown = cutAround(asOneLine(first), 0, maxCommand)
  return more.some((line) => line.trim() !== '') && !shown.endsWith('…') ? `${shown} …` : shown
}

function outcomeOf({ output, isError }: ToolStep, hasProblems: boolean): string {
  if (isError || saysFailed(output) || hasProblems) return ': failed'
  const told = output.split('\n').findLast((line) => line.length < 200 && summary.test(line))
  return told === undefined ? '' : `: ${asCode(told)}`
}

/** Returns the thing that a tool was used on, where it is no command. */
function aboutOf({ tool, input }: ToolStep): string {
  const [path] = pathsIn(input)
  return path === undefined ? asOneLine(tool).slice(0, maxBriefCommand).trim() || 'tool' : (path.split(/[/\\]/u).at(-1) ?? path)
}

function filesOf(step: ToolStep): string[] {
  const did = step.doing === 'edited' ? ': edited' : step.doing === 'wrote' ? ': written' : ''
  if (step.isError || step.doing === 'searched') return []
  // A host that keeps no calls names the file at the beginning of the answer.
  const told = Object.keys(step.input).length > 0 ? [] : pathsNamed(step.output.split('\n', maxHead).join('\n').slice(0, maxOutcome))
  const named = told.slice(0, maxHead).map((path) => `- ${asCode(path)}: named`)
  return [...pathsIn(step.input).map((path) => `- ${asCode(path)}${did}`), ...named]
}

function problemsOf(step: ToolStep): string[] {
  const { output, isError, doing } = step
  const isOpen = doing === 'ran' || (doing === 'other' && output.length < maxOutcome)
  if (!isError && !(isOpen && saysFailed(output))) return isOpen ? errorLines(output, 3, maxErrors) : []
  const found = errorLines(output, 1, maxErrors)
  const said = found.length > 0 ? undefined : lastLine(output)
  return said === undefined ? found : [said]
}

/** Returns the lines of an answer that hold an id and tell an outcome. There are none for a tool that reads or searches. */
function resultsOf({ output, doing }: ToolStep): string[] {
  if (doing !== 'ran' && (doing !== 'other' || output.length > maxOutcome)) return []
  const lines = output.split('\n').filter((line) => line.length < maxResult)
  const telling = lines.filter((line) => outcome.test(line) && strongAnchors(line).length > 0)
  const withIds = lines.filter((line) => idsIn(line).length > 0)
  return (telling.length > 0 ? telling : withIds.length <= maxResults ? withIds : []).slice(0, maxResults).map((line) => {
    const clean = asOneLine(line)
    return cutAround(clean, strongAnchors(clean)[0] ?? 0, maxShown)
  })
}
