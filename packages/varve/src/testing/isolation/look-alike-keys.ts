/** Some 250 bytes: names that share a long prefix are told apart by their last character. */
const long = 'a'.repeat(200)

/** Pairs of names that a careless key, comparison, glob or join takes for one, by the kind of mistake. */
export const lookAlikes: Readonly<Record<string, readonly (readonly [one: string, other: string])[]>> = {
  case: [
    ['ada', 'Ada'],
    ['straße', 'STRASSE'],
    ['ı', 'i'],
    ['σ', 'ς'],
  ],
  'normalisation forms': [
    ['\u00e9va', 'e\u0301va'],
    ['\ufb01n', 'fin'],
    ['\uff41da', 'ada'],
    ['\u212bsa', '\u00c5sa'],
  ],
  confusables: [
    ['ada', '\u0430da'],
    ['paypal', 'p\u0430ypal'],
    ['bob', 'bo\u042c'],
    ['l0u', 'lou'],
  ],
  'signs that are not seen': [
    ['ada', 'a\u200bda'],
    ['ada', 'ada\u200d'],
    ['ada', '\u202eada'],
    ['ada', 'ada\ufeff'],
    ['ada', 'ada\u00ad'],
  ],
  blanks: [
    ['ada', 'ada '],
    ['ada', ' ada'],
    ['ada', 'ada\t'],
    ['ada', 'ada\n'],
    ['a da', 'a\u00a0da'],
    ['a da', 'a  da'],
  ],
  prefixes: [
    ['ada', 'ad'],
    ['ada', 'ada1'],
    ['user', 'user:1'],
    [`${long}x`, `${long}y`],
    [long, `${long}a`],
  ],
  separators: [
    ['a/b', 'a'],
    ['a:b', 'a'],
    ['a|b', 'a'],
    ['a.b', 'a'],
    ['../ada', 'ada'],
    ['ada/', 'ada'],
    ['a%2Fb', 'a/b'],
  ],
  'patterns and code': [
    ['*', 'ada'],
    ['%', 'ada'],
    ['_', 'a'],
    ['ad_', 'ada'],
    ['.*', 'ada'],
    ["ada' OR '1'='1", 'ada'],
    ['{"$ne":1}', 'ada'],
    ['[object Object]', 'ada'],
  ],
  'words of a program': [
    ['null', 'undefined'],
    ['__proto__', 'ada'],
    ['constructor', 'ada'],
    ['default', 'ada'],
    ['shared', 'ada'],
    ['anonymous', 'ada'],
    ['0', 'false'],
    ['1', '01'],
    ['1e3', '1000'],
  ],
}

/** Pairs of (project, user) that are one when a program joins the two names with a sign. */
export function joinedAlike(sign: string): readonly [{ project: string; user: string }, { project: string; user: string }] {
  return [
    { project: `a${sign}b`, user: 'c' },
    { project: 'a', user: `b${sign}c` },
  ]
}

/** Signs with which programs join names. */
export const joints: readonly string[] = ['/', ':', '|', '-', '_', '.', ' ', '#', '\u001f', '::', '", "']
