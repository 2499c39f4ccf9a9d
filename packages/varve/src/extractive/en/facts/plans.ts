import { unchosen } from './habits.ts'
import { deedIn, placeIn } from './objects.ts'
import { is, type Reader, sure, weak } from '../../facts/said.ts'
import { clauseTimes } from './times.ts'
import { regex, wordTable } from '../../word-lists.ts'

const goes = regex('u')`^(?:am (?:going|flying|driving|travelling|traveling|heading|sailing|cycling|off|taking (?:the|a) (?:train|bus|
  ferry|boat|plane))|(?:will |am going to |plan to |am planning to )(?:fly|drive|travel|go|sail|take (?:the|a) (?:train|bus|ferry|boat|
  plane))) (?:back |over |up |down |out |home )?to (\p{Lu}.*)$`
const booked = regex('u')`^(?:have )?(?:just )?booked (?:a |an |our |my |two |the )?(?:(?:return )?flights?|trip|ferry|train|ticket|
  tickets|holiday) (?:to|in) (\p{Lu}.*)$`
const appointment =
  /^(?:have|have got) an? (?:appointment (?:with|at) (?:the |my |a )?([\p{L}.' -]{2,40})|([\p{Ll}' -]{2,30}?) appointment)$/u
const occasion = regex('u')`^(?:have|have got) (an? (?:job )?(?:interview|exam|meeting|check-up|concert|rehearsal|viewing|
  call)(?: (?:with|at|for) [\p{L}' -]{2,40})?)$`
const deed = /^(?:am going to|am planning to|plan to|am planning on) (.+)$/u
const doing = regex(
  'u',
)`^am (visiting|meeting|relocating|signing up|seeing|starting|moving|running|attending|giving|hosting|taking|leaving|picking up|
  getting married|presenting) ?(.*)$`
const will = regex('u')`^will (visit|meet|see|start|move|run|attend|host|take|present|marry|cycle|drive|walk|fly|travel|bring|bake|cook|
  paint|repair|pick up|collect|fetch) (.+)$`
/** Deeds of a minute or a mood: nobody plans them. */
const noDeed = regex('u')`^(?:scream|cry|explode|faint|be|try|think|let|say|tell|ask|sleep|lie|have to|need|see if|see how|do|call|text|
  mail|email|send|get back|check|look|know|regret|miss|want|die|kill|lose|bed|work|run late|take a (?:look|break|nap)|give up|
  start (?:to|with|by)|see (?:errors?|double|red|a\b|an\b|the same))\b`

const bases = wordTable(`visiting: visit, relocating: relocate, signing up: sign up,
  meeting: meet, seeing: see, starting: start, moving: move, running: run, attending: attend,
  giving: give, hosting: host, taking: take, leaving: leave, picking up: pick up, getting married: get married, presenting: present`)

/** Returns the words for a journey, whatever the means, so that a plan and its end have the same object. */
export function journey(place: string | undefined): string | undefined {
  return place === undefined ? undefined : `travel to ${place}`
}

