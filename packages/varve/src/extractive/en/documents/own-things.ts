import { matchesOf } from '../../../messages/matches-of.ts'
import { regex, source } from '../../word-lists.ts'

/** Patterns that tell whether a sentence is about the speaker, or about a thing of the speaker's. */

const lead = String.raw`^(?:(?:and|so|also|btw|by the way|well|ok|okay|now|currently|fyi|update|right),? |update: |fyi: )*`
const verb = source`(?:(?:now|also|still|currently|only|already|always|usually) )?(?:is|are|was|were|isn't|aren't|wasn't|has|have|hasn't|
  haven't|had|opens?|opened|closes?|closed|costs?|sells?|sold|makes?|made|runs?|ran|uses?|used|needs?|weighs?|takes?|holds?|seats?|
  starts?|ends?|begins?|employs?|ships?|serves?|offers?|charges?|pays?|earns?|comes?|stands?|lies|sits?|belongs?|supports?|requires?|
  includes?|contains?|produces?|delivers?|moved|broke|reach(?:es|ed)?|lasts?)`
/** Words that stand in no name of a thing: conjunctions, verbs, adverbs. */
const outside = source`(?:and|or|of|in|on|at|for|to|with|that|which|who|I|we|is|are|was|were|has|have|had|also|always|never|still|just|
  now|already|finally|really|sure|actually|both|all|sometimes|usually|often|only|even|recently|currently|away|\p{Ll}{2,}ed|went|got|came|
  said|told|gave|took|keeps?|kept|gets?|does|did|can|will)(?![\p{L}\p{N}'-])`
const thing = String.raw`(?!${outside})[\p{L}\p{N}][\p{L}\p{N}'.&-]*(?: (?!${outside})[\p{L}\p{N}][\p{L}\p{N}'.&-]*){0,3}?`
const named = String.raw`\p{Lu}[\p{L}\p{N}'&-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}'&-]*){0,3}`

const owned = new RegExp(String.raw`${lead}(?:my|our) (${thing}) ${verb} \S`, 'iu')
const calledOne = new RegExp(String.raw`${lead}(?:[Tt]he )?(${named}) ${verb} \S`, 'u')
const naming = [
  new RegExp(String.raw`\b(?:[Mm]y|[Oo]ur) [\p{Ll} -]{2,40}?,? (?:is |are |was )?(?:called|named) (?:the )?(${named})`, 'gu'),
  regex('gu')`\b(?:I|[Ww]e)(?:'ve| have)?(?: just| finally)? (?:bought|own|run|opened|founded|started|launched|built|sell|rent|
    decided to (?:buy|rent|open|launch)) (?:an? |the |our |my )?(${named})`,
]
const deciding = regex('iu')`${lead}(?:decision: \S|(?:I|we)(?:'ve| have)?(?: just| finally| all| both| now)? (?:decided|agreed|settled|
  opted) (?:to|on|for|that|against) \S)`
const doing = regex('iu')`${lead}(?:we(?: now| currently| only| also)? (?:sell|open|close|charge|offer|employ|deliver|ship|serve|bake|
  produce|manufacture|rent|run|own|hired|raised|lowered|launched|signed|opened|closed|doubled|founded)|
  I(?: now| currently| also)? (?:run|own|founded|co-founded|manage|employ)) (?!into\b|out\b|the risk\b|late\b)\S`

/** A sentence with a number about a thing that was named before it. */
const measured = regex(
  'iu',
)`^(?:and |also,? )?(?:it|they|each|one|the price)(?:'s|'re| (?:(?:now|also|still|currently|only|already) )?(?:is|are|was|were|
  costs?|weighs?|holds?|seats?|makes?|made|runs?|uses?|used|needs?|takes?|has|have|had|opens?|closes?|sells?|sold|starts?|ends?|
  lasts?|reach(?:es|ed)?|supports?|ships?|produces?|measures?)) .*\d`
/** `It` is the time of day or the weather. */
const hourOrWeather = /^(?:and )?it(?:'s| is| was) (?:\p{L}+ )?\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m|o'clock|degrees|°)/iu

/** Marks a sentence in which the speaker gets or has a thing that the next sentence may tell of. */
export const getsThing = regex(
  'iu',
)`^(?:and |also |so |btw,? )?(?:I|we)(?:'ve| have)?(?: just| finally| also| now)? (?:bought|got|own|ordered|
  sold|rent|lease|drive|ride|run|have|opened|founded|started|launched|built|made) (?:an? |the |our |my |this |two |three |\d)`

/** Tells whether a sentence gives a number of the thing that the one before it told of. */
export function measuresIt(text: string): boolean {
  return measured.test(text) && !hourOrWeather.test(text)
}

/** Tells whether a sentence is about a thing of the speaker's, and no person. */
export function tellsOfThing(text: string): boolean {
  return owned.test(text) || calledOne.test(text)
}

/** Words for talk, feelings, times and limbs: nobody looks up a document about them. */
const nothing = regex('iu')`^(?:name$|tips?|hard work|road|journey|way|heart|mindset|life|time|experience|love|guess|question|point|bad|
  apolog\p{L}+|fault|mistake|thoughts?|feelings?|opinion|view|understanding|impression|concern|worry|hope|idea|problem|issue|mood|day|
  week|weekend|month|year|morning|evening|head|mind|god|goodness|favou?rite|best|worst|biggest|first|last|next|only|own|turn|answer|
  message|english|bet|pleasure|(?:older|younger|little|big)$|arms?$|legs?$|f(?:oo|ee)t$|hands?$|fingers?$|knees?$|back$|hair$|eyes?$|
  ears?$|nose$|stomach$|throat$|bones$|brain$|body$)(?!\p{L})`

/** A sentence about a person's goals is about the person. */
const wanted =
  /^(?:(?:main|next|biggest|big|first|long-term|short-term|only|ultimate) )?(?:goals?|aims?|dreams?|plans?|ambitions?|intentions?|motto)$/iu
const counted = /^(?:two|three|four|five|six|seven|eight|nine|ten|\d+|other|own|beloved|dear|new) (?=\S)/iu

/** Returns the names that a sentence gives to things of the speaker's: `our boat is called Foxglove`. */
export function namesOfOwn(text: string): string[] {
  return naming.flatMap((pattern) => matchesOf(text, pattern).map(([, name = '']) => name))
}

/** Returns the speaker's thing that a sentence is about, by its name; '' for the speaker. Undefined where it is about neither. */
export function ownThing(text: string, names: ReadonlySet<string>): string | undefined {
  const own = owned.exec(text)?.[1]
  if (own !== undefined) return nothing.test(own) ? undefined : wanted.test(own) ? '' : own.replace(counted, '')
  const called = calledOne.exec(text)?.[1]
  if (called !== undefined && names.has(called)) return called
  return deciding.test(text) || doing.test(text) ? '' : undefined
}
