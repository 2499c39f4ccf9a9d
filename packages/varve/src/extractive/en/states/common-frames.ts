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
  weekdayWord,
  often,
  manners,
  aches,
  conditions,
  degree,
  diets,
  kin,
  household,
  home,
} from './frame-words.ts'

/** Work, roles and the people of a team. */
export const workFrames = framesOf`
works as: ^(?:i'm|i am|i'm now|i work as|i was made|i became|i've become) ${soft}an? (?<value>${aRole})${roleEnd}
works as: ^i(?:'ve| have) been an? (?<value>${aRole}) (?:for|since)\b
works as: ^my (?:day )?job(?:'s| is) (?:as )?(?:an? |the )?(?<value>${aRole})${roleEnd}
works from: ^(?:i|i'm|i am) ${soft}work(?:ing)? (?:remotely |mostly )*from (?<value>home|\p{L}[\p{L} -]{2,30})
works: ^i(?: work|'m on) ${soft}(?<value>nights|(?:night|late|early|split|weekend) shifts)\b
works as: ^as an? (?<value>${aRole}) (?:i|we|my)\b
works as: ^${people} ?${soft}(?:(?:took|taken) me on as|(?:hired|appointed|engaged|employed) me as|(?:made|promoted|
  upgraded) me(?: up)?(?: to)?) (?:the |an? )?(?<value>(?!(?:feel|want|think|look|do|see|go|realize|realise|happy|sad|laugh|cry|smile|so|
  very)\b)${few}?)${fewEnd}
works as: ^i(?:'ve| have)? ?${soft}(?:been |was |got |has been )?(?:promoted|appointed|elected|bumped up) (?:to|as) (?:the |
  an? )?(?<value>${few}?)${fewEnd}
went [past]: ^i(?:'ve| have)? ?${soft}(?:went|gone|go) (?<value>freelance|solo|self-employed|independent|part[ -]time|full[ -]time|
  remote)\b
is: ^i(?:'m| am) ${soft}(?:back )?(?:on )?(?<value>freelance|self-employed|part[ -]time|full[ -]time|between jobs|on (?:parental|
  maternity|
  paternity|sick) leave)\b
is {what}: ^i(?:'m| am) ${soft}(?<what>leading|managing|heading|running|coaching|chairing|supervising) (?<value>the [\p{L} -]{3,40}?)
  (?: from)?(?: instead of (?<old>.+))?$
works at: ^i ${soft}work (?:for|at) (?<value>an? [\p{L} '-]{4,50}?)(?=$|,| (?:and|so|as) )
was moved to [past]: ^${people} ?${soft}(?:moved|put|transferred|assigned|switched|shifted) me (?:back |over )?(?:to|on|onto|
  into) (?<value>(?!(?:hold|edge|bed|sleep|work|tears)\b)${few}?)(?: (?:from|after) (?<old>.+))?$
moved to [past]: ^i(?:'ve| have)? ?${soft}moved from (?:the )?(?<old>[\p{L} -]{2,30}?) to (?<value>(?:nights|days|earlies|lates|(?:the |
  an? )?[\p{L} -]{2,25}(?:team|shift|shifts|department|squad|ward|desk|office|rota)))$
does: ^i do (?<value>payroll|bookkeeping|accounting|catering|marketing|security|reception|sales|logistics|dispatch|translations?|tutoring|
  childcare|admin|hr|it|research|costumes|lighting|sound)\b
attribute [cased]: ^(?:[Tt]hey|[Ww]e|[Tt]he [\p{Ll}]+(?: [\p{Ll}]+)?)(?:'ve| have| has)? ?${soft}(?:made|appointed|named|elected|voted|
  hired|picked|chose) (?<value>${name}) (?:as |to be )?(?:the |our |my |an? )?(?<what>[\p{Ll}][\p{L} '-]{2,50})$
attribute [cased]: ^(?<value>${name})(?:'s| is) (?:now )?the (?:one|person|guy|woman|man|lady|contact|go-to) (?:to (?:ask|call|
  ping) (?:about|for) |on |for |in charge of |who )(?<what>[\p{L} '-]{3,40}?)(?: for (?:us|me))?$
attribute [cased]: ^(?<value>${name}) (?:now )?(?:chairs|supervises|teaches|minds|walks|services|fixes|tutors|cuts|cleans|does|edits|
  signs off|approves|feeds|grooms|treats) (?:my|our) (?<what>[\p{L} -]{2,30})$
attribute [cased]: ^(?<value>${name})(?:'s| is) (?:now )?(?:my|our) (?:new |current )?(?<what>(?!best |worst )[\p{L} -]*(?:er|or|ist|ian|
  ant|lead|head|aide|santa|coach|guide|chair|captain|guardian|contact|vet|gp|nanny))(?: (?:in|at|on|for) (?:the|our|my) [\p{L} -]+|
   this (?:year|season|term)| now)?$
company {what}: ^(?:our|my) (?:company|firm|shop|workshop|studio|factory|business|co-?op|family|team) (?<what>makes|sells|builds|produces|
  prints|brews|repairs|rents out|imports|grows) (?<value>[\p{L} -]{3,50})$
`

