import type { RemarkPatterns } from '../language-pack.ts'

export const remarks: RemarkPatterns = {
  correction: new RegExp(
    String.raw`\b(?:don['’]?t|do not|never|must not|mustn['’]?t|should(?:n['’]?t| not)|stop|avoid|no longer|not again|wrong|incorrect|` +
      String.raw`revert(?:ed)?|undo|roll(?:ed)? back|(?:does|did|wo|is|are|was|were)(?:n['’]?t| not) (?:work|help|correct|right|allowed|` +
      String.raw`supported|fix\w*)|dead end|tried|mistake|broke|breaks|refrain|pointless|useless|in vain|to no avail|no (?:point|use|` +
      String.raw`sense) in|not worth|(?:any|no) difference|without (?:success|effect)|made (?:it|things|everything|\w+ \w+ \w+) worse|` +
      String.raw`misread|not what i)\b`,
    'iu',
  ),
  failure: new RegExp(
    String.raw`\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|root cause|caused by|the cause|culprit|bug|regress(?:ion|` +
      String.raw`ed)|timed out|timeouts?|threw|throws|stack ?trace|leak(?:s|ed|ing)?|race condition|deadlock)\b`,
    'iu',
  ),
  decision: new RegExp(
    String.raw`\b(?:let['’]?s|we(?:['’]ll| will| use| keep| want| need| agreed)|go(?:ing)? with|went with|stick(?:ing)? (?:to|with)|` +
      String.raw`settled? on|sticking|opt(?:ed)? for|chose|choose|picked|must|should|prefer(?:s|red)?|requires?|required|switch(?:ed|` +
      String.raw`ing)? (?:to|from|over)|from now on|always|make sure|convention|out of scope|in scope|drop(?:ped)?|instead of|rather ` +
      String.raw`than|in favou?r of|\w+ over \w+|final|the (?:team|plan|rule)|every time|ruled out|reject(?:ed)?|the plan is|use ` +
      String.raw`.{1,60}\b(?:for|as|not|instead)|keep .{1,60}\b(?:as|for|in|at)|standardi[sz]e|approved|constraint|requirement|outcome|` +
      String.raw`conclusion|verdict|becomes|stays? (?:on|with|as|in))\b`,
    'iu',
  ),
  decides: /\bdeci(?:ded?|ding|sion)\b/iu,
  learning: new RegExp(
    String.raw`\b(?:turn(?:s|ed) out|because|learn(?:ed|t)|lesson|gotcha|note that|keep in mind|apparently|caveat|pitfall|workaround|` +
      String.raw`quirk|only works?|the reason|due to|it seems|surprisingly|the trick|remember that|beware|careful)\b`,
    'iu',
  ),
  result: new RegExp(
    String.raw`\b(?:pass(?:es|ed|ing)?|fixed|merged|deployed|released|shipped|completed?|done|finished|works now|` +
      String.raw`succe\w+|created|opened|closed|published|committed|pushed|measured|took \d|reduced|improved|down ` +
      String.raw`(?:from|to)|resolved|green|confirmed|verified|tagged|filed)\b`,
    'iu',
  ),
  system: new RegExp(
    String.raw`\b(?:listens? on|runs? (?:on|as|in|at|behind)|(?:is|are) (?:stored|kept|located|defined|configured|served|handled|` +
      String.raw`generated|mounted|cached|written) (?:in|at|by|on|under|to)|stores?|lives? (?:in|at|under)|environment variable|env var|` +
      String.raw`port \d+|endpoint|responsible for|depends on|entry ?point|architecture|reads? from|writes? to|talks to|consists of|` +
      String.raw`exposes?|schema|is behind|upstream|queue|the (?:service|server|database|table|module|bucket|cluster|worker) )\b`,
    'iu',
  ),
  next: new RegExp(
    String.raw`^next\b|\b(?:next (?:steps?|up|i|we|is|on)|todo|to do|remaining|still (?:need|have|to|open)|left to do|follow-?up|pending|` +
      String.raw`blocked (?:on|by)|(?:i|we)(?:['’]ll| will) (?:now|then|next)\b|what is left|left:)`,
    'iu',
  ),
  reported: /^(?:\p{Lu}\p{L}+|s?he|they) (?:says?|said|thinks?|thought|tells?|told)(?!\p{L})/u,
  question: /^(?:what|why|how|where|who|which|when|can|could|do|does|did|is|are|should|would|any)\b(?!.*[.!])/iu,
  announcement: new RegExp(
    String.raw`^(?:(?:now|ok(?:ay)?|next|first|then|great|good|perfect|alright|so|and)[,!.]?\s+)*(?:let me|let['’]s (?:see|look|check|` +
      String.raw`run|start|find|take)|i(?:['’]ll| will) (?:now |first |also |start |quickly )*(?:look|check|read|run|start|take|open|` +
      String.raw`search|see|inspect|begin|examine|explore|verify|go|do|have)|i(?:['’]m| am) (?:going to|now) (?:look|check|read|run|` +
      String.raw`start)|looking (?:at|into)|checking|reading|running|searching)\b`,
    'iu',
  ),
  pleasantry: new RegExp(
    String.raw`^(?:(?:thanks?(?: you)?(?: a lot| so much)?|ok(?:ay)?|great|perfect|nice|sure|cool|hi|hello|hey|alright|awesome|excellent|` +
      String.raw`good|got it|understood|sounds good|yes|yep|well|right)[,.!:;—-]+\s*)+(?=\S)`,
    'iu',
  ),
}
