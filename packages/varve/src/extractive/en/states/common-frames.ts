import { framesOf } from './frame-reader.ts'
import {
  roleEnd,
  aRole,
  name,
  people,
  soft,
  me,
  am,
  few,
  fewEnd,
  often,
  aches,
  conditions,
  degree,
  diets,
  kin,
  household,
} from './frame-words.ts'

/** Work, roles and the people of a team. */
export const workFrames = framesOf`
works as: ^(?:i'm|i am|am|i'm now|i work as|i was made|i became|i've become) ${soft}an? (?<value>${aRole})${roleEnd}
works as: ^(?:as (?=.* i\b)|(?:i )?(?:just )?started (?:work )?as )an? (?<value>${aRole})(?=,? i\b|$| (?:at|in|with|for)\b)
works as: ^i(?:'m| am) ${soft}(?:the )?(?<value>(?:vice[ -])?(?:chair(?:man|woman)?|treasurer|secretary|captain|head chef|owner|founder|
  co-founder|director|president|ceo|cto|cfo) of (?:our|my|an?|the) [\p{L}' -]{3,40})$
works as: ^i(?:'ve| have) been an? (?<value>${aRole}) (?:for|since)\b
works as: ^my (?:day )?job(?:'s| is) (?:as )?(?:an? |the )?(?<value>${aRole})${roleEnd}
works from: ^(?:i|i'm|i am) ${soft}work(?:ing)? (?:remotely |mostly )*from (?<value>home|\p{L}[\p{L} -]{2,30})
works: ^i(?: work|'m on) ${soft}(?<value>nights|(?:night|late|early|split|weekend) shifts)\b
works as: ^${people} ?${soft}(?:(?:took|taken) me on as|(?:hired|appointed|engaged|employed) me as|(?:made|promoted|
  upgraded) me(?: up)?(?: to)?) (?:the |an? )?(?<value>(?!(?:feel|want|think|look|do|see|go|realize|realise|happy|sad|laugh|cry|smile|so|
  very)\b)${few}?)${fewEnd}
works as: ^i(?:'ve| have)? ?${soft}(?:been |was |got |has been )?(?:promoted|appointed|elected|bumped up) (?:to|as) (?:the |
  an? )?(?<value>${few}?)${fewEnd}
works at [cased, weak]: ^(?:I'm|I am|i'm|im|Im) ${soft}(?:an? |the )?(?:[\p{L}/-]+ ){0,2}(?:\p{L}+(?:er|or|ist|ian|ant)|head|lead|nurse|
  chef|vet|intern|clerk) at (?<value>\p{Lu}[\p{L}&.'-]*(?: (?:of |and |& )?\p{Lu}[\p{L}&.'-]*){0,4})$
is: ^i(?:'m| am) ${soft}(?:back )?(?:on )?(?<value>freelance|self-employed|part[ -]time|full[ -]time|between jobs|on (?:parental|
  maternity|paternity|sick) leave)\b
attribute [cased]: ^(?<value>${name}) (?:now |also )?(?:handles|runs|leads|manages|owns|looks after|coaches|covers|chairs|supervises|
  minds|tutors|cleans|does|edits|approves) (?:my|our) (?<what>[\p{L} -]{2,30})$
attribute [cased]: ^(?<value>${name})(?:'s| is) (?:now )?(?:my|our) (?:new |current )?(?<what>(?!best |worst )[\p{L} -]*(?:er|or|ist|ian|
  ant|lead|head|aide|santa|coach|guide|chair|captain|guardian|contact|vet|gp|nanny))(?: (?:in|at|on|for) (?:the|our|
  my) [\p{L} -]+| this (?:year|season|term)| now)?$
`

