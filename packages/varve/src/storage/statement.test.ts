import { expect, test } from 'vitest'
import { compile } from './compile-statement.ts'
import { bind, statement } from './statement.ts'

test('compiles once, and binds by name in the order of the placeholders', () => {
  const query = statement<{ name: string; id: number }>()((db, p) =>
    db
      .updateTable('session')
      .set({ name: p('name'), share: 1 })
      .where('id', '=', p('id'))
      .where('name', '!=', p('name')),
  )
  const compiled = compile(query)
  // A bare ? beside a partial index is planned again whenever a value is bound.
  expect(compiled.sql).toBe('update "session" set "name" = +?, "share" = 1 where "id" = +? and "name" != +?')
  expect(bind(compiled, { id: 7, name: 'a' })).toEqual(['a', 7, 'a'])
  expect(compile(query)).toBe(compiled)
})
