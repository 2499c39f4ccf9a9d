import { matchesOf } from '../../../../messages/matches-of.ts'
import { personIn } from '../objects.ts'
import { masked } from '../../../facts/reading.ts'
import { is, present, type Said, weak } from '../../../facts/said.ts'
import { regex, source } from '../../../word-lists.ts'

const phone = '\\+?\\(?\\d[\\d ()/.-]{5,18}\\d'
const email = '[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,4}'
const start = '(?:^|[,;:.!] |\\b(?:and|but|so|btw|hi|hey|hello|ok|okay|please|pls|note|that|add|use|put|include|save|update) )'
const qualifier = source`(?:(?<sort>work|business|office|company|school|university|emergency|billing|support|private|personal|home|main|
  own|postal|delivery|shipping|mobile) )?`
const owner = `(?:(?:my|our) (?:(?:new|current) )?|(?:the |a )?new |(?:(?<whose>\\p{Lu}[\\p{Ll}-]{1,20})'s ))`
const link = source`(?:'s|s| is| are|:| will be| (?:has |is |was )?changed,? to| (?:has )?changed[,:;]? (?:it's|its|it is|to)|, it's| as|
  (?=,? [\d+(]),?)(?: now| still| currently| actually| from now on)?:? `
const owned = (thing: string, shape: string): RegExp =>
  new RegExp(`${start}${owner}${qualifier}${thing}${link}(?<shape>${shape})(?![\\p{L}\\p{N}@])(?:,? not (?<not>${shape}))?`, 'giu')

const phones = owned('(?:(?:mobile|phone|cell|telephone|landline|cellphone|whatsapp)(?: (?:number|no\\.?|phone))?)', phone)
const numbers = owned('number', '(?:\\+|\\(?0)[\\d ()/.-]{6,18}\\d')
const emails = owned('e-?mail(?: address)?', email)
const bareEmail = regex('iu')`^(?:and |also |oh |ok,? |hi,? )?e-?mail(?: address)?(?:'s| is|:)(?: still| now)? (${email})(?![\p{L}\p{N}@])`
const reached = regex('iu')`\b(?:reach|call|text|ring|phone|email|mail|write to|contact) me (?:at|on|under|via) (?:my (?:mobile|cell|
  phone|email|number),? )?(?:(${email})|(${phone}))(?![\p{L}\p{N}@])`
const plainSort = /^(?:private|personal|home|main|own|postal|mobile)$/iu

/** Reads phone numbers and addresses. Their shape tells them, whatever the words around them. */
export function contactIn(text: string): Said[] {
  if (text.includes(masked) || !/\d|@/u.test(text) || !/\p{L}{2}/u.test(text)) return []
  const calls = [phones, numbers].flatMap((pattern) => ownedIn(text, pattern, 'phone number', ({ groups }) => groups?.['shape']))
  const found = [
    ...calls.filter(({ object }) => isPhone(object)),
    ...ownedIn(text, emails, 'email', ({ groups }) => groups?.['shape']),
    ...ownedIn(text, addresses, 'address', ({ 0: whole, index }) => streetIn(text.slice(index + whole.length, index + whole.length + 140))),
  ]
  if (found.length > 0) return found
  const bare = bareEmail.exec(text)?.[1]
  if (bare !== undefined) return is('email', bare)
  const [, mail, number] = reached.exec(text) ?? []
  if (mail !== undefined) return is('email', mail, { confidence: weak })
  return number !== undefined && isPhone(number) ? is('phone number', number, { confidence: weak }) : []
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/gu, '').length
  return digits >= 6 && digits <= 15 && !/^\d{4}-\d\d-\d\d$/u.test(text) && !/^\d{1,2}\.\d{1,2}\.\d{2,4}$/u.test(text)
}

/** Reads what is somebody's: the speaker's, or that of a named person. */
function ownedIn(text: string, pattern: RegExp, predicate: string, read: (match: RegExpExecArray) => string | undefined): Said[] {
  return matchesOf(text, pattern).flatMap((match) => {
    const { whose: subject, sort, not } = match.groups ?? {}
    if (subject !== undefined && personIn(subject) === undefined) return []
    const named = sort === undefined || plainSort.test(sort) ? predicate : `${sort.toLowerCase()} ${predicate}`
    const more = { ...(named === predicate ? {} : { single: true }), ...(subject === undefined ? {} : { subject }) }
    return is(named, read(match), { ...more, ...present({ instead: not }) })
  })
}