/** Homes, belongings and places. */
export const homeFrames = framesOf`
lives in: ^(?:i|we)(?:'ve)? ${soft}live in (?<value>an? (?:[\p{L}-]+ ){0,3}(?:village|town|city|suburb|hamlet|island|commune)(?: (?:in|
  near|outside|by|on) [\p{L} -]{2,30})?)$
lives: ^(?:i|we)(?:'ve)? ${soft}live (?<value>(?:just )?(?:outside|near|by|above|opposite|next to|close to|on (?=the |
  an? )) ?[\p{L} -]{3,40})$
lives with: ^(?:i|we) ${soft}(?:live|share (?:an? |the )?(?:flat|house|room|place|apartment|home)) with (?<value>(?:my|our|an?|two|three|
  \p{Lu})[\p{L}' -]{2,30}?)(?: in \p{L}+)?$
lives in [cased]: ^(?:I'm|I am|i'm|im|[Ww]e're|[Ww]e are) ${soft}in (?:an? |our )?(?:\p{Ll}+ ){0,2}(?:house|flat|semi|terrace|apartment|
  bungalow|cottage|studio|bedsit) in (?<value>\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*)$
born in [cased, past]: ^(?:[Ii] was )?[Bb]orn (?:and raised )?in (?<value>\d{4}|\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*)$
savings: ^(?:i|we)(?:'ve| have)(?: got)? (?<value>(?:about |around )?[€£$] ?\d[\d.,]*k?) (?:saved|in savings)
`

/** Studies, pastimes, preferences and wishes. */
export const tasteFrames = framesOf`
graduated from [past, cased]: ^(?:I|i|[Ww]e)(?:'ve| have)? ?(?:just |finally |
  recently )*graduated (?:[\p{Ll} ]{3,25} )?from (?<value>(?:the )?\p{Lu}[\p{L}&.'-]+(?: (?:of |and )?\p{Lu}[\p{L}&.'-]+)*)
studied [past]: ^(?:i|i've|i have) ?${soft}(?:have|got|did|hold|finished|completed|earned) (?:an?|
  my) (?:[\p{L}'-]+ )?${degree} in (?<value>\p{L}[\p{L} -]{2,30}?)(?=$| (?:from|at|back|in) )
studies: ^i(?:'m| am) ${soft}(?:doing|working on|taking|pursuing|finishing) (?:an?|
  my) (?:[\p{L}'-]+ )?${degree} in (?<value>\p{L}[\p{L} -]{2,30}?)(?=$| (?:from|at) )
collects: ^${me}collect (?<value>[\p{L}\p{N}' -]{4,40})$
does: ^i ${soft}(?:go|do) (?<value>\p{L}{4,12}ing|yoga|pilates|karate|judo|ballet|tai chi|crossfit)(?=$| (?:on|every|twice|once|most) )
volunteers at: ^i ${soft}volunteer (?:at|for|with) (?<value>(?:the|an?|our|my|\p{Lu}) ?[\p{L}' -]{3,40}?)(?=$| (?:on|every|twice|once|
  most) )
is: ^i(?:'m| am) (?<value>an? (?:keen|avid|passionate) [\p{L} -]{3,25}(?:er|or|ist))$
likes: ^i(?:'m| am) an? (?:big |huge |massive )?fan of (?<value>(?!(?:your|that|this|it|both)\b)[\p{L} -]{3,40})$
{what}: ^(?:my|our) (?<what>(?:go-to|usual|regular|default|preferred|signature|everyday|daily|fav(?:ou?rite)?) [\p{L} -]{3,50}?) (?:is|
  are|'s) ${soft}(?<value>(?!(?:when|that|to|how|what|not)\b).{2,40})$
prefers: ^(?:i|we) ${soft}prefer (?<value>(?!(?:it|that|this|if|when|not|them|to|my|our|\p{L}+ing)\b).{3,50}?)(?: (?:to|than|over|
  instead of) (?<old>.+))?$
likes: ^${me}(?:come (?:round|around) to|came (?:round|around) to|warmed to|warmed up to|been won over by|taken to|grown fond of|
  come to (?:like|love|prefer)|grown to (?:like|love)|got(?:ten)? into|fallen for) (?<value>.{3,50}?)(?: (?:rather than|over|instead of|
  more than) (?<old>.+))?$
is into [weak]: ^i(?:'m| am) ${soft}(?:really |all |very much )?(?:into|hooked on|team|a convert to) (?<value>(?!(?:this|that|it|their|
  your|his|her|the|\p{L}+ing)\b)${few}?)(?: (?:now|these days))?(?: (?:more than|rather than|over|instead of) (?<old>.+))?$
likes: ^(?<value>\p{L}[\p{L} -]{1,30}?)(?:'s|'re| is| are) (?:now )?my (?:thing|bag|jam|go-to|poison|cup of tea|choice|new love)\b
wants: ^(?<value>(?!(?:this|that|it|for|one|not|the|read|invite|adults|members|staff)\b)\p{L}[\p{L} -]{1,25}?) only (?:for (?:me|us)|
  please|pls)\b
attribute [weak, valued]: ^(?:please )?(?:use|take|go with|put|write|sign) (?<value>.{2,60}?) (?:for|in|as|on) (?:the |my |our |all |
  any )?(?<what>.{2,40})$
attribute [weak, valued]: ^(?:please )?(?:sign|end|close|open|start|finish|begin) (?:off )?(?<what>.{2,40}?) with (?<value>.{2,60})$
likes to be called [cased]: ^(?:[Pp]lease )?(?:(?:you can |just |do )?|.{0,60}?\b(?:they|people|everyone|everybody|friends|folks|
  you(?:'re| are)?|kids|colleagues)(?: all)?(?: to)? )[Cc]alls? (?:me|us) (?<value>\p{Lu}\S*(?: \p{Lu}\S*){0,2}?)(?=$|,| (?:
  in|on|at|like|from|now|please|instead|here)\b)
wants answers in: ^(?:please )?(?:answer|reply to|write to|talk to|speak to|respond to|address|email) me (?:in|
  with) (?<value>.{3,40}?)(?: (?:and not|not|rather than|instead of) (?<old>.+))?$
`