/** Homes, belongings and places. */
export const homeFrames = framesOf`
lives in: ^(?:i|we)(?:'ve)? ${soft}live in (?<value>an? (?:[\p{L}-]+ ){0,3}(?:village|town|city|suburb|hamlet|island|commune)(?: (?:in|
  near|
  outside|by|on) [\p{L} -]{2,30})?)$
lives: ^(?:i|we)(?:'ve)? ${soft}live (?<value>(?:just )?(?:outside|near|by|above|opposite|next to|close to|on (?=the |
  an? )) ?[\p{L} -]{3,40})$
lives with: ^(?:i|we) ${soft}(?:live|share (?:an? |the )?(?:flat|house|room|place|apartment|home)) with (?<value>(?:my|our|an?|two|
  three|\p{Lu})
  [\p{L}' -]{2,30}?)(?: in \p{L}+)?$
rent: ^(?:i|we) ${soft}rent (?:an?|the|our|my) [\p{L}' -]{3,40} for (?<value>[€£$] ?\d[\d.,]*k?(?: an? \p{L}+)?)$
savings: ^(?:i|we)(?:'ve| have)(?: got)? (?<value>(?:about |around )?[€£$] ?\d[\d.,]*k?) (?:saved|put aside|set aside|in savings)
moved in with [past]: ^${me}moved in with (?<value>.{3,40}?)(?= after | since | because |$)
{what} {at}: ^(?:i|we)(?:'m|'re| am| are)? ${soft}(?<what>staying|lodging|camping|crashing|squatting|based|stay|sleep|operate|train|
  rehearse|practi[sc]e|busk|trade) (?:up |down |out )?(?<at>at|in|on|out of|from|under) (?<value>(?:an? |the |my |our )?.{3,50})$
{what} [past]: ^${me}(?<what>bought|inherited|built|rented|leased|acquired|adopted) (?<value>(?!a lot of)(?:the|an?|our|my|two|three|
  four|some) (?:[\p{L}'-]+ ){0,4}?${home}\b(?: (?:in|near|outside|next|on|by|at) .{2,40})?)
{what} has [weak]: ^there(?:'s| is| are) ${soft}(?<value>(?:an?|another|two|three|four) .{3,40}?) (?<at>in|on|at|behind|
  outside) (?:our|my) (?<what>\p{L}+(?: \p{L}+)?)\b
has: ^${me}got (?<value>(?:an?|two|three|four|a pair of|a couple of) (?:[\p{L}'-]+ ){0,3}?${home})(?: at home| here| now)?$
{what} has: ^(?:my|our|the|the new|new) (?:new )?(?<what>house|place|flat|apartment|home|cabin|cottage|studio|office|school|farm|van|
  boat|workshop) (?:now )?(?:has|comes with) (?<value>.{3,50})$
`

