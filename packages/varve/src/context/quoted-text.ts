import { defusedLine, defusedLines } from '../messages/defused.ts'
import { shownName } from '../messages/shown-name.ts'
import { notedHeading, renderedTiers, tiers } from './tiers.ts'

/** Puts a title in one line. */
export function contextLine(text: string): string {
  return defusedLine(text)
}

const headings: ReadonlySet<string> = new Set([...renderedTiers.map((tier) => tiers[tier].heading), notedHeading])

/** Shows a name before a text. No name passes for another speaker's line, nor for a heading of the context. */
export function contextName(name: string, role?: string): string {
  const shown = shownName(name, role)
  return headings.has(`${shown}:`) || /^(?:About|By all) /.test(shown) ? `"${shown}"` : shown
}

/**
 * Quotes remembered text as data. Nothing in it is a fence, a token or unseen. Its lines are indented, so that none
 * reads as an item of its own.
 */
export function contextText(text: string): string {
  return defusedLines(text, '  ')
}
