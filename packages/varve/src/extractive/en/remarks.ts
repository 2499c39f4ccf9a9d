import type { RemarkPatterns } from '../language-pack.ts'
import { regex } from '../word-lists.ts'

export const remarks: RemarkPatterns = {
  correction: regex('iu')`\b(?:don['’]?t|do not|never|must not|mustn['’]?t|should(?:n['’]?t| not)|stop|avoid|no longer|not again|wrong|
    incorrect|revert(?:ed)?|undo|roll(?:ed)? back|(?:does|did|wo|is|are|was|were)(?:n['’]?t| not) (?:work|help|correct|right|allowed|
    supported|fix\w*)|dead end|tried|mistake|broke|breaks|refrain|pointless|useless|in vain|to no avail|no (?:point|use|sense) in|
    not worth|(?:any|no) difference|without (?:success|effect)|made (?:it|things|everything|\w+ \w+ \w+) worse|misread|not what i)\b`,
  failure: regex('iu')`\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|root cause|caused by|the cause|culprit|bug|
    regress(?:ion|ed)|timed out|timeouts?|threw|throws|stack ?trace|leak(?:s|ed|ing)?|race condition|deadlock)\b`,
  decision: regex('iu')`\b(?:let['’]?s|we(?:['’]ll| will| use| keep| want| need| agreed)|go(?:ing)? with|went with|stick(?:ing)? (?:to|
    with)|settled? on|sticking|opt(?:ed)? for|chose|choose|picked|must|should|prefer(?:s|red)?|requires?|required|switch(?:ed|ing)? (?:to|
    from|over)|from now on|always|make sure|convention|out of scope|in scope|drop(?:ped)?|instead of|rather than|in favou?r of|\w+ over \w+|
    final|the (?:team|plan|rule)|every time|ruled out|reject(?:ed)?|the plan is|use .{1,60}\b(?:for|as|not|instead)|keep .{1,60}\b(?:as|for|
    in|at)|standardi[sz]e|approved|constraint|requirement|outcome|conclusion|verdict|becomes|stays? (?:on|with|as|in))\b`,
  decides: /\bdeci(?:ded?|ding|sion)\b/iu,
  learning: regex('iu')`\b(?:turn(?:s|ed) out|because|learn(?:ed|t)|lesson|gotcha|note that|keep in mind|apparently|caveat|pitfall|
    workaround|quirk|only works?|the reason|due to|it seems|surprisingly|the trick|remember that|beware|careful)\b`,
  result: regex('iu')`\b(?:pass(?:es|ed|ing)?|fixed|merged|deployed|released|shipped|completed?|done|finished|works now|succe\w+|created|
    opened|closed|published|committed|pushed|measured|took \d|reduced|improved|down (?:from|to)|resolved|green|confirmed|verified|tagged|
    filed)\b`,
  system: regex('iu')`\b(?:listens? on|runs? (?:on|as|in|at|behind)|(?:is|are) (?:stored|kept|located|defined|configured|served|handled|
    generated|mounted|cached|written) (?:in|at|by|on|under|to)|stores?|lives? (?:in|at|under)|environment variable|env var|port \d+|
    endpoint|responsible for|depends on|entry ?point|architecture|reads? from|writes? to|talks to|consists of|exposes?|schema|is behind|
    upstream|queue|the (?:service|server|database|table|module|bucket|cluster|worker) )\b`,
  next: regex('iu')`^next\b|\b(?:next (?:steps?|up|i|we|is|on)|todo|to do|remaining|still (?:need|have|to|open)|left to do|follow-?up|
    pending|blocked (?:on|by)|(?:i|we)(?:['’]ll| will) (?:now|then|next)\b|what is left|left:)`,
  reported: /^(?:\p{Lu}\p{L}+|s?he|they) (?:says?|said|thinks?|thought|tells?|told)(?!\p{L})/u,
  question: /^(?:what|why|how|where|who|which|when|can|could|do|does|did|is|are|should|would|any)\b(?!.*[.!])/iu,
  announcement: regex('iu')`^(?:(?:now|ok(?:ay)?|next|first|then|great|good|perfect|alright|so|and)[,!.]?\s+)*(?:let me|let['’]s (?:see|
    look|check|run|start|find|take)|i(?:['’]ll| will) (?:now |first |also |start |quickly )*(?:look|check|read|run|start|take|open|
    search|see|inspect|begin|examine|explore|verify|go|do|have)|i(?:['’]m| am) (?:going to|now) (?:look|check|read|run|start)|
    looking (?:at|into)|checking|reading|running|searching)\b`,
  intends: /(?<!\p{L})(?:(?:i|we)(?:['’]ll| will)|going to|gonna|let['’]s|plan(?:ned|ning)? (?:to|on))(?!\p{L})/giu,
  pleasantry: regex('iu')`^(?:(?:thanks?(?: you)?(?: a lot| so much)?|ok(?:ay)?|great|perfect|nice|sure|cool|hi|hello|hey|alright|
    awesome|excellent|good|got it|understood|sounds good|yes|yep|well|right|(?:great|good|big|exciting|amazing) news(?: to share)?|
    guess what|since (?:we|the|our) last (?:time(?: we)?|chat|talk|call)?(?: ?(?:spoke|talked|chatted|met|caught up))?|
    it['’]s been (?:a while|ages|too long))\s*[,.!:;—-]+\s*)+(?=\S)`,
}
