import { spacedWords } from '../word-lists.ts'
import type { NotedMessage } from '../../models/notes-writer.ts'
import { readable, type ToolEvent, toolEvents } from './tool-parts.ts'

/** The kind of a tool's work, judged by its name. */
export type Doing = 'ran' | 'edited' | 'wrote' | 'read' | 'searched' | 'other'

/** One use of a tool: the call with its answer, as far as they are there. */
export interface ToolStep {
  readonly seq: number
  readonly tool: string
  readonly doing: Doing
  readonly input: Readonly<Record<string, unknown>>
  readonly output: string
  readonly isError: boolean
  /** The seqs of the call and of the answer. */
  readonly from: readonly number[]
}

const doings: readonly (readonly [Doing, RegExp])[] = [
  ['searched', /grep|glob|search|find|^ls$|list|fetch|browse/i],
  ['ran', /bash|shell|terminal|exec|command|^run|console|powershell/i],
  ['edited', /edit|replace|patch|update|insert|modify/i],
  ['wrote', /write|^create$|create.?file|save/i],
  ['read', /read|view|open|^cat$|get.?file/i],
]

/** Returns the uses of tools in a run of messages, in the order of their calls. */
export function stepsIn(messages: readonly NotedMessage[]): ToolStep[] {
  const steps: ToolStep[] = []
  const waiting = new Map<string, number>()
  for (const message of messages) {
    for (const event of eventsOf(message)) {
      const place = event.input === undefined && event.id !== undefined ? waiting.get(event.id) : undefined
      const call = place === undefined ? undefined : steps[place]
      if (call !== undefined && place !== undefined)
        steps[place] = { ...call, output: event.output ?? '', isError: event.isError, from: [...new Set([...call.from, message.seq])] }
      else {
        if (event.id !== undefined) waiting.set(event.id, steps.length)
        steps.push(stepOf(event, message.seq))
      }
    }
  }
  return steps
}

function eventsOf({ role, name, text, parts }: NotedMessage): ToolEvent[] {
  if (parts !== undefined && parts.length > 0) return toolEvents(parts)
  if (role !== 'tool') return []
  const output = readable(text)
  const [whole = '', command] = prompt.exec(output) ?? []
  const called = command === undefined ? { tool: name, input: undefined } : { tool: name ?? 'shell', input: { command } }
  return [{ id: undefined, ...called, output: output.slice(whole.length), isError: false }]
}

/** A command as a terminal shows it, before its output. */
const prompt = /^\s{0,4}\$ (\S[^\n]{0,500})\n?/u

function stepOf({ tool = 'tool', input = {}, output = '', isError }: ToolEvent, seq: number): ToolStep {
  const named = doings.find(([, pattern]) => pattern.test(tool))?.[0] ?? 'other'
  // An editor with several commands (`view`, `create`, `str_replace`) names the command in its input.
  const editing = (pattern: RegExp): boolean => pattern.test(String(input['command'] ?? '')) && pathsIn(input).length > 0
  const edited = commandOf(input) === undefined ? doings.slice(2).find(([, pattern]) => editing(pattern))?.[0] : undefined
  const doing = edited ?? (named === 'other' && commandOf(input) !== undefined ? 'ran' : named)
  return { seq, tool, doing, input, output, isError, from: [seq] }
}

/** Returns the command that a tool was called with. */
export function commandOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const given = input['command'] ?? input['cmd'] ?? input['script']
  if (pathsIn(input).length > 0 && typeof given === 'string' && /^\w+$/.test(given)) return undefined
  if (typeof given === 'string' && given.trim() !== '') return given.trim()
  if (!Array.isArray(given) || !given.every((word) => typeof word === 'string')) return undefined
  return (/^-\w*c$/.test(given[1] ?? '') ? given.slice(2) : given).join(' ').trim() || undefined
}

const pathNames = spacedWords('file_path filePath path file filename notebook_path target_file relative_path absolute_path uri')
const patched = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/)(\S[^\n]{0,300})$/gmu
const maxPatch = 100_000

/** Returns the files that a tool was called with: by its fields, or in the patch that it applies. */
export function pathsIn(input: Readonly<Record<string, unknown>>): string[] {
  const lists: readonly unknown[] = [input['paths'], input['files'], input['file_paths']]
  const listed = lists.flatMap((list): unknown[] => (Array.isArray(list) ? list.slice(0, 50) : []))
  const named = [...pathNames.map((name) => input[name]), ...listed].filter((value) => typeof value === 'string').map((path) => path.trim())
  const patch = [input['patch'], input['input'], input['diff']].find((value) => typeof value === 'string') ?? ''
  const inPatch = Array.from(patch.slice(0, maxPatch).matchAll(patched), ([, path = '']) => path.trim())
  return [...new Set([...named, ...inPatch])].filter((path) => /^[^\s][^\n]{0,300}$/u.test(path) && /[./\\]/u.test(path) && path !== '.')
}
