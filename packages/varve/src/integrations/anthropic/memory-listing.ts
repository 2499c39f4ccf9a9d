import type { ListedFile, MemoryFolder } from './memory-folder.ts'
import { shownSize } from './memory-text.ts'

/** The size of a folder, as most file systems tell it. */
const folderSize = '4K'
const deepest = 2
/** The most sizes that are asked for at a time. */
const abreast = 8

/** A folder's content: files, and the folders in it, by their names. */
type Tree = Map<string, ListedFile | Tree>

/** Lists a folder and what is up to two levels deep in it, as Anthropic's own tool does. `shown` is the path as it was given. */
export async function folderListing(folder: MemoryFolder, path: string, shown: string, files: readonly ListedFile[]): Promise<string> {
  const rows = rowsOf(treeOf(path, files), shown, 1)
  const sizes: (string | undefined)[] = []
  for (let at = 0; at < rows.length; at += abreast)
    sizes.push(...(await Promise.all(rows.slice(at, at + abreast).map(({ file }) => sizeOf(folder, file)))))
  const lines = rows.flatMap(({ line }, at) => (sizes[at] === undefined ? [] : [`${sizes[at]}\t${line}`]))
  const head = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`
  return [head, `${folderSize}\t${shown}`, ...lines].join('\n')
}

async function sizeOf(folder: MemoryFolder, file: ListedFile | undefined): Promise<string | undefined> {
  if (file === undefined) return folderSize
  const bytes = await folder.sizeOf(file)
  return bytes === undefined ? undefined : shownSize(bytes)
}

function treeOf(path: string, files: readonly ListedFile[]): Tree {
  const root: Tree = new Map()
  for (const file of files) {
    const names = file.path.slice(path.length + 1).split('/')
    const last = names.pop() ?? ''
    let tree = root
    for (const name of names) {
      const next = tree.get(name)
      const inner: Tree = next instanceof Map ? next : new Map()
      tree.set(name, inner)
      tree = inner
    }
    if (!tree.has(last)) tree.set(last, file)
  }
  return root
}

interface Row {
  readonly line: string
  /** Absent for a folder. */
  readonly file: ListedFile | undefined
}

function rowsOf(tree: Tree, above: string, depth: number): readonly Row[] {
  const names = [...tree.keys()].filter((name) => !name.startsWith('.') && name !== 'node_modules').sort()
  return names.flatMap((name): readonly Row[] => {
    const found = tree.get(name)
    const line = `${above}/${name}`
    if (!(found instanceof Map)) return [{ line, file: found }]
    return [{ line: `${line}/`, file: undefined }, ...(depth < deepest ? rowsOf(found, line, depth + 1) : [])]
  })
}
