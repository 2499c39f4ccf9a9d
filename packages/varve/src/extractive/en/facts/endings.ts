import { pastimes } from './habits.ts'
import { abstaining, eatingBoth } from './kinds/diets.ts'
import { health } from './kinds/health.ts'
import { jobs } from './kinds/jobs.ts'
import { bonds } from './kinds/kin.ts'
import { studies } from './kinds/studies.ts'
import { driving, tools } from './kinds/tools.ts'
import { placeIn } from './objects.ts'
import { partingFrom } from './partings.ts'
import { readMarriage } from './persons.ts'
import { appointmentWith, journey, planned, withoutTime } from './plans.ts'
import { ends, is, type Reader, type Said, type Setting } from '../../facts/said.ts'
import { belongings, food, languages, tastes } from './self.ts'
import { places, work } from './whereabouts.ts'
import { relations } from './words.ts'
import { regex, wordTable } from '../../word-lists.ts'

const ofPersons = [readMarriage, bonds, places, work, jobs, food, abstaining, eatingBoth]
const ofThings = [belongings, driving, languages, tastes, tools, studies, health]

/** Reads everything that holds until further notice. It can also end, or be denied. */
export const lasting: Reader = (phrase, setting) => [...ofPersons, ...ofThings].flatMap((read) => read(phrase, setting))

