/** What a person says in a message or two, and the bullets that documents hold of it, in the order of the talk. */
export interface SaidStatements {
  readonly said: readonly string[]
  readonly bullets: readonly string[]
}

const same = (...said: string[]): SaidStatements => ({ said, bullets: said })

/** A statement with a number is a bullet, and keeps its number. */
export const withNumbers: readonly SaidStatements[] = [
  same('Our bakery opens at 7.', 'Our bakery has 12 tables.'),
  same('Our rye bread costs $4.50.'),
  same('Our lease costs €1,250 a month.'),
  same('My rent is 9,800 kr a month.'),
  same('Our server runs Node 24.11.1.'),
  same('My router has firmware 2.0.4.'),
  same('Our margin is 12.5%.'),
  same('Our churn is -3% this quarter.'),
  same('My boat is 7.3 m long.'),
  same('Our oven reaches 280 °C.'),
  same('Our freezer is at -18 °C.'),
  same('My flight is on 2026-05-08 at 14:35.'),
  same('Our office number is 555-0142.'),
  same('Our warehouse has 2,400 m² of floor.'),
  same('My commute takes 45 min.'),
  same('Our van holds 1.5 t.'),
  same('My bike weighs 8.2 kg.'),
  same('Our API supports 1,000 requests per second.'),
  same('Our port is 5432.'),
  same('My laptop has 32 GB of RAM.'),
  same('Our budget is $1.2M.'),
  same('My shoe size is 42.5.'),
  same('Our bakery sold 3,000 loaves in May 2026.'),
  same('We sell the rye bread for £3.20.'),
  same('We charge 15% for delivery.'),
  same('We raised the price to $1,000.'),
  { said: ['I bought a bike. It costs $1,000.'], bullets: ['I bought a bike.', 'It costs $1,000.'] },
  { said: ['My bike is red. It costs $1,000.'], bullets: ['My bike is red.', 'It costs $1,000.'] },
  { said: ['My bike is red. It cost $1,000. It weighs 8.2 kg.'], bullets: ['My bike is red.', 'It cost $1,000.', 'It weighs 8.2 kg.'] },
  { said: ['Our ovens are new. They cost €12,400 each.'], bullets: ['Our ovens are new.', 'They cost €12,400 each.'] },
  { said: ['We bought the Linea Mini. It cost us $4,900.'], bullets: ['It cost us $4,900.'] },
  {
    said: ['Our server is in Oslo. It runs Postgres 18.1 on port 5432.'],
    bullets: ['Our server is in Oslo.', 'It runs Postgres 18.1 on port 5432.'],
  },
  { said: ['Our lease ends in June. It is 9,800 kr a month.'], bullets: ['Our lease ends in June.', 'It is 9,800 kr a month.'] },
  { said: ['My boat is in Moss. It’s 7.3 m long.'], bullets: ['My boat is in Moss.', 'It’s 7.3 m long.'] },
  { said: ['I run a small bakery. It makes 3,000 loaves a week.'], bullets: ['I run a small bakery.', 'It makes 3,000 loaves a week.'] },
  { said: ['Our fare is $12. The fare was $10 before.'], bullets: ['Our fare is $12.'] },
]

