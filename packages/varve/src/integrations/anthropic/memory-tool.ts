import { VarveError } from '../../errors/varve-error.ts'
import { defused } from '../../messages/defused.ts'
import { folderListing } from './memory-listing.ts'
import { MemoryFolder, type MemoryOfFiles } from './memory-folder.ts'
import { memoryRoot, pathWithin } from './memory-paths.ts'
import { MemoryToolRefusal } from './memory-refusal.ts'
import { insertedAt, linesInRange, replacedOnce } from './memory-text.ts'

export interface MemoryToolOptions {
  /** The name of the agent. It stands as the writer of each revision. Default `memory-tool`. */
  readonly writer?: string
  /** The session in which the agent writes: what it writes rests on that session's messages, and is forgotten with them. */
  readonly session?: string
  /** The longest wait for one call of the store. Default 10,000. */
  readonly deadlineMs?: number
}

type Range = readonly number[] | undefined

/** The handlers that `betaMemoryTool` of `@anthropic-ai/sdk` takes. Each answers, or throws, in the words of the SDK's own tool. */
export interface VarveMemoryTool {
  view(command: { readonly path: string; readonly view_range?: Range }): Promise<string>
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>
  str_replace(command: { readonly path: string; readonly old_str: string; readonly new_str: string }): Promise<string>
  insert(command: { readonly path: string; readonly insert_line: number; readonly insert_text: string }): Promise<string>
  delete(command: { readonly path: string }): Promise<string>
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>
}

/**
 * Makes Anthropic's memory tool (`memory_20250818`) over a user's documents: each file is a document, with its revisions.
 *
 * Calls run one after another, as the model made them. Another agent that changes the same file loses nothing.
 *
 * @example const tools = [betaMemoryTool(memoryTool(ada, { session: 'monday' }))]
 */
export function memoryTool(memory: MemoryOfFiles, options: MemoryToolOptions = {}): VarveMemoryTool {
  const { writer = 'memory-tool', session: during, deadlineMs = 10_000 } = options
  const folder = new MemoryFolder(memory, { writer, during, deadlineMs })
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = async (work: () => Promise<string>): Promise<string> => {
    const done = last.then(() => told(work))
    last = Promise.allSettled([done])
    return done
  }
  return {
    view: (command) => inOrder(() => view(folder, command)),
    create: (command) => inOrder(() => create(folder, command)),
    str_replace: (command) => inOrder(() => replace(folder, command)),
    insert: (command) => inOrder(() => insert(folder, command)),
    delete: (command) => inOrder(() => remove(folder, command)),
    rename: (command) => inOrder(() => rename(folder, command)),
  }
}

/** Answers in words that are safe to show. A failure of the store is told by its code, and the agent's run goes on. */
async function told(work: () => Promise<string>): Promise<string> {
  try {
    return defused((await work()).toWellFormed())
  } catch (error) {
    if (error instanceof MemoryToolRefusal) throw new MemoryToolRefusal(defused(error.message.toWellFormed()))
    if (!VarveError.is(error)) throw error
    const { code, message } = error
    const why = code === 'LIMIT_EXCEEDED' || code === 'OPTION_INVALID' ? message : `Memory cannot be used now (${code}). Go on without it.`
    throw new MemoryToolRefusal(defused(why), { cause: error })
  }
}

type Given<Command extends keyof VarveMemoryTool> = Parameters<VarveMemoryTool[Command]>[0]

async function view(folder: MemoryFolder, { path: given, view_range: range }: Given<'view'>): Promise<string> {
  const path = pathWithin(given, 'path')
  const file = await folder.read(path)
  if (file !== undefined) return `Here's the content of ${given} with line numbers:\n${linesInRange(file.content, range)}`
  const files = await folder.below(path)
  if (files.length === 0 && path !== memoryRoot) throw noPath(given)
  return folderListing(folder, path, given, files)
}

async function create(folder: MemoryFolder, { path: given, file_text: content }: Given<'create'>): Promise<string> {
  const path = pathWithin(given, 'path')
  const text = fileText(content, 'file_text')
  if (await isFolder(folder, path)) throw existing(given)
  await checkAbove(folder, path)
  if (!(await folder.make(path, text))) throw existing(given)
  return `File created successfully at: ${given}`
}

