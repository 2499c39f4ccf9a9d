import type { MarkdownImportReport } from '../../importers/folder/import-markdown.ts'
import type { ImportReport } from '../../importers/importer.ts'
import { counted } from '../terminal.ts'

/** Shows the counts of an import: messages read, stored, left out and changed. */
export function reportLines(report: ImportReport, file: string, isDry: boolean): string[] {
  const { format, messages, sessions, stored, duplicates, forgotten, ms } = report
  const perSecond = ms === 0 ? '' : `, ${Math.round((messages / ms) * 1000).toLocaleString('en')} messages/s`
  return [
    `${file} (${format}): ${counted(messages, 'message')} in ${counted(sessions, 'session')}, ${(ms / 1000).toFixed(2)} s${perSecond}.`,
    `${stored.toLocaleString('en')} ${wasStored(isDry)}, ${duplicates.toLocaleString('en')} there already${forgottenBefore(forgotten)}.`,
    ...reasons('Left out', report.skipped, report.lines),
    ...reasons('Changed', report.repaired),
  ]
}

/** Shows the counts of an import of a folder. */
export function folderReportLines(report: MarkdownImportReport, folder: string, isDry: boolean): string[] {
  const { documents, stored, updated, unchanged, ms } = report
  return [
    `${folder} (markdown): ${counted(documents, 'document')}, ${(ms / 1000).toFixed(2)} s.`,
    `${stored.toLocaleString('en')} ${wasStored(isDry)}, ${updated.toLocaleString('en')} ${isDry ? 'to update' : 'updated'}, ` +
      `${unchanged.toLocaleString('en')} there already.`,
    ...reasons('Left out', report.skipped),
    ...reasons('Changed', report.repaired),
  ]
}

/** Names the first lines of a reason. */
function inLines(lines: readonly number[] = [], count: number): string {
  const [first] = lines
  if (first === undefined) return ''
  return ` (${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${lines.length < count ? ', …' : ''})`
}

function wasStored(isDry: boolean): string {
  return isDry ? 'to store' : 'stored'
}

function forgottenBefore(count: number): string {
  return count === 0 ? '' : `, ${count.toLocaleString('en')} forgotten before and left out (--restore-forgotten stores them)`
}

function reasons(heading: string, counts: Readonly<Record<string, number>>, lines: ImportReport['lines'] = {}): string[] {
  const places = new Map(Object.entries(lines))
  const parts = Object.entries(counts).map(
    ([reason, count]) => `${count.toLocaleString('en')} ${reason}${inLines(places.get(reason), count)}`,
  )
  return parts.length === 0 ? [] : [`${heading}: ${parts.join(', ')}.`]
}
