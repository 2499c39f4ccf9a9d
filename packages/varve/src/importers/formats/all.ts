/** A format of files that can be imported. */
interface FormatRecord {
  /** Its name in prose: the README and the reference name it too. */
  readonly title: string
  /** Its files, for the help and for the error about an unknown file. */
  readonly files: string
  /** True where each line of the file is an object. Else the file is a list of objects, or objects one after the other. */
  readonly isLines: boolean
  /**
   * Tells whether an object is of this format by its top-level keys. It is asked again after each key. Beside the keys
   * stand `type=human` for a field `type` that is this text, and `data.content` for a key of an object within.
   */
  isTold(keys: ReadonlySet<string>): boolean
  /** Tells the same once all keys are known, where a further key may say that it is another format. */
  isToldByAll?(keys: ReadonlySet<string>): boolean
  /** Tells whether a file is of this format by an object within its first objects, where no object itself told. */
  isToldWithin?(keys: ReadonlySet<string>): boolean
}

/** A format's name, as an option gives it. */
export type ImportFormat =
  | 'chatgpt'
  | 'claude'
  | 'claude-code'
  | 'jsonl'
  | 'langchain'
  | 'locomo'
  | 'mem0'
  | 'mem0-history'
  | 'openai-agents'
  | 'server-memory'

const hasAll = (keys: ReadonlySet<string>, ...wanted: readonly string[]): boolean => wanted.every((key) => keys.has(key))
const hasSome = (keys: ReadonlySet<string>, ...wanted: readonly string[]): boolean => wanted.some((key) => keys.has(key))

/** Fields of a memory beside its id and text: of the library for Python and the platform, then of that for TypeScript. */
const memoryFields = [
  ...['hash', 'user_id', 'agent_id', 'run_id', 'app_id', 'actor_id', 'created_at', 'updated_at', 'categories', 'metadata', 'score'],
  ...['userId', 'agentId', 'runId', 'appId', 'createdAt', 'updatedAt', 'attributedTo'],
]

const isMemory = (keys: ReadonlySet<string>): boolean =>
  hasAll(keys, 'id', 'memory') && memoryFields.filter((field) => keys.has(field)).length >= 2

const storedTypes = ['ai', 'developer', 'function', 'generic', 'human', 'remove', 'system', 'tool', 'AIMessageChunk', 'HumanMessageChunk']
const isStoredMessage = (keys: ReadonlySet<string>): boolean =>
  (keys.has('data.content') && storedTypes.some((type) => keys.has(`type=${type}`))) ||
  hasAll(keys, 'lc', 'type=constructor', 'kwargs.content')

/** A message that holds its fields itself, as `model_dump` writes it. Words such as `system` and `tool` tell with another field only. */
const flatFields = ['additional_kwargs', 'response_metadata', 'tool_call_id', 'tool_calls', 'invalid_tool_calls']
const isFlatMessage = (keys: ReadonlySet<string>): boolean =>
  keys.has('content') &&
  (hasSome(keys, 'type=human', 'type=ai', 'type=HumanMessageChunk', 'type=AIMessageChunk') ||
    (storedTypes.some((type) => keys.has(`type=${type}`)) && hasSome(keys, ...flatFields)))

const isNode = (keys: ReadonlySet<string>): boolean => hasAll(keys, 'name', 'entityType', 'observations')
const isEdge = (keys: ReadonlySet<string>): boolean => hasAll(keys, 'from', 'to', 'relationType')

/** The keys of a message of the Agents SDK. One with a session or a time is no such message. */
const agentMessageKeys = new Set(['type', 'type=message', 'role', 'content', 'id', 'status', 'phase', 'providerData', 'provider_data'])

const isAgentItem = (keys: ReadonlySet<string>): boolean =>
  hasAll(keys, 'session_id', 'message_data') ||
  (hasSome(keys, 'type=function_call', 'type=function_call_result', 'type=function_call_output') && hasSome(keys, 'callId', 'call_id')) ||
  (hasAll(keys, 'type=message', 'role', 'content') && [...keys].every((key) => key.includes('.') || agentMessageKeys.has(key))) ||
  hasAll(keys, 'type=hosted_tool_call', 'id', 'name') ||
  (hasAll(keys, 'type=reasoning', 'id') && hasSome(keys, 'content', 'summary'))

