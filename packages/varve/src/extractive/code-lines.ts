const fence = /^\s*(?:```|~~~)/u

/**
 * Tells which lines are code: what stands between two fences, and the fences. A fence that is never closed holds code as
 * far as the next empty line, so that it hides no prose behind it.
 */
export function codeLines(lines: readonly string[]): readonly boolean[] {
  const isCode = lines.map(() => false)
  let open = -1
  for (const [at, line] of lines.entries()) {
    if (!fence.test(line)) continue
    if (open === -1) open = at
    else {
      isCode.fill(true, open, at + 1)
      open = -1
    }
  }
  if (open === -1) return isCode
  const end = lines.findIndex((line, at) => at > open && line.trim() === '')
  return isCode.fill(true, open, end === -1 ? lines.length : end)
}