/** Studies, pastimes, preferences and wishes. */
export const tasteFrames = framesOf`
graduated from [past, cased]: ^(?:I|i|[Ww]e)(?:'ve| have)? ?(?:just |finally |
  recently )*graduated (?:[\p{Ll} ]{3,25} )?from (?<value>(?:the )?\p{Lu}
  [\p{L}&.'-]+(?: (?:of |and )?\p{Lu}[\p{L}&.'-]+)*)
studied [past]: ^(?:i|i've|i have) ?${soft}(?:have|got|did|hold|finished|completed|earned) (?:an?|
  my) (?:[\p{L}'-]+ )?${degree} in (?<value>
  \p{L}[\p{L} -]{2,30}?)(?=$| (?:from|at|back|in) )
studies: ^i(?:'m| am) ${soft}(?:doing|working on|taking|pursuing|finishing) (?:an?|my) (?:[\p{L}'-]+ )?${degree} in (?<value>
  \p{L}[\p{L} -]{2,30}?)(?=$| (?:from|at) )
collects: ^${me}collect (?<value>[\p{L}\p{N}' -]{4,40})$
does: ^i ${soft}(?:go|do) (?<value>\p{L}{4,12}ing|yoga|pilates|karate|judo|ballet|tai chi|crossfit)(?=$| (?:on|every|twice|once|most) )
volunteers at: ^i ${soft}volunteer (?:at|for|with) (?<value>(?:the|an?|our|my|\p{Lu}) ?[\p{L}' -]{3,40}?)(?=$| (?:on|every|twice|once|
  most) )
is: ^i(?:'m| am) (?<value>an? (?:keen|avid|passionate) [\p{L} -]{3,25}(?:er|or|ist))$
likes: ^i(?:'m| am) an? (?:big |huge |massive )?fan of (?<value>(?!(?:your|that|this|it|both)\b)[\p{L} -]{3,40})$
{what}: ^(?:my|our) (?<what>(?:go-to|usual|regular|default|preferred|signature|everyday|daily|fav(?:ou?rite)?) [\p{L} -]{3,50}?) (?:is|
  are|
  's) ${soft}(?<value>(?!(?:when|that|to|how|what|not)\b).{2,40})$
likes {what}: ^i ${soft}(?:prefer|like|love|want|take|drink|need) (?:all )?(?:my|the|our) (?<what>(?:[\p{L}-]+ ){0,2}?[\p{L}-]+) (?<value>
  (?:without|with no|as an?) [\p{L}\p{N} -]{2,40}|(?:${manners})(?:(?:,| and) (?:${manners}))?)$
prefers: ^(?:i|we) ${soft}prefer (?<value>(?!(?:it|that|this|if|when|not|them|to|\p{L}+ing)\b).{3,50}?)(?: (?:to|than|over|
  instead of) (?<old>.+))?$
is [weak]: ^i(?:'m| am) ${soft}(?:more of |very much )?(?:an? )?(?<value>(?!(?:your|his|her|their|the|big|huge|nice|good|bad|great|
  different|new|people|shy|kind|terrible) )[\p{L} -]{2,25} (?:person|type|guy|girl|eater|drinker|reader))(?: (?:now|these days))?$
prefers: ^(?:i|we) ${soft}(?:go for|choose|pick|take|prefer|like|favou?r|enjoy|love) (?<value>${few}?) (?:over|rather than|(?:better |
  more )than|instead of) (?<old>${few})(?: (?:for|in|when|as|on) .+)?$
likes: ^${me}(?:come (?:round|around) to|came (?:round|around) to|warmed to|warmed up to|been won over by|taken to|grown fond of|
  come to (?:like|love|prefer)|grown to (?:like|love)|got(?:ten)? into|fallen for) (?<value>.{3,50}?)(?: (?:rather than|over|instead of|
  more than) (?<old>.+))?$
is into [weak]: ^i(?:'m| am) ${soft}(?:really |all |very much )?(?:into|hooked on|team|a convert to) (?<value>(?!(?:this|that|it|their|
  your|
  his|her|the|\p{L}+ing)\b)${few}?)(?: (?:now|these days))?(?: (?:more than|rather than|over|instead of) (?<old>.+))?$
likes: ^(?<value>\p{L}[\p{L} -]{1,30}?)(?:'s|'re| is| are) (?:now )?my (?:thing|bag|jam|go-to|poison|cup of tea|choice|new love)\b
wants: ^(?<value>(?!(?:thanks?|good|bad|perfect|easy|hard|great|best|worst|not|too|so|ok|okay|enough|same|nothing|anything|something|news|
  only)\b)[\p{L}\p{N}][\p{L}\p{N} -]{1,30}?)(?: only)? for (?:me|us)(?: (?:now|please|pls|from now on|these days|from here on|
  in future))+$
wants: ^(?<value>(?!(?:this|that|it|for|one|not|the|read|invite|adults|members|staff)\b)\p{L}[\p{L} -]{1,25}?) only (?:for (?:me|us)|
  please|
  pls)\b
wants answers in: ^(?:please )?(?:answer|reply to|write to|talk to|speak to|respond to|address|email) me (?:in|
  with) (?<value>.{3,40}?)(?: (?:and not|not|rather than|instead of) (?<old>.+))?$
wants [weak]: ^(?:i|we) (?:now )?want (?<value>${few} (?:on|in|for) (?:all|every|each|the|our|my) [\p{L} -]{3,20}?)(?: from now on)?$
`

