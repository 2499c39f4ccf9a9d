/** The parts of a template by name. A part may name other parts. */
export type TemplateParts = Readonly<Record<string, string>>

/** The name of a part in a template: `{verb}`, but not `\p{L}`. */
const reference = /(?<!\\p)\{([a-z]+)\}/giu

/**
 * Makes expressions of templates. A template is the source of an expression at the beginning of a text, in upper or lower case,
 * in which `{verb}` stands for the part of that name.
 *
 * @example expressionsOf(['{always} {verb}\\b'], { always: '(?:always|never)', verb: '(?:use|show)' })
 */
export function expressionsOf(templates: readonly string[], parts: TemplateParts): RegExp[] {
  return templates.map((template) => new RegExp(`^(?:${expanded(template, parts)})`, 'iu'))
}

/** Returns a template with its parts, and their parts, put in. */
export function expanded(template: string, parts: TemplateParts): string {
  return template.replaceAll(reference, (_, name: string) => expanded(partOf(parts, name), parts))
}

function partOf(parts: TemplateParts, name: string): string {
  const part = parts[name]
  if (part === undefined) throw new RangeError(`no part is named ${name}: use one of ${Object.keys(parts).join(', ')}`)
  return part
}