/** Returns the words for an appointment, whatever it is called. */
export function appointmentWith(whom: string | undefined): string | undefined {
  if (whom === undefined) return undefined
  const called = withoutTime(whom)
  const who = called.replace(/^(?:the|my|a) /u, '').replace(/'s$/u, '')
  return `have an appointment with ${/^\p{Lu}/u.test(who) ? '' : 'the '}${who}`
}

/** Reads `the dentist on Tuesday` without the day: on another day it is the same appointment. */
export function withoutTime(text: string): string {
  return text.slice(0, clauseTimes(text).to)
}

/** Reads plans for a day that is named. */
export const plans: Reader = (phrase, { who, isAhead }) => {
  if (!isAhead) return []
  if (who === 'other') return is('plans to', moving(phrase), { tense: 'future', confidence: weak })
  const said = phrase.replace(/ (?:for|on|in)$/u, '')
  return is('plans to', planned(said), { tense: 'future', confidence: /^(?:have|will|am going to)/u.test(said) ? weak : sure })
}

/** Returns a move of another person, whose other plans are not sure. */
function moving(phrase: string): string | undefined {
  const place = placeIn(/^am (?:going to move|moving|relocating) (?:back |over )?to (.+)$/u.exec(phrase)?.[1] ?? '')
  return place === undefined ? undefined : `move to ${place}`
}

/** Returns a deed that may have been planned earlier. It needs no day. */
export function planned(phrase: string): string | undefined {
  const to = goes.exec(phrase)?.[1] ?? booked.exec(phrase)?.[1]
  if (to !== undefined) return journey(placeIn(to))
  const seen = appointment.exec(phrase)
  if (seen !== null) return appointmentWith(seen[1] ?? seen[2])
  const met = occasion.exec(phrase)?.[1]
  if (met !== undefined) return `have ${met}`
  const done = deed.exec(phrase)?.[1]
  if (done !== undefined && phrase.startsWith('am going to ') && isDestination(done)) return `go to ${done}`
  const isPlace = /^(?:the|my|our|an?|church|school|court|town|college|university) ?/u.test(done ?? '')
  if (done !== undefined) return noDeed.test(done) ? undefined : deedIn(isPlace ? `go to ${done}` : done)
  const [, verb = '', rest = ''] = doing.exec(phrase) ?? []
  const base = bases[verb]
  if (base !== undefined && (rest !== '' || base === 'get married'))
    return noDeed.test(`${base} ${rest}`) ? undefined : deedIn(`${base} ${rest}`.trim())
  const [, later, what = ''] = will.exec(phrase) ?? []
  return later === undefined || noDeed.test(`${later} ${what}`) ? undefined : deedIn(`${later} ${what}`)
}

/** Verbs that alone may follow `going to`. Any other word is a destination: `I'm going to zumba`. */
const alone = regex('u')`^(?:apologi[sz]e|apply|bake|bathe|camp|celebrate|change|clean|climb|commute|cook|cycle|dance|decorate|diet|
  drink|drive|eat|emigrate|exercise|fast|fish|fly|garden|graduate|hike|iron|jog|knit|leave|march|marry|meditate|move|pack|paint|party|
  pray|propose|protest|quit|read|relax|relocate|remarry|renovate|resign|rest|retire|ride|row|run|sail|shop|sing|skate|ski|stop|study|
  surf|swim|tidy|train|travel|upgrade|vote|wait|walk|win|write|accept|agree|begin|bleed|compete|complain|continue|decline|enrol|enroll|
  finish|help|interview|lecture|object|perform|phone|practi[cs]e|prepare|present|race|refuse|register|rehearse|reply|report|respond|
  return|sign|speak|start|stay|sue|teach|transfer|visit|volunteer|withdraw)$`

function isDestination(text: string): boolean {
  const isNone = /^(?:the|my|our|church|school|court|town|college|university|something|there|anything|somewhere|here)$/u.test(text)
  return !isNone && /^\p{Ll}{4,20}$/u.test(text) && !alone.test(text) && !noDeed.test(text)
}

const decided = /^(?:have )?(?:just |finally )?decided (to|on) (.+)$/u
const settled = /^(?:have )?(?:settled on|opted for) (.+)$/u

/** Reads decisions. */
export const decisions: Reader = (phrase, { who }) => {
  if (who === 'other') return []
  const [, to, what = ''] = decided.exec(phrase) ?? []
  const object = deedIn(to === undefined ? (settled.exec(phrase)?.[1] ?? '') : what)
  if (object === undefined || object === '' || (to !== 'to' && / to /u.test(object)) || /^(?:be|go with|do)\b/u.test(object)) return []
  const predicate = to === 'to' ? 'decided to' : 'decided on'
  const [, chosen = object, before = ''] =
    /^(.+?) (?:instead of|rather than|(?<=^use .+)over) (.+)$/u.exec(object) ?? /^(.+) instead$/u.exec(object) ?? []
  const bare = to === 'to' ? chosen : chosen.replace(/^(?:an?|the) /u, '')
  return [...is(predicate, bare, { tense: 'past' }), ...(before === '' ? [] : unchosen(before))]
}
