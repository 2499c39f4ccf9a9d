/** Makes an aligned table: the first column to the left, the others to the right where they hold numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const toRight = head.map((_title, column) => column > 0 && rows.every((row) => isNumeric(row[column] ?? '')))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (toRight[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

function isNumeric(cell: string): boolean {
  return cell === '' || /^[-+<>=≤≥.\d]/.test(cell)
}

/** Formats a number with a sensible number of digits: 12,345 · 123 · 12.3 · 1.23 · 0.123. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-'
  const size = Math.abs(value)
  if (size >= 1_000) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

/** Formats a share as .123, or 1.000 for a whole. */
export function share(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3).replace(/^0\./, '.')
}
