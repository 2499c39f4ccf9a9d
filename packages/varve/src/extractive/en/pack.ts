import type { CuePhrases, LanguagePack, SmallTalk } from '../language-pack.ts'
import { phrases, regex, spacedWords } from '../word-lists.ts'
import { subjectFacts } from './documents/subject-facts.ts'
import { instructionEndings } from './instructions/endings.ts'
import { instructionPatterns } from './instructions/patterns.ts'
import { remarks } from './remarks.ts'
import { statedFacts } from './stated-facts.ts'
import { statesEndedBy } from './states/ends-state.ts'

const cues: CuePhrases = {
  decision: phrases(`decided?, decision, decides, let['’]s (?!keep|continue|make (?:it|them|this)|do (?:it|this)|go after), let us,
    agreed, agree on, settled on, chose, chosen, we will, we['’]ll, i will, i['’]ll, going to, gonna, plan(?:ned|ning)? (?:to|on), booked,
    bought, ordered, signed, scheduled, confirmed, approved, accepted, rejected, cancell?ed, finished, fixed, shipped, released, resolved,
    launched, won, hired, moved to, adopted, deadline, due, instead of, turned out, the cause was, because of`),
  standing: phrases('prefers?, preferred, always, never, must, from now on, remember (?:that|to), allergic, favou?rite'),
  time: phrases(`january, february, march, april, june, july, august, september, october, november, december,
    (?:mon|tues|wednes|thurs|fri|satur|sun)days?, yesterday, tomorrow, tonight,
    (?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|fall|autumn|night), ago, since`),
  firstPerson: phrases("i, i['’](?:m|ve|ll|d), my, me, mine, we, we['’](?:re|ve|ll|d), our, us"),
  secondPerson: phrases("you, your, you['’](?:re|ve|ll|d), yours, yourself"),
  pointsBack: phrases(`it, its, it['’]s, it['’]ll, they, them, their, they['’]\\p{L}+, that, that['’]s, those, these, he, she, his, her,
    h(?:e|er)['’]s, she['’]\\p{L}+, which(?!.*\\?), this(?! (?:\\p{L}+ )?(?:week|weekend|month|year|morning|evening|afternoon|night|summer|
    winter|spring|fall|autumn|time)(?!\\p{L}))`),
}

