// Draws docs/start.svg, the picture in the README: parts of a real run of `npm start`, as a terminal of 80 columns shows
// them. `npm run picture` runs it in a folder of its own. Times and scores are those of that run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const root = dirname(import.meta.dirname)

/** The parts of the output that are shown: each from its heading on, with as many of its lines as fit. */
const parts: readonly { readonly from: RegExp; readonly lines: number }[] = [
  { from: /^Import examples\/ferry-kiosk/, lines: 2 },
  { from: /^Read the conversations/, lines: 3 },
  { from: /^ {2}An earlier fact, and the fact that replaced it/, lines: 8 },
  { from: /^Recall "What is Jule allergic to\?"/, lines: 9 },
  { from: /^Context for /, lines: 11 },
]

interface Style {
  readonly colour: string
  readonly bold: boolean
}

interface Run extends Style {
  readonly text: string
  /** The column where it begins. */
  readonly column: number
}

/** The codes of styles, as a terminal reads them. */
const escape = '\u001b'
const codes = new RegExp(String.raw`${escape}\[([\d;]*)m`)

const plain: Style = { colour: '#d6deeb', bold: false }

/** The styles of the codes that the program writes. */
const styles: Readonly<Record<string, (style: Style) => Style>> = {
  '1': (style) => ({ ...style, bold: true }),
  '2': (style) => ({ ...style, colour: '#7f8c98' }),
  '22': (style) => ({ colour: style.colour === '#7f8c98' ? plain.colour : style.colour, bold: false }),
  '31': (style) => ({ ...style, colour: '#ff7b72' }),
  '32': (style) => ({ ...style, colour: '#7ee787' }),
  '36': (style) => ({ ...style, colour: '#79c0ff' }),
  '39': (style) => ({ ...style, colour: plain.colour }),
}

const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const cell = { width: 8.4, height: 19 }
const margin = { left: 18, top: 46, bottom: 14 }
const columns = 80

function refuse(why: string): never {
  console.error(why)
  process.exit(1)
}

/** Runs the program on a new store, and gives its coloured lines. */
function runStart(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'varve-picture-'))
  try {
    const out = execFileSync(process.execPath, [join(root, 'packages/varve/src/cli/start.ts')], {
      ...{ cwd: folder, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
      env: { PATH: process.env['PATH'], HOME: folder, FORCE_COLOR: '1' },
    })
    // The run is in a folder of its own; `npm start` runs at the root.
    return out.replaceAll(`${relative(folder, root)}/`, '').split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Splits a line into runs of one style. */
function runsOf(line: string): Run[] {
  const runs: Run[] = []
  let style = plain
  let column = 0
  for (const [place, piece] of line.split(codes).entries()) {
    if (place % 2 === 1) for (const code of piece.split(';')) style = styles[code]?.(style) ?? style
    else if (piece !== '') {
      runs.push({ ...style, text: piece, column })
      column += piece.length
    }
  }
  return runs
}

/** Gives the shown lines. An ellipsis stands where lines of a part are left out. */
function shownLines(lines: readonly string[]): string[] {
  const bare = lines.map((line) =>
    runsOf(line)
      .map(({ text }) => text)
      .join(''),
  )
  return parts.flatMap(({ from, lines: most }, place) => {
    const begin = bare.findIndex((line) => from.test(line))
    if (begin === -1) refuse(`npm start printed no line like ${from}.`)
    const next = bare.findIndex((line, at) => at > begin && /^\S/.test(line))
    const part = lines.slice(begin, Math.min(begin + most, next))
    const isCut = bare.slice(begin + most, next).some((line) => line.trim() !== '')
    return [...(place === 0 ? [] : ['']), ...part, ...(isCut ? [`  ${escape}[2m…${escape}[22m`] : [])]
  })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Draws a run. Its length is given, so that columns stand below each other in any font. */
function drawRun({ text, column, colour, bold }: Run, row: number): string {
  const words = text.trimStart()
  if (words.trim() === '') return ''
  const x = (margin.left + (column + text.length - words.length) * cell.width).toFixed(1)
  const length = (words.trimEnd().length * cell.width).toFixed(1)
  const weight = bold ? ' font-weight="bold"' : ''
  const fill = colour === plain.colour ? '' : ` fill="${colour}"`
  const y = margin.top + row * cell.height
  return `<text x="${x}" y="${y}" textLength="${length}"${fill}${weight}>${escaped(words.trimEnd())}</text>`
}

function draw(lines: readonly string[]): string {
  const width = Math.ceil(margin.left * 2 + columns * cell.width)
  const height = margin.top + lines.length * cell.height + margin.bottom
  const rows = lines.map((line, row) =>
    runsOf(line)
      .map((run) => drawRun(run, row))
      .join(''),
  )
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map((fill, place) => `<circle cx="${20 + place * 18}" cy="17" r="5.5" fill="${fill}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>Parts of what npm start prints: an import, a fact and the fact before it, a recall with its reasons, a context</title>
<rect width="${width}" height="${height}" rx="9" fill="#0f1720"/>
${dots.join('')}
<g font-family="${fonts}" font-size="14" fill="${plain.colour}" xml:space="preserve">
<text x="${width / 2}" y="22" text-anchor="middle" font-size="13" fill="#7f8c98">npm start</text>
${rows.filter((row) => row !== '').join('\n')}
</g>
</svg>
`
}

const printed = runStart()
if (printed.some((line) => line.includes('left for varve upkeep')))
  refuse('The machine was busy, and npm start left some of its work: run it again.')
writeFileSync(join(root, 'docs', 'start.svg'), draw(shownLines(printed)))
console.log('docs/start.svg is drawn.')
