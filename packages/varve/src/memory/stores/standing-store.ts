import { StandingFile } from '../../storage/sqlite/standing-file.ts'

/** Notes the file of a store that is open. The answer tells whether the path has that file still. */
export function standingStore(file: string): () => boolean {
  const standing = new StandingFile(file)
  return () => standing.stands()
}