/** The formats. A file is asked for each in this order. */
const formats: Readonly<Record<ImportFormat, FormatRecord>> = {
  chatgpt: {
    title: 'ChatGPT',
    files: 'ChatGPT exports (the zip, or its conversations.json)',
    isLines: false,
    isTold: (keys) => keys.has('mapping'),
  },
  claude: { title: 'Claude', files: 'Claude exports (the same)', isLines: false, isTold: (keys) => keys.has('chat_messages') },
  locomo: {
    title: 'LoCoMo',
    files: 'the LoCoMo file',
    isLines: false,
    isTold: (keys) => keys.has('conversation') && (keys.has('qa') || keys.has('sample_id')),
  },
  mem0: { title: 'mem0', files: 'memories of mem0 (the JSON that get_all gives)', isLines: true, isTold: isMemory, isToldWithin: isMemory },
  'mem0-history': { title: 'mem0', files: 'its history.db', isLines: false, isTold: () => false },
  langchain: {
    title: 'LangChain',
    files: 'messages of LangChain (JSON)',
    isLines: true,
    isTold: isStoredMessage,
    isToldByAll: (keys) => isFlatMessage(keys) && !keys.has('role'),
    isToldWithin: (keys) => isStoredMessage(keys) || isFlatMessage(keys),
  },
  'server-memory': {
    title: 'MCP server-memory',
    files: "the memory.jsonl of MCP's server-memory",
    isLines: true,
    isTold: (keys) => (keys.has('type=entity') && isNode(keys)) || (keys.has('type=relation') && isEdge(keys)),
    isToldWithin: (keys) => isNode(keys) || isEdge(keys),
  },
  jsonl: {
    title: 'JSONL',
    files: 'JSONL with a role and a content in each line',
    isLines: true,
    isTold: (keys) => keys.has('role') && keys.has('content'),
  },
  'claude-code': {
    title: 'Claude Code',
    files: 'transcripts of Claude Code (the .jsonl of a session, or a folder of them)',
    isLines: true,
    isTold: (keys) =>
      (keys.has('parentUuid') && (keys.has('sessionId') || keys.has('message'))) || (keys.has('leafUuid') && keys.has('summary')),
  },
  'openai-agents': {
    title: 'OpenAI Agents',
    files: 'items of the OpenAI Agents SDK (JSON or JSONL)',
    isLines: true,
    isTold: () => false,
    isToldByAll: isAgentItem,
    isToldWithin: (keys) =>
      (hasSome(keys, 'callId', 'call_id') && isAgentItem(keys)) ||
      (hasSome(keys, 'type=input_text', 'type=output_text') && keys.has('text')),
  },
}

const isFormat = (name: string): name is ImportFormat => Object.hasOwn(formats, name)

const asked: readonly ImportFormat[] = Object.keys(formats).filter(isFormat)

/** The formats that can be read, by name. */
export const importFormats: readonly ImportFormat[] = asked.toSorted()

/** The titles of the formats. */
export const formatTitles: readonly string[] = [...new Set(importFormats.map((name) => formats[name].title))]

/** The files of all formats, as a list in a sentence. */
export const importedFiles = importFormats.map((name) => formats[name].files).join('; ')

/** Tells the format of an object by its keys; undefined while they do not tell. `inLines`: in a file of lines. */
export function formatOf(keys: ReadonlySet<string>, inLines: boolean): ImportFormat | undefined {
  return asked.find((name) => (formats[name].isLines || !inLines) && formats[name].isTold(keys))
}

/** Tells the format of an object by all of its keys. */
export function formatOfAll(keys: ReadonlySet<string>): ImportFormat | undefined {
  return asked.find((name) => formats[name].isToldByAll?.(keys) === true)
}

/** Tells the format of a file by the keys of an object within another. */
export function formatWithin(keys: ReadonlySet<string>): ImportFormat | undefined {
  return asked.find((name) => formats[name].isToldWithin?.(keys) === true)
}
