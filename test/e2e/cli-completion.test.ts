import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newHome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('completion')
const scripts = { bash: join(home, 'varve.bash'), zsh: join(home, 'varve.zsh'), fish: join(home, 'varve.fish') }

beforeAll(async () => {
  for (const [shell, file] of Object.entries(scripts)) {
    writeFileSync(file, (await typedHere(['completion', shell], { env: { HOME: home } })).stdout)
  }
  writeFileSync(join(home, 'talk.jsonl'), '')
  mkdirSync(join(home, 'talks'))
})

afterAll(() => {
  process.chdir('/')
  rmSync(home, { recursive: true })
})

/** What a shell offers for a line, whose last word is being typed. */
type Complete = (line: string) => string[]

/** Runs the completion function as readline does, in a bash without bash-completion. */
function inBash(line: string): string[] {
  const run = `
    source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); compopt() { printf '%s\\n' files; }
    _varve; printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['--norc', '-c', run, 'bash', scripts.bash, ...line.split(' ')], {
    encoding: 'utf8',
    cwd: home,
    env: {},
  })
  return out.split('\n').filter((word) => word !== '')
}

function inFish(line: string): string[] {
  const env = { HOME: home, PATH: process.env['PATH'] }
  const out = execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', scripts.fish, line], {
    ...{ encoding: 'utf8', cwd: home, env },
  })
  return out.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0] ?? '']))
}

/** Runs the completion function as zsh's widget does. What it hands over is printed in place of a menu. */
function inZsh(line: string): string[] {
  const run = `
    compdef() { :; }
    source "$1"; shift
    compadd() { shift; print -rl -- "$@"; }
    _describe() { local -a of=("\${(@P)2}"); print -rl -- "\${(@)of%%:*}"; }
    _files() { print files; }
    words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]
    _varve`
  const out = execFileSync('zsh', ['-f', '-c', run, 'zsh', scripts.zsh, ...line.split(' ')], { encoding: 'utf8', cwd: home, env: {} })
  // The widget itself leaves out what does not begin as the word does.
  const typed = line.split(' ').at(-1) ?? ''
  return out.split('\n').filter((word) => word !== '' && (word === 'files' || word.startsWith(typed)))
}

function has(shell: string): boolean {
  return existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`)
}

const shells: readonly (readonly [name: string, isThere: boolean, complete: Complete])[] = [
  ['bash', has('bash'), inBash],
  ['zsh', has('zsh'), inZsh],
  ['fish', has('fish'), inFish],
]

describe.each(shells)('in %s', (shell, isThere, complete) => {
  test.skipIf(!isThere)('completes commands, their commands, flags, values and files', () => {
    expect(complete('varve re').toSorted()).toEqual(['recall', 'receipts', 'replace', 'restore'])
    expect(complete('varve sessions ').toSorted()).toEqual(['delete', 'rename', 'share', 'show'])
    expect(complete('varve --user recall sessions sh').toSorted()).toEqual(['share', 'show'])
    expect(complete('varve recall --half')).toEqual(['--half-life-days'])
    expect(complete('varve recall --us')).toEqual(['--user'])
    expect(complete('varve blocks set --sh')).toEqual(['--shared'])
    expect(complete('varve blocks set --lim')).toEqual([])
    expect(complete('varve import --format cl').toSorted()).toEqual(['claude', 'claude-code'])
    expect(complete('varve append s --role a')).toEqual(['assistant'])
    expect(complete('varve bank share o').toSorted()).toEqual(['off', 'on'])
    expect(complete('varve completion f')).toEqual(['fish'])
    expect(complete('varve recall --limit ')).toEqual([])
    expect(complete('varve recall x')).toEqual([])
    const files = shell === 'fish' ? ['talk.jsonl', 'talks/'] : ['files']
    expect(complete('varve import tal').toSorted()).toEqual(files)
    expect(complete('varve recall x --store tal').toSorted()).toEqual(files)
    expect(complete('varve sessions show tal')).toEqual([])
  })
})

// A script that evaluated the typed line would run what stands in it, at a tab.
test.skipIf(!has('bash'))('no script runs what was typed', () => {
  expect(inBash('varve recall $(touch${IFS}ran) `touch${IFS}ran` --ki')).toEqual(['--kinds'])
  expect(existsSync(join(home, 'ran'))).toBe(false)
})

test('a flag takes a value in every command or in none: the scripts tell values from places by its name', async () => {
  const { stdout } = await typedHere(['completion', 'fish'], { env: { HOME: home } })
  const flags = Map.groupBy([...stdout.matchAll(/^complete .* -l ([a-z-]+)( -x| -r -F)?(?: -a '[^']*')? -d /gm)], ([, name]) => name ?? '')
  expect(flags.size).toBeGreaterThan(40)
  for (const [name, lines] of flags) expect(new Set(lines.map(([, , value]) => value === undefined)).size, name).toBe(1)
})