const addresses = regex('giu')`${start}(?:${owner}${qualifier}address${link}|(?:I|we)(?:'ve| have)?(?: now| just| also)? (?:live|moved|
  are living|'m living|am living) (?:at|to) )`
const streets = regex('iu')`^(?:road|rd|street|st|lane|ln|avenue|ave|close|drive|court|place|square|terrace|gardens|grove|way|hill|
  crescent|boulevard|blvd|park|row|mews|walk|green|flat|apartment|apt|unit|suite|floor|house|straße|strasse|weg|platz|allee|gasse|rue|
  via|calle|plaza|laan|straat|gata|vej)$`
const isTime = /^(?:in|on|since|last|next|this|now|from|at)$/u
const beyondHouse = /(?:^|[ ,])(?!(?:flat|apartment|unit|suite|floor|room|house|number)\b)\p{L}{3}/iu
const date = /^\d+ (?:\p{Lu}[\p{Ll}]+uary|January|March|April|May|June|July|August|September|October|November|December)\b/u

/** Returns a street with a number, and the parts after it for as long as they read like an address. */
function streetIn(text: string): string | undefined {
  const parts: string[] = []
  for (const part of text.split(', ')) {
    const words = part.replace(/[.!;]+$/u, '').split(' ')
    const last = words.findIndex((word) => !isOfAddress(word))
    const isWhole = last < 0
    const kept = isWhole ? words : words.slice(0, last)
    const isAfter = isWhole || kept.some((word) => /\d/u.test(word)) || isTime.test(words[last] ?? '')
    if (kept.length === 0 || kept.length > 7 || (parts.length > 0 && !isAfter)) break
    parts.push(kept.join(' '))
    if (!isWhole || parts.length === 5) break
  }
  const found = parts.join(', ')
  const isNamed = /\p{Lu}\p{L}{2}/u.test(found) || found.split(/[ ,]+/u).some((word) => streets.test(word) && word.length > 3)
  return isNamed && /\d/u.test(found) && beyondHouse.test(found) && !date.test(found) ? found : undefined
}

function isOfAddress(word: string): boolean {
  return /^(?:\p{Lu}[\p{L}'.-]*\d*|\d{1,6}\p{L}?(?:[-/]\d{1,4}\p{L}?)?|\d\p{Lu}{2}|\p{Lu}{1,2}\d{1,2}\p{Lu}?|c\/o)$/u.test(word)
    ? !/^(?:I|I'm|My|The|We|And|But|So|Please|Thanks)$/u.test(word)
    : streets.test(word)
}

const zones = source`(?:(?:utc|gmt)(?: ?[+-] ?\d{1,2}(?::\d\d)?)?|c?e[sd]?t|[mp][sd]t|cst|cdt|west|wet|eest|eet|bst|ist|jst|kst|aes?t|
  aedt|nzs?t|sgt|hkt|msk|(?:africa|america|asia|australia|europe|pacific|atlantic)/[\p{L}_]{3,30}|(?:(?:central|eastern|
  western) european|eastern|pacific|mountain|central|atlantic|japan|india|british)(?: standard| summer| daylight)? time)`
const zone = regex('iu')`^(?:(?:my|our) time ?zone(?:'s| is)(?: now)? |(?:I'm|I am|we're|we are) (?:in|
  on) (?:the )?(?=.{2,40} time ?zone$))(${zones})(?: time ?zone)?$`
const handle = regex('iu')`^(?:my|our) (github|gitlab|codeberg|twitter|instagram|mastodon|bluesky|discord|telegram|signal|linkedin|skype|
  slack|reddit|steam|threema) (?:handle|user ?name|account|id|nick(?:name)?|name)(?:'s| is)(?: now)? (@?[\p{L}\p{N}][\p{L}\p{N}_.@#-]{1,3
  9})$`
const noHandle = /^(?:not|private|public|called|gone|down|new|old|empty|the|locked|blocked|suspended|linked)$/iu

/** Reads time zones, and the names of accounts. */
export function zoneIn(clause: string): Said[] {
  const found = zone.exec(clause)?.[1]
  if (found !== undefined) return is('time zone', found)
  const [, where = '', called] = handle.exec(clause) ?? []
  const object = called === undefined || noHandle.test(called) ? undefined : called.replace(/[.]$/u, '')
  return is(`${where.toLowerCase()} handle`, object, { single: true })
}
