import { expect, test } from 'vitest'
import { commandLine } from './next-command.ts'

test.each([
  ['postgres://ada:hunter2@db.internal/varve', 'postgres://ada@db.internal/varve'],
  ['--to=postgresql://ada:hunter2@db.internal:5432/varve?varve_schema=a', "'--to=postgresql://ada@db.internal:5432/varve?varve_schema=a'"],
  [
    'postgres://db.internal/varve?user=ada&password=hunter2&sslmode=require',
    "'postgres://db.internal/varve?user=ada&password=&sslmode=require'",
  ],
  ['postgres://ada@db.internal/varve', 'postgres://ada@db.internal/varve'],
  ['a: b://c:d@e', "'a: b://c:d@e'"],
])('a printed line has no password: %s', (given, printed) => {
  expect(commandLine('migrate', '--to', given)).toMatch(new RegExp(`migrate --to ${RegExp.escape(printed)}$`))
})
