import { source } from '../../word-lists.ts'

/** One answer, one text, one time. */
export const once = source`(?:\b(?:this|that|these|those|the (?:next|following)) (?:one|time|answer|reply|response|question|exercise|
  letter|mail|e-?mail|text|list|ad|summary|task|message|essay|story|poem|paragraph|section|part|case|snippet|function|file|test|script|
  report|article|post|draft|week|month|morning|evening|afternoon|weekend|round|first|recipe|trip|scene|chapter)\b|\b(?:in|for|with|on|
  about) (?:this|that|these|those)[.!]*$|\bin (?:the|my|our) (?:report|letter|text|offer|speech|article|essay|post|draft|document|mail|
  e-?mail|paper|table|list|film|book|story|house|hand)\b|\b(?:just (?:this )?once|for (?:now|today|tonight)|right now|(?:not )?yet[.!]*$|
  tomorrow|tonight)\b|\b(?:below|above)[.!:,;]*$)`

/** Words that name their thing by `it` alone: nobody understands them later. */
export const pronounAlone = source`(?:^(?:(?:please|just|always|never|from now on|do not|don't),? )*(?:use|show|mention|add|include|
  suggest|recommend|put|write|call|send|give|ask|quote|check|avoid|skip|list|include) (?:it|that|them|those|these|this)(?= (?!way\b|
  kind\b|sort\b)|[.!]*$)|^(?:if|when|whenever) i ask (?:for|about) (?:it|them|that|this|those|these)\b)`

/** Sayings between persons. */
export const sayings = source`(?:, (?:says|said) |^(?:never|always) (?:mind|again|say (?:never|goodbye|die)|look (?:on|back|up)|give (?:up|
  in|your (?:all|best))|let|forget|keep (?:smiling|going|fighting|your (?:head|chin))|stop(?! (?:using|asking|adding))|ask a|end|add up|
  believe|trust|change|dream|hope|stay|cherish|regret|doubt|underestimate|settle|lose|hear|see|smell|miss|need|enjoy|like|seem|
  remember(?! to)|take for|love|live|know|wonder|think|feel|happen|come|want|look|apologi[sz]e for (?:being|who)|use to|be (?:yourself|
  afraid|sorry)|have to|do (?:that|it))\b|(?<!\b(?:repeat|repeating|limit|restrict|explain|explaining) )\byourself\b|\bkeep (?:up|in touch|
  me posted)\b|\bremind (?:me|us) of (?!my|our)|\bmake (?:me|us|my)\b|\byour (?:heart|dreams?|best|life|gut|instincts?)\b|[={}])`

const workers = source`(?:write|draft|compose|create|generate|make|build|design|prepare|plan|develop|translate|summari[sz]e|rewrite|edit|
  proofread|implement|code|give|list|set up|outline|find|compile|produce|turn|convert|put together|come up with|suggest|recommend|invent|
  prepare|craft|shorten|sum up|paraphrase|rephrase)`

/** A request for a piece of work. */
export const workAsked = source`(?:^|[.!?,;:] |\b(?:you|please|me|to|and|let's|need to|want to) )${workers} (?:me |us |up )?(?:an?|the|
  my|our|some|this|that|these|two|three|four|five|six|seven|eight|nine|ten|twenty|\d+) \p{L}|\bI (?:need|want|
  'd like) an? (?:\p{L}+ ){0,3}(?:letter|mail|e-?mail|poem|story|speech|essay|report|summary|list|plan|recipe|name|limerick|song|slogan|
  text|script|function|draft|toast|outline)\b`

/** Somebody else's words, a supposition, a question, one occasion. */
export const before = source`\b(?:says?|said|saying|told|tells?|texted|asked|asks|wrote|writes|orders?|reads?|goes|shouted|thinks|
  states?|insists?|wants?(?= us)|motto|mantra|slogan|lyrics|song|line|(?:he|she|they) (?:like|want|prefer)s?)\b[^,;.!?]{0,60}[^\p{L}]*$|
  \b(?:imagine|suppose|pretend|what if|whether|wish|dreamt?|according to|as (?:they|we|people) say|hypothetically)\b|^(?:if|unless|
  (?:should|do|does|did) (?:i|you|we))\b|(?:^|[.;!] )(?:for|in|on|with) (?:this|that|these|the next|the following|today)\b[^,]{0,60}, ?$|
  \b(?:this time|just this once)[,:] ?$`

/** A word of a heading over instructions: `from now on, in your answers:`. */
export const headingWord = source`(?:and|also|so|ok|okay|one|a|an|the|our|chats?|conversations?|talks?|small|last|final|hi|hey|hello|
  another|more|two|three|few|some|my|important|please|quick|general|standing|for|you|to|in|on|from|now|always|your|answers?|replies|
  remember|note|rules?|reminder|preferences?|instructions?|requests?|things?|ps|btw|fyi|keep|mind|going|forward|future|before|we|start|
  begin|here|are|is|follow|these|style|guidelines?|of|all)`

/** Texts that a person can paste. */
export const texts = source`(?:prompt|readme|config|e-?mail|mail|letter|text|message|article|essay|paragraph|draft|note|post|story|poem|
  lyrics|code|snippet|file|document|transcript|comment|sentence|answer|reply|claim|phrase|statement|speech|ad|instructions?|policy|guide|
  recipe|terms|script)`

/** Deeds on a pasted text. */
export const edits = source`(?:proofread|translate|summari[sz]e|paraphrase|rewrite|rephrase|shorten|sum up|edit|improve|review|fix|
  correct|check|analy[sz]e|critique|comment on|grade|mark|judge|assess|score|polish|simplify|classify)`
