/** Tells whether an instruction ends an earlier one. */
export function endsInstruction(later: string, earlier: string): boolean {
  return folded(later) === folded(earlier)
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