/** What was said is one bullet, however often and in however many sentences. */
export const repeated: readonly SaidStatements[] = [
  { said: ['I live in Oslo.', 'I live in Oslo.'], bullets: ['I live in Oslo.'] },
  { said: ['I live in Oslo.', 'i live in Oslo!'], bullets: ['I live in Oslo.'] },
  {
    said: ['I live in Oslo.', 'I live in Oslo and I work at the ferry office.'],
    bullets: ['I live in Oslo.', 'I work at the ferry office.'],
  },
  {
    said: ['I live in Oslo and I work at the ferry office.', 'I live in Oslo.'],
    bullets: ['I live in Oslo', 'I work at the ferry office.'],
  },
  {
    said: ['I live in Oslo and I work at the ferry office.', 'I work at the ferry office.'],
    bullets: ['I live in Oslo', 'I work at the ferry office.'],
  },
  { said: ['I live in Oslo, and I work at the ferry office.'], bullets: ['I live in Oslo', 'I work at the ferry office.'] },
  { said: ['I work at Acme.', 'I live in Oslo and I work at Acme.'], bullets: ['I work at Acme.', 'I live in Oslo'] },
  {
    said: ['Our bakery opens at 7.', 'Our bakery opens at 7, but not on Mondays.'],
    bullets: ['Our bakery opens at 7.', 'Our bakery opens at 7, but not on Mondays.'],
  },
  {
    said: ['Our bakery opens at 7, but not on Mondays.', 'Our bakery opens at 7.'],
    bullets: ['Our bakery opens at 7, but not on Mondays.'],
  },
  { said: ['My bike is red. It costs $1,000.', 'My bike is red. It costs $1,000.'], bullets: ['My bike is red.', 'It costs $1,000.'] },
  { said: ['My name is Ada and I live in Oslo.', 'I live in Oslo.'], bullets: ['My name is Ada', 'I live in Oslo.'] },
  { said: ['Btw, my bike is red.', 'My bike is red.'], bullets: ['Btw, my bike is red.'] },
  {
    said: ['Our two vans are in Kiel.', 'Our two vans are in Kiel and our boat is in Moss.'],
    bullets: ['Our two vans are in Kiel.', 'our boat is in Moss.'],
  },
]

/** Statements that are near each other and say different things: both stay. */
export const different: readonly SaidStatements[] = [
  same('Our rye bread costs $4.50.', 'Our rye bread costs $4.80.'),
  same('Our rye bread costs $1.', 'Our rye bread costs $1,000.'),
  same('Our rye bread costs $1,000.', 'Our rye bread costs $1.'),
  same('Our freezer is at -18 °C.', 'Our freezer is at 18 °C.'),
  same('Our server runs Node 24.11.1.', 'Our server runs Node 24.11.2.'),
  same('Our server runs Node 24.', 'Our server runs Node 24.11.2.'),
  same('Our margin is 12.5%.', 'Our margin is 12%.'),
  same('Our margin is 12%.', 'Our margin is 12.5%.'),
  same('My flight is on 2026-05-08.', 'My flight is on 2026-05-09.'),
  same('Our office number is 555-0142.', 'Our office number is 555-0143.'),
  same('My boat is 7 m long.', 'My boat is 7.3 m long.'),
  same('My boat is 7 m long.', 'My boat is 7 ft long.'),
  same('Our lease costs €1,250 a month.', 'Our lease costs $1,250 a month.'),
  same('Our bakery opens at 7.', 'Our bakery opens at 7:30.'),
  same('Our van holds 1.5 t.', 'Our van holds 1,5 t.'),
  same('I live in Oslo.', 'I do not live in Oslo.'),
  same('Our rye bread costs $1 and 50 cents.', 'Our rye bread costs $1.'),
  same('My rent is 9,800 kr.', 'My rent is 9,800 kr a week.'),
]

/** A sentence that points to a thing which nobody named, or to another speaker's, is no bullet. */
export const pointless: readonly SaidStatements[] = [
  { said: ['It costs $1,000.'], bullets: [] },
  { said: ['What does the bike cost?', 'It costs $1,000.'], bullets: [] },
  { said: ['Hello! It costs $1,000.'], bullets: [] },
  { said: ['My bike is red. What a nice day. It costs $1,000.'], bullets: ['My bike is red.'] },
  { said: ['My bike is red. It could cost $1,000.'], bullets: ['My bike is red.'] },
  { said: ['My bike is red. Does it cost $1,000?'], bullets: ['My bike is red.'] },
  { said: ['My bike is red. It is nice.'], bullets: ['My bike is red.'] },
  { said: ['My bike is red. It rains.'], bullets: ['My bike is red.'] },
]