/** Food, health and habits. */
export const bodyFrames = framesOf`
was put on: ^.{0,60}?\b(?:put|moved|switched|started) me on(?:to)? (?<value>(?!hold\b|(?:the|my|a) (?:phone|spot|list|train|bus|
  plane))${few})$
blood type: ^i(?:'m| am) (?:actually )?(?:blood type )?(?<value>(?:a|b|ab|o)[ -]?(?:pos(?:itive)?|neg(?:ative)?|\+|-))$
eats no: ^no (?<value>[\p{L} -]{3,25}?)(?: is| are)?(?: allowed| eaten)? (?:in (?:our|my|this) (?:house|home|flat|kitchen|family|
  household)|at ours|at home|on my plate)\b
has: ^${me}(?:have|got|have got) (?<value>an? (?:bad|dodgy|weak|torn|broken|sprained|fractured) (?:left |right )?(?:knee|back|hip|ankle|
  shoulder|wrist|neck|foot|heart|elbow))\b
diet: ^we(?:'re| are) ${soft}(?:an? )?(?<value>${diets})(?: household| family)?\b
relationship status: ^i(?:'m| am) ${soft}(?:happily |recently |newly )?(?<value>married|divorced|widowed|engaged|separated)(?=$|
   (?:with|for) )
is: ^${am}(?<value>an? (?:single |stay-at-home |foster |first-time |proud )?(?:mum|mom|dad|mother|father|parent|grandmother|grandfather)
  (?: (?:of|to) [\p{L} ]{3,25})?)$
fasts: ^i ${soft}fast (?<value>(?:until|till|from|on|for|every|between) .{2,30})$
avoids: ^${me}(?:avoid|steer clear of|stay off|stay away from|keep off|lay off|cut out|try to stay away from) (?<value>(?!(?:it|this|
  that|any|the|using|doing|making|over|errors?)\b)[\p{L} -]{3,25}?)(?: (?:in|for|because|completely|entirely|altogether)\b.*)?$
diet: ^i ${soft}(?:try to )?(?:stay|eat|live|keep) (?<value>${diets})\b
is on: ^${am}on (?<value>(?!an? diet|the (?:schedule|course))(?:an? |the )?(?:[\p{L}\p{N}:'-]+ ){1,3}(?:diet|fast|schedule|regime|
  regimen|protocol|course|waiting list|tablets|pills|meds|antibiotics|steroids|beta blockers|blood thinners))\b
is down to: ^(?:i(?:'m| am)? )?${soft}(?:down|up|back) to (?<value>(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|
  \d[\d.,]*) .{2,40})$
has: ^${me}(?<what>wear|have|get|got|use|suffer from|live with|have got|been diagnosed with|developed) (?:an? |bad |chronic |mild |
  severe |occasional )*(?<value>(?:[\p{L}-]+ )?${aches}(?: (?:in|on|at) [\p{L} ]{2,25})?)\b
is: ^${am}(?:now |partly |mildly |severely )?(?<value>${conditions})\b
is {at}: ^(?:the|my) (?:doctor|doc|gp|physio|dentist|clinic|surgery|hospital|consultant|vet|nurse|therapist|dermatologist|
  surgeon)(?:'s| has| have)? ${soft}(?:has |got |put |had |prescribed )?me (?<at>in|on|off|
  wearing) (?<value>.{3,40}?)(?: (?:instead of) (?<old>.+))?$
{what} [weak]: ^(?:i|we) ${soft}(?<what>(?!think|guess|feel|know|hope|see|get|need|want|take|had|was|were|am|are|is|have|try|love|can|
  go|come|look|talk|call)\p{L}{2,10}(?: (?:aside|off|out|up|away))?) (?<value>(?:[\p{L}\p{N}'£$€.,-]+ ){0,6}?${often})(?=$|,| (?:in|at|
  with|before|after|from|on|for|by)\b)
{what} [weak]: ^(?<value>(?:on )?(?:${often}|${weekdayWord})) (?:i|we) ${soft}(?<what>(?!think|guess|feel|know|hope|see|get|need|want|had|
  was|were|am|are|is|have|try|can)\p{L}{2,10})(?: |$)
is {what}: ^we(?:'re| are) ${soft}(?<what>closed|open|shut|away) (?<value>(?:in|on|from|until|all) .{3,40})$
`