/** Food, health and habits. */
export const bodyFrames = framesOf`
was put on: ^.{0,60}?\b(?:put|moved|switched|started) me on(?:to)? (?<value>(?!hold\b|(?:the|my|a) (?:phone|spot|list|train|bus|
  plane))${few})$
blood type: ^i(?:'m| am) (?:actually )?(?:blood type )?(?<value>(?:a|b|ab|o)[ -]?(?:pos(?:itive)?|neg(?:ative)?|\+|-))$
has: ^${me}(?:have|got|have got) (?<value>an? (?:bad|dodgy|weak|torn|broken|sprained|fractured) (?:left |right )?(?:knee|back|hip|ankle|
  shoulder|wrist|neck|foot|heart|elbow))\b
diet: ^${me}(?:try to )?(?:stay|eat|live|keep|gone|went|turned|became|become|been|going) (?:all |completely |fully |
  strictly )*(?<value>${diets})\b
diet: ^we(?:'re| are) ${soft}(?:an? )?(?<value>${diets})(?: household| family)?\b
relationship status: ^i(?:'m| am) ${soft}(?:happily |recently |newly )?(?<value>married|divorced|widowed|engaged|separated)(?=$| (?:with|
  for) )
is: ^${am}(?<value>an? (?:single |stay-at-home |foster |first-time |proud )?(?:mum|mom|dad|mother|father|parent|grandmother|
  grandfather)(?: (?:of|to) [\p{L} ]{3,25})?)$
has: ^${me}(?<what>wear|have|get|got|use|suffer from|live with|have got|been diagnosed with|developed) (?:an? |bad |chronic |mild |
  severe |occasional )*(?<value>(?:[\p{L}-]+ )?${aches}(?: (?:in|on|at) [\p{L} ]{2,25})?)\b
religion: ^i(?:'m| am) ${soft}(?:an? )?(?<value>muslim|hindu|jewish|sikh|buddhist|catholic|christian|protestant|quaker|
  atheist)(?=$|,| (?:and|but|so)\b)
is: ^${am}(?:now |partly |mildly |severely )?(?<value>${conditions})\b
{what} [weak]: ^(?:i|we) ${soft}(?<what>(?!think|guess|feel|know|hope|see|get|need|want|take|had|was|were|am|are|is|have|try|love|can|go|
  come|look|talk|call)\p{L}{2,10}(?: (?:aside|off|out|up|away))?) (?<value>(?:[\p{L}\p{N}'£$€.,-]+ ){0,6}?${often})(?=$|,| (?:in|at|with|
  before|after|from|on|for|by)\b)
`