async function replace(folder: MemoryFolder, { path: given, old_str: old, new_str: text }: Given<'str_replace'>): Promise<string> {
  const path = await fileOf(folder, given)
  const [from, to] = [textGiven(old, 'old_str'), fileText(text, 'new_str')]
  let snippet = ''
  await folder.change(
    path,
    (content) => {
      const replaced = replacedOnce(given, content, from, to)
      snippet = replaced.snippet
      return replaced.content
    },
    () => refuse(noPath(given)),
  )
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`
}

async function insert(folder: MemoryFolder, { path: given, insert_line: line, insert_text: text }: Given<'insert'>): Promise<string> {
  const path = await fileOf(folder, given)
  const put = fileText(text, 'insert_text')
  await folder.change(
    path,
    (content) => insertedAt(content, line, put),
    () => refuse(noPath(given)),
  )
  return `The file ${given} has been edited.`
}

async function remove(folder: MemoryFolder, { path: given }: Given<'delete'>): Promise<string> {
  const path = pathWithin(given, 'path')
  if (path === memoryRoot) throw new MemoryToolRefusal(`Cannot delete the ${memoryRoot} directory itself`)
  let removed = await folder.remove(path)
  if (!removed) for (const file of await folder.below(path)) removed = (await folder.remove(file.path)) || removed
  if (!removed) throw gone(given)
  return `Successfully deleted ${given}`
}

async function rename(folder: MemoryFolder, { old_path: old, new_path: next }: Given<'rename'>): Promise<string> {
  const [from, to] = [pathWithin(old, 'old_path'), pathWithin(next, 'new_path')]
  const taken = (): never => refuse(new MemoryToolRefusal(`The destination ${next} already exists`))
  if (from === memoryRoot) throw new MemoryToolRefusal(`Cannot rename the ${memoryRoot} directory itself`)
  if ((await isFolder(folder, to)) || (await folder.read(to)) !== undefined) taken()
  await checkAbove(folder, to)
  const isFile = (await folder.read(from)) !== undefined
  const files = isFile ? [{ path: from }] : await folder.below(from)
  if (files.length === 0) throw gone(old)
  if (to.startsWith(`${from}/`)) throw new MemoryToolRefusal(`Cannot rename ${old} to ${next}: it cannot be within itself`)
  for (const { path } of files)
    await folder.move(path, `${to}${path.slice(from.length)}`, isFile ? () => refuse(gone(old)) : () => refuse(gone(path)), taken)
  return `Successfully renamed ${old} to ${next}`
}

async function isFolder(folder: MemoryFolder, path: string): Promise<boolean> {
  return path === memoryRoot || (await folder.below(path)).length > 0
}

/** Gives the path of a file to edit; refuses folders. */
async function fileOf(folder: MemoryFolder, given: string): Promise<string> {
  const path = pathWithin(given, 'path')
  if ((await folder.read(path)) !== undefined) return path
  throw (await isFolder(folder, path)) ? new MemoryToolRefusal(`The path ${given} is not a file.`) : noPath(given)
}

async function checkAbove(folder: MemoryFolder, path: string): Promise<void> {
  const above = await folder.fileAbove(path)
  if (above !== undefined) throw new MemoryToolRefusal(`The path ${above} is a file, not a directory`)
}

function textGiven(text: unknown, parameter: string): string {
  if (typeof text !== 'string') throw new MemoryToolRefusal(`Invalid \`${parameter}\` parameter: it must be a text.`)
  return text
}

/** Gives a text to store. Lone surrogates are no text: a file has U+FFFD for them. */
function fileText(text: unknown, parameter: string): string {
  const given = textGiven(text, parameter).toWellFormed()
  if (given.includes('\0')) throw new MemoryToolRefusal(`Invalid \`${parameter}\` parameter: it has a NUL character.`)
  return given
}

function refuse(refusal: MemoryToolRefusal): never {
  throw refusal
}

function noPath(path: string): MemoryToolRefusal {
  return new MemoryToolRefusal(`The path ${path} does not exist. Please provide a valid path.`)
}

function gone(path: string): MemoryToolRefusal {
  return new MemoryToolRefusal(`The path ${path} does not exist`)
}

function existing(path: string): MemoryToolRefusal {
  return new MemoryToolRefusal(`File ${path} already exists`)
}