/** Tools, decisions, dates and figures. */
export const thingFrames = framesOf`
attribute [valued]: \b(?:into|with|on|using|to) (?<value>[\p{L}\p{N}.+#-]+(?: [\p{L}\p{N}.+#-]+)?) as (?:my|our) (?:only |main |new |
  daily |go-to )+(?<what>[\p{L} -]{2,20})$
attribute: ^(?:i|we)(?:'ve| have)? ?${soft}(?:rewrote|rewritten|rebuilt|reimplemented|redid) (?:the|our|
  my) (?<what>[\p{L} -]{2,30}?) (?:in|with|on) (?<value>.{2,30})$
{what}: ^it(?:'s| is)(?: now| really)? (?<value>${few}) (?:that |which )?(?:i|we) (?:now )?(?<what>(?!talked|met|spoke|saw|
  last)\p{L}+(?: (?:to|on|in|with|at|from))?)(?: now| these days)?$
license: ^(?:i|we)(?:'ve| have)? ?${soft}(?:relicensed|licensed) .{2,30}? (?:under|as|to) (?:the )?(?<value>.{2,30})$
{what} costs: ^(?!(?:an?|every|each|this|that|it) )(?<what>[\p{L}' -]{4,40}?) costs? (?:me |us )?(?<value>\d[\d.,]*(?: .{1,20})?)$
{what} [cased]: ^(?:I|i|[Ww]e) ${soft}(?<what>go by|trade as|gig as|play as|perform as|publish as|write as|sign as|answer to|tour as|
  record as) (?<value>(?:the )?\p{Lu}.{1,40})$
{what} [valued]: ^(?<value>${few}) is (?:now )?(?:the )?(?:day|time|place|when|where) (?:that |when |where |on which )?(?:our|
  my|the) (?<what>[\p{L}' -]{2,30})$
attribute [valued]: ^(?<value>${few}) is what (?:our|my|the) (?<what>[\p{L} -]{2,30}?) (?:has|uses|runs|runs on|is on|needs|ships|
  supports)$
{what} [valued]: ^(?<value>${few}) is (?:what|where|the one|who) (?:i|we) (?:now )?(?<what>\p{L}+(?: (?:on|in|at|with|for))?)$
is {what} {at} [valued]: ^${am}(?<what>shipping|publishing|releasing|licensing|hosting|deploying|building|standardi[sz]ing|recording|
  printing|editing|compiling|filming) (?<at>under|on|with|in|at|to) (?<value>${few})$
{what} {at} [valued]: ^(?:i|we) ${soft}(?<what>edit|draw|paint|mix|record|compile|code|print|sew|film|trade|bank|publish|track|plan|write|
  host|deploy) (?:everything |all my \p{L}+ |it all |mine )?(?<at>in|with|on|under|at) (?<value>${few})$
has: ^it(?:'s been| has been|'s| is)(?: now)? (?<value>[\p{L} -]{3,30}?) (?:instead of|rather than|
  over) (?<old>[\p{L} -]{3,30}?)(?: (?:for (?:me|us)|at|in|with) ?.{0,30})?$
{what} has gone: ^(?:the|our|my) (?<what>[\p{L}-]+(?: [\p{L}-]+)?)(?:'s| has| have|'ve|'re| is) (?:now )?gone (?<value>(?!(?:up|down|back|
  off|out|to|from|home|over|through|into|on|in|live|well|wrong|bad|missing|mad|crazy|quiet)\b)[\p{L}-]+(?: [\p{L}-]+)?)$
switched to [past]: ^${me}(?:made|making) the (?:jump|switch|move|leap|change) (?:over )?(?:from (?<old>.{2,30}?) )?to (?<value>${few}?)
  ${fewEnd}
chose [past, weak]: ^(?:i|we|the (?:team|board|committee|club|band|family))(?:'ve| have| has)? ?${soft}(?:chose|chosen|picked(?! up)|
  settled on|decided on|voted for|agreed on|opted for|gone with|went with|go with) (?<value>(?!(?:it|this|that|to|not|him|her|them|which|
  a date|my|the|up)\b).{3,50}?)(?: (?:over|instead of|rather than) (?<old>.+))?$
attribute: ^(?!(?:i|we|it|they|you|especially)\b)(?:my |our |the )?(?<what>[\p{L}-]+(?: [\p{L}-]+){0,4}?)(?:'s| has|
   have)? ${soft}(?:rose|
  fell|went|gone|climbed|jumped|dropped|came down|crept up|shot up|gone up|gone down|grown|grew|hit|reached|risen|fallen|increased|
  decreased|sank|doubled|shrank|shrunk)(?: up| down)?(?: from (?<old>\S*\d\S*(?: \p{L}+)?))?(?: to)? (?<value>\S*\d.{0,40}?)(?: (?:for|
  with|
  after|at) (?:our|the|my|us)\b.*)?$
went to [past]: ^(?:i've |i have |i |we've |we )?(?:gone|went|got|am|came) (?:down |up )?from (?<old>.{1,20}?) to (?<value>\S*\d.{0,20})$
attribute: ^(?<what>[\p{L}' -]{4,40}?) (?:costs?|is|are|comes to|sets us back|runs us) (?<value>[€£$] ?\d[\d.,]*k?(?: (?:a|per|each|
  an) \p{L}+)?)(?: for .+)?$
attribute: ^(?:our|my) (?<what>[\p{L} -]{3,30}?) is ${soft}(?<value>free|timber|wooden|stone|brick|steel|concrete|electric|manual|
  second-hand|rented|leased|underfloor)(?: from now on| of charge)?$
`