/** `yes` and `no` are no interjections: they can be the answer. */
const smallTalk: SmallTalk = {
  interjections: phrases(`wow, whoa, yeah, yep, yup, yay, oh, ooh, ah, aw+, hey(?: there)?, hi(?: there)?, hello(?: there)?,
    thanks(?: a lot| a bunch| a ton| so much| again)?, thank you(?: so much)?, thx, cool, great, nice, awesome, amazing, sweet, well,
    sure(?: thing)?, ok, okay, absolutely, totally, definitely, exactly, of course, haha+, lol, congrats, congratulations, by the way,
    btw, anyway, actually, honestly, on another note, me too, same here, mm+, yum, that['’]s (?:great|awesome|cool|amazing), you know,
    i mean, good (?:morning|evening|afternoon|to see you), please, sorry, hmm+, um+, glad to hear it, for sure, no worries, no problem`),
  politeWords: spacedWords(`hi hello hey there good morning afternoon evening night day bye goodbye see you later soon thanks thank lot much
    so very again welcome cheers ok okay sure yes no yeah yep nope alright fine cool great nice awesome amazing wonderful lovely sweet super
    perfect wow oh ah well done congrats congratulations how are have been doing is it going what up new long time talk to take care have a
    luck please sorry no problem worries glad happy hear that the your know best for wish fun weekend sounds look looks good i am you re m s
    hope proud of really ya all too and got this keep chat cant wait same here totally agree agreed absolutely exactly right true indeed
    course appreciate support kind words means anytime let me us if need anything else help can today with any one
    since then last spoke spoken talked chatted lot lots tons happened happening changed gone down life busy while ages days few
    something tell want wanted share things stuff see seeing there has`),
  feelings: spacedWords(`positive motivated motivation motivate motivates motivating determined determination focused dream dreams journey
    rewarding inspire inspires inspired inspiring inspiration passion passions passionate joy happiness magic magical feel feels feeling
    feelings felt emotions confident confidence excited exciting exhausting believe believing belief faith supportive encouragement
    encouraging challenges growth success successful succeed struggle struggles overcome strength powerful moments memories special
    important valuable meaningful experience experiences peaceful relaxing calming hopeful grateful matters pumped thrilled nervous scary
    proud reminder reminds progress tough rough worth`),
  plainWords: spacedWords(`gonna gotta wanna keep going gone go quit give giving push pushing work working hard harder stay staying focus
    chase chasing reach ride path believe strong power moment people way ways world life time times day days everything anything nothing
    something everyone others together step steps next make makes making take taking bring brings get getting got need better mind heart
    soul beautiful true come coming bit kind sort forward ahead difference goals goal best cant love support help always never really
    amazing awesome great good fun cool`),
  resolve: regex('iu')`(?<!\p{L})(?:keep(?:s|ing)? (?:going|pushing|on|at it|it up|working|trying|believing|chasing|you updated)|
    never (?:quit|give up)|won['’]t (?:quit|give up|stop|let)|hang(?:ing)? in there|stay(?:ing)? (?:positive|motivated|focused|strong|
    determined|true))(?!\p{L})`,
  reaction: regex(
    'iu',
  )`^(?:(?:i['’]m )?(?:so |really |very |also )?(?:glad|happy|proud|sorry|thrilled|excited) (?:to (?:hear|see|help)|(?:for|
    of) you|(?:that )?you(?:['’]re| are| like| liked| enjoy| enjoyed))|sounds (?:great|good|fun|awesome|amazing|familiar|nice|
    like (?:fun|you|a (?:plan|great|good|lot|blast)))|(?:congrats|congratulations|good luck|best of luck|way to go|well done)|(?:can['’]?t|
    cannot) wait to (?:see|hear|check|try)|i (?:totally |completely )?(?:couldn['’]t )?(?:agree|understand|hear you|get (?:it|that))|
    don['’]t (?:give up|worry|be afraid)|(?:just )?(?:keep|stay) (?:it up|going|up the|pushing|at it|positive|strong)|thanks for|
    here (?:ya|you) go|i['’]ll (?:make sure to |definitely )?keep you (?:posted|updated)$)(?!\p{L})`,
  afterthoughts: phrases('lol, haha+, btw, by the way'),
}

export const english: LanguagePack = {
  language: 'en',
  cues,
  smallTalk,
  abbreviations: phrases(String.raw`Dr, Mr, Mrs, Ms, Prof, St, Jr, Sr, vs, No, etc, e\.g, i\.e, approx`),
  remarks,
  opensAnswer: regex('iu')`^(?:(?:so|now|first|next|then|finally|in this (?:example|case|section)),? )?(?:let['’]s (?!use|keep|go with|
    stick|switch|call)|let me (?!know)|we(?:['’]ll| will| can) (?:also |then |now |first |next )?(?:start|begin|cover|consider|define|
    compare|look|explore|walk|go (?:over|through)|break|apply|add some|take|examine|focus|discuss|see|show|verify|provide|demonstrate|
    use a)|here(?:['’]s| is| are) (?:an?|some|how|what|the (?:steps?|full|complete|updated|revised|corrected|code|example))|
    below (?:is|are)|(?:the|this) (?:following|next) (?:steps?|code|example|table))(?!\p{L})`,
  conjunction: regex('iu')`^(?:(?:and|but|plus|also|or)(?:,?\s+)(?=\p{L})|(?:so|then),?\s+(?=(?:I|we|my|our|the)(?!\p{L})))`,
  facts: (messages) => statedFacts(messages, 'loose states'),
  statesEndedBy,
  subjects: subjectFacts,
  instructions: instructionPatterns,
  endings: instructionEndings,
}
