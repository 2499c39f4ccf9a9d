import type { NotesHeading } from './template.ts'

/** Makes the page with which every session's notes begin: headings, each with its guidance below it. */
export function templatePage({ template }: { readonly template: readonly NotesHeading[] }): string {
  return `${template.map(sectionHead).join('\n\n')}\n`
}

/** Gives the lines with which a section begins. */
export function sectionHead({ heading, guidance }: NotesHeading): string {
  return guidance === '' ? `# ${heading}` : `# ${heading}\n${guidanceLine(guidance)}`
}

/** Sets guidance in italics, so that a reader tells it from notes. */
export function guidanceLine(guidance: string): string {
  return `_${guidance}_`
}
