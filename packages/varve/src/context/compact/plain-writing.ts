import type { NotesWriting } from './notes-writing.ts'
import { spokenText, type Turn } from './turn.ts'

const heading = '# Worklog'
const longestLine = 200

/** The first line of what each message says, a bullet each; the oldest go first. */
export const plainWriting: NotesWriting = {
  extract(page, going) {
    const before = page === '' ? [heading] : page.split('\n')
    const standing = new Set(before)
    const lines = going.flatMap(({ turn }) => lineOf(turn)).filter((line) => !standing.has(line))
    return lines.length === 0 ? page : [...before, ...new Set(lines)].join('\n')
  },
  fit(page, maxTokens, count) {
    const lines = page.split('\n')
    let left = maxTokens
    let from = lines.length
    const head = lines[0]?.startsWith('#') === true ? [lines[0]] : []
    left -= head.reduce((sum, line) => sum + count(line) + 1, 0)
    while (from > head.length) {
      left -= count(lines[from - 1] ?? '') + 1
      if (left < 0) break
      from -= 1
    }
    const kept = lines.slice(from)
    return kept.length === 0 ? '' : [...head, ...kept].join('\n')
  },
}

function lineOf(turn: Turn): string[] {
  const calls = turn.pieces.flatMap((piece) => (piece.kind === 'call' && piece.name !== '' ? [`${piece.name}(${piece.input})`] : []))
  const said = turn.role === 'tool' ? '' : spokenText(turn)
  const line = [said, ...calls].join(' ').replace(/\s+/g, ' ').trim()
  return line === '' ? [] : [`- ${turn.role}: ${line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line}`]
}