/** Tools, decisions, dates and figures. */
export const thingFrames = framesOf`
{what}: ^it(?:'s| is)(?: now| really)? (?<value>${few}) (?:that |which )?(?:i|we) (?:now )?(?<what>(?!talked|met|spoke|saw|
  last)\p{L}+(?: (?:to|on|in|with|at|from))?)(?: now| these days)?$
{what} costs: ^(?!(?:an?|every|each|this|that|it) )(?<what>[\p{L}' -]{4,40}?) costs? (?:me |us )?(?<value>\d[\d.,]*(?: .{1,20})?)$
{what} [valued]: ^(?<value>${few}) is (?:what|where|the one|who) (?:i|we) (?:now )?(?<what>\p{L}+(?: (?:on|in|at|with|for))?)$
chose [past, weak]: ^(?:i|we|the (?:team|board|committee|club|band|family))(?:'ve| have| has)? ?${soft}(?:chose|chosen|picked(?! up)|
  settled on|decided on|voted for|agreed on|opted for|gone with|went with|go with) (?<value>(?!(?:it|this|that|to|not|him|her|them|which|
  a date|my|the|up)\b).{3,50}?)(?: (?:over|instead of|rather than) (?<old>.+))?$
attribute: ^(?!(?:i|we|it|they|you|especially)\b)(?:my |our |
  the )?(?<what>[\p{L}-]+(?: [\p{L}-]+){0,4}?)(?:'s| has| have)? ${soft}(?:rose|fell|went|gone|climbed|jumped|dropped|came down|crept up|
  shot up|gone up|gone down|grown|grew|hit|reached|risen|fallen|increased|decreased|sank|doubled|shrank|
  shrunk)(?: up| down)?(?: from (?<old>\S*\d\S*(?: \p{L}+)?))?(?: to)? (?<value>\S*\d.{0,40}?)(?: (?:for|with|after|at) (?:our|the|my|
  us)\b.*)?$
`

/** Kin and pets of the speaker. */
export const kinFrames = framesOf`
has: ^(?<kin>${kin}) (?:now |also )?(?<what>wears|wear|has|have|gets|uses|use|suffers from|lives with|has got|was diagnosed with) (?:an? |
  bad |chronic |mild |severe )*(?<value>(?:[\p{L}-]+ )?${aches})\b
is: ^(?<kin>${kin})(?:'s| is| are) (?:now |also )?(?<value>${conditions})\b
is: ^(?<kin>${household})(?:'s| is| are| has| have)? (?:now |gone |went |turned |became |become )*(?<value>${diets})\b
works as: ^(?<kin>${kin})(?:'s| is| works as) (?:now )?an? (?<value>${aRole})${roleEnd}
age [weak]: ^(?<kin>${kin}) (?:just |has |has just )?turned (?<value>\d{1,3})\b
likes: ^(?<kin>${kin})(?:'s| is| are) (?:really |very |all |now )?into (?<value>(?!(?:the|it|this|that|them|everything)\b)${few})$
collects: ^(?<kin>${kin}) collects? (?<value>\p{L}[\p{L} -]{3,30})$
{what}: ^(?<kin>${kin}) (?:now |only )?(?<what>takes|eats|drinks|gets) (?<value>(?:his|her|their) \p{L}+ [\p{L} -]{3,20}|[\d.,]+ ?(?:g|
  grams|ml|mg|kg|cups?)\b.{0,25})
`

/** A thing and its name beside it: `we have got a new au pair, Camille`. */
export const besideFrames = framesOf`
attribute [cased]: (?:^|^(?:[Ii]|[Ww]e|[Tt]hey|[Tt]he \p{Ll}+)(?:'ve|'s| have| has)? ?(?:finally |just |now )*)(?:[Hh]ave|[Hh]as|[Gg]ot|
  [Bb]ought|[Aa]dopted|[Hh]ired|[Tt]here's|[Tt]here is|[Mm]eet|[Ww]elcome|[Jj]oined) (?:now |finally |also )?(?:an?|another|our|my|
  its own|their own)(?: new| second| third)? (?<what>[\p{Ll}-]+(?: [\p{Ll}-]+){0,2}?)(?: (?:on|in|at|for) (?:our|my|
  the) [\p{Ll}-]+(?: [\p{Ll}-]+)?)?(?: now)?, (?:an? )?(?:[\p{Ll}-]+ ){0,2}(?<value>${name}(?: \d+)?)$
attribute [cased]: ^(?:[Aa]nother|[Aa] (?:new|second|third)|(?:[Mm]y|[Oo]ur) (?:new|other|
  second)) (?<what>[\p{Ll}-]+(?: [\p{Ll}-]+){0,2}?)(?: (?:has |have )?(?:moved in|joined us|arrived|came|
  started)(?: \p{Ll}+){0,2})?, (?:an? )?(?:[\p{Ll}-]+ ){0,2}(?<value>${name}(?: \d+)?)$
`