/** Kin and pets of the speaker. */
export const kinFrames = framesOf`
has: ^(?<kin>${kin}) (?:now |also )?(?<what>wears|wear|has|have|gets|uses|use|suffers from|lives with|has got|
  was diagnosed with) (?:an? |bad |chronic |mild |severe )*(?<value>(?:[\p{L}-]+ )?${aches})\b
is: ^(?<kin>${kin})(?:'s| is| are) (?:now |also )?(?<value>${conditions})\b
is: ^(?<kin>${household})(?:'s| is| are| has| have)? (?:now |gone |went |turned |became |become )*(?<value>${diets})\b
works as: ^(?<kin>${kin})(?:'s| is| works as) (?:now )?an? (?<value>${aRole})${roleEnd}
works as: ^(?<kin>${kin})(?:'s| has) (?:just |finally )?(?:made|been made|become|got) (?<value>${aRole}|partner)${roleEnd}
{what}: ^(?<kin>${kin}) (?:now )?(?<what>runs|owns|rents|keeps|manages) (?<value>an? [\p{L} -]{3,30}?)(?=$|,| and | with )
lives in: ^(?<kin>${kin}) (?:now )?lives (?:in|at) (?<value>an? [\p{L} -]{3,30}(?: (?:called|in|near) \p{Lu}\p{L}+)?)
attribute [valued]: ^(?<kin>${kin})'?s? (?<what>place|house|flat|unit|school|office|dose|\p{Ll}+(?:pril|artan|statin|olol|pine|
  zole)) (?:is|'s)(?: now)? (?:based )?(?:in |at )?(?<value>${few})$
{what}: ^(?<kin>${kin}) (?:now |only )?(?<what>takes|eats|drinks|gets) (?<value>(?:his|her|their) \p{L}+ [\p{L} -]{3,20}|[\d.,]+ ?(?:g|
  grams|ml|mg|kg|cups?)\b.{0,25})
`

/** A thing and its name beside it: `we have got a new au pair, Camille`. */
export const besideFrames = framesOf`
attribute [cased]: (?:^|^(?:[Ii]|[Ww]e|[Tt]hey|[Tt]he \p{Ll}+)(?:'ve|'s| have| has)? ?(?:finally |just |now )*)(?:[Hh]ave|[Hh]as|
  [Gg]ot|[Bb]ought|[Aa]dopted|[Hh]ired|[Tt]here's|[Tt]here is|[Mm]eet|[Ww]elcome|[Jj]oined) (?:now |finally |also )?(?:an?|another|our|
  my|its own|their own)(?: new| second| third)? (?<what>[\p{Ll}-]+(?: [\p{Ll}-]+){0,2}?)(?: (?:on|in|at|for) (?:our|my|
  the) [\p{Ll}-]+(?: [\p{Ll}-]+)?)?(?: now)?, (?:an? )?(?:[\p{Ll}-]+ ){0,2}(?<value>${name}(?: \d+)?)$
attribute [cased]: ^(?:[Aa]nother|[Aa] (?:new|second|third)|(?:[Mm]y|[Oo]ur) (?:new|other|
  second)) (?<what>[\p{Ll}-]+(?: [\p{Ll}-]+){0,2}?)(?: (?:has |have )?(?:moved in|joined us|arrived|came|
  started)(?: \p{Ll}+){0,2})?, (?:an? )?(?:[\p{Ll}-]+ ){0,2}(?<value>${name}(?: \d+)?)$
`
