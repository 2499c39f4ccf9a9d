/** The start and the end of a kind of markup block. Without `ends`, a blank line ends it. CommonMark 0.31, 4.6. */
interface HtmlKind {
  readonly begins: RegExp
  readonly ends?: RegExp
  /** True when it may not follow a paragraph directly. */
  readonly needsRoom?: true
}

const blockTags = [
  'address',
  'article',
  'aside',
  'base',
  'basefont',
  'blockquote',
  'body',
  'caption',
  'center',
  'col',
  'colgroup',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'frame',
  'frameset',
  'h[1-6]',
  'head',
  'header',
  'hr',
  'html',
  'iframe',
  'legend',
  'li',
  'link',
  'main',
  'menu',
  'menuitem',
  'nav',
  'noframes',
  'ol',
  'optgroup',
  'option',
  'p',
  'param',
  'search',
  'section',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'title',
  'tr',
  'track',
  'ul',
]

const attribute = String.raw` +[a-z_:][a-z0-9:._-]*(?: *= *(?:[^"'=<>\x60\s]+|'[^']*'|"[^"]*"))?`

const kinds: readonly HtmlKind[] = [
  { begins: /^<(?:script|pre|style|textarea)(?: |>|$)/i, ends: /<\/(?:script|pre|style|textarea)>/i },
  { begins: /^<!--/, ends: /-->/ },
  { begins: /^<\?/, ends: /\?>/ },
  { begins: /^<![a-z]/i, ends: />/ },
  { begins: /^<!\[CDATA\[/, ends: /\]\]>/ },
  { begins: new RegExp(`^</?(?:${blockTags.join('|')})(?: |/?>|$)`, 'i') },
  { begins: new RegExp(`^(?:<[a-z][a-z0-9-]*(?:${attribute})* */?>|</[a-z][a-z0-9-]* *>) *$`, 'i'), needsRoom: true },
]

/**
 * Tells how a block of markup ends that a line begins: at a line that matches `ends`, or at a blank one. Returns
 * undefined when the line begins no block.
 */
export function htmlBegun(line: string, isInParagraph: boolean): { readonly ends: RegExp | undefined } | undefined {
  const kind = line.startsWith('<') ? kinds.find(({ begins }) => begins.test(line)) : undefined
  return kind === undefined || (kind.needsRoom === true && isInParagraph) ? undefined : { ends: kind.ends }
}