const noLonger = /^(am |have )?no longer (.+)$/u
const anyMore = /^(?:don't|do not) (.+?) (?:any ?more|any longer)$/u
const isNotAnyMore = /^am not (.+?) (?:any ?more|any longer|after all)$/u
const usedTo = /^used to (be )?(.+)$/u
const stopped = /^(?:have )?stopped (working|living|liking|enjoying|speaking) (.+)$/u
const bases = wordTable(`working: work, living: live, liking: like, enjoying: enjoy, speaking: speak, worked: work, lived: live,
  had: have, been: am, owned: own, spoken: speak, liked: like, loved: love, enjoyed: enjoy`)

/** Reads endings: `no longer live in Oslo` ends `live in Oslo`. */
export const endings: Reader = (phrase, setting) => {
  const [held, tense] = heldBefore(phrase) ?? []
  if (held === undefined || tense === undefined) return []
  const lasted = lasting(held.replace(/^have (?:the|my|our|any) /u, 'have a '), setting)
  const past = pastimes(held)
  const all = lasted.filter(({ predicate }) => predicate !== 'uses' || past.length === 0).flatMap(withNamed)
  const found = [...all, ...past].map((said): Said => ({ ...said, says: 'ends', tense }))
  const plan = found.length > 0 || setting.who === 'other' || tense === 'past' ? undefined : planned(held)
  return plan === undefined ? found : ends('plans to', plan, tense)
}

/** Ends the name too: without a dog there is no dog with a name. */
export function withNamed(said: Said): Said[] {
  return said.predicate === 'has' && relations.includes(said.object) ? [said, ...partingFrom('', said.object)] : [said]
}

function heldBefore(phrase: string): [held: string, tense: Said['tense']] | undefined {
  const none = noLonger.exec(phrase)
  if (none !== null) return [`${none[1] ?? ''}${none[2] ?? ''}`, 'present']
  const more = anyMore.exec(phrase)?.[1]
  if (more !== undefined) return [more, 'present']
  const isNot = isNotAnyMore.exec(phrase)?.[1]
  if (isNot !== undefined) return [`am ${isNot}`, 'present']
  const used = usedTo.exec(phrase)
  if (used !== null) return [`${used[1] === undefined ? '' : 'am '}${used[2] ?? ''}`, 'past']
  const [, doing = '', what = ''] = stopped.exec(phrase) ?? []
  return doing === '' ? undefined : [`${bases[doing] ?? ''} ${what}`, 'past']
}

const never = /^(?:have )?never (?:actually |really |even )?(worked|lived|had|been|owned|spoken|liked|loved|enjoyed) (.+)$/u
const denied = /^(?:don't|do not) (.+)$|^(am) not (.+)$/u

/** Reads denials: `never worked at X`. Where the speaker takes something back, any `don't` and `not` is one. */
export function denials(phrase: string, setting: Setting, takesBack: boolean): Said[] {
  const [, verb = '', what = ''] = never.exec(phrase) ?? []
  const [, does, am = '', isNot = ''] = (takesBack ? denied.exec(phrase) : null) ?? []
  const claimed = verb !== '' ? `${bases[verb] ?? ''} ${what}` : (does ?? `${am} ${isNot}`)
  // A taste ends and is not denied: it may have been true once.
  return lasting(claimed, setting).map((said) => ({ ...said, says: said.predicate === 'likes' ? 'ends' : 'wrong' }))
}

const cancelledTrip = regex('u')`^(?:have )?(?:just |had to )?(?:cancel(?:l?ed)?|call(?:ed)? off) (?:my|our|the) (?:trip|flights?|
  journey|holiday|visit|tickets?) (?:to|in) (.+)$`
const cancelledAppointment = regex('u')`^(?:have )?(?:just |had to )?(?:cancel(?:l?ed)?|call(?:ed)? off) (?:my|our|
  the) (?:appointment (?:with|at) (?:the |my )?([\p{L}.' -]{2,40})|([\p{Ll}' -]{2,30}?) appointment)$`
const off = '(?:is|was|has been|had to be|got|are|were|have been) (?:off|cancell?ed|called off)'
const moved = '(?:is|was|has been|got|are|were|have been) (?:moved|postponed|rescheduled|put off|brought forward)(?: to)?'
const tripChanged = regex('iu')`^(?:my|our|the) (?:trip|flights?|journey|holiday|visit) (?:to|in) (\p{Lu}[^,]{1,60}?) (?:(${off})|
  (${moved}))$`
const appointmentChanged = regex('iu')`^(?:my|our|the) (?:appointment (?:with|at) (?:the |my )?([\p{L}.' -]{2,40}?)|
  ([\p{Ll}' -]{2,30}?) appointment) (?:(${off})|(${moved}))$`

const namedTrip = new RegExp(`^(?:my|our|the) ([\\p{L}-]{3,30}) (?:trip|flight|journey|holiday|visit) ${off}$`, 'iu')
const isOff = new RegExp(`^(\\p{Lu}[\\p{L}-]{2,30}) ${off}$`, 'u')

/** Reads `the Oslo trip is off`, `Bremen is off`: ends any plan to go there. */
function calledOff(clause: string): Said[] {
  const trip = namedTrip.exec(clause)?.[1]
  if (trip !== undefined) return ends('plans to', journey(trip))
  const place = placeIn(isOff.exec(clause)?.[1] ?? '')
  return place === undefined ? [] : [...ends('plans to', journey(place)), ...ends('plans to', `move to ${place}`)]
}

/** Reads plans that are called off, in the words of the plan. */
export const cancellations: Reader = (phrase) => {
  const trip = cancelledTrip.exec(phrase)?.[1]
  if (trip !== undefined) return ends('plans to', journey(placeIn(trip)))
  const seen = cancelledAppointment.exec(phrase)
  return ends('plans to', appointmentWith(seen?.[1] ?? seen?.[2]))
}

/** Reads statements about a plan: `the trip to Oslo is off`, `my dentist appointment was moved to` a day. */
export function changes(clause: string, { isAhead }: Setting): Said[] {
  const called = calledOff(clause)
  if (called.length > 0) return called
  const trip = tripChanged.exec(clause)
  const seen = trip === null ? appointmentChanged.exec(clause) : null
  const object = trip === null ? appointmentWith(seen?.[1] ?? seen?.[2]) : journey(placeIn(withoutTime(trip[1] ?? '')))
  if ((trip?.[2] ?? seen?.[3]) !== undefined) return ends('plans to', object)
  return isAhead ? is('plans to', object, { tense: 'future' }) : []
}
