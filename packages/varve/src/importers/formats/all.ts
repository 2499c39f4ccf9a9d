/** A format of files that can be imported. */
interface FormatRecord {
  /** Its name in prose: the README and the reference name it too. */
  readonly title: string
  /** Its files, for the help and for the error about an unknown file. */
  readonly files: string
  /** True where each line of the file is an object. Else the file is a list of objects, or objects one after the other. */
  readonly isLines: boolean
  /** Tells whether an object is of this format by its top-level keys. It is asked again after each key. */
  isTold(keys: ReadonlySet<string>): boolean
}

/** A format's name, as an option gives it. */
export type ImportFormat = 'chatgpt' | 'claude' | 'claude-code' | 'jsonl' | 'locomo'

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
  jsonl: {
    title: 'JSONL',
    files: 'JSONL with a role and a content in each line',
    isLines: true,
    isTold: (keys) => keys.has('role') && keys.has('content'),
  },
  'claude-code': {
    title: 'Claude Code',
    files: 'transcripts of Claude Code (the .jsonl of a session)',
    isLines: true,
    isTold: (keys) =>
      (keys.has('parentUuid') && (keys.has('sessionId') || keys.has('message'))) || (keys.has('leafUuid') && keys.has('summary')),
  },
}

const isFormat = (name: string): name is ImportFormat => Object.hasOwn(formats, name)

const asked: readonly ImportFormat[] = Object.keys(formats).filter(isFormat)

/** The formats that can be read, by name. */
export const importFormats: readonly ImportFormat[] = asked.toSorted()

/** The titles of the formats. */
export const formatTitles: readonly string[] = importFormats.map((name) => formats[name].title)

/** The files of all formats, as a list in a sentence. */
export const importedFiles = importFormats.map((name) => formats[name].files).join('; ')

/** Tells the format of an object by its keys; undefined while they do not tell. `inLines`: in a file of lines. */
export function formatOf(keys: ReadonlySet<string>, inLines: boolean): ImportFormat | undefined {
  return asked.find((name) => (formats[name].isLines || !inLines) && formats[name].isTold(keys))
}
