/** The beginnings of instructions that hold from now on, whatever else is asked. See `expressionsOf`. */
const imperatives: readonly string[] = [
  // Always and never.
  "{please}(?:always|never|do not ever|don't ever|under no circumstances|at no time) (?:please )?(?:{verb}|be {manner})\\b",
  '(?:please,? )?(?:always|never) (?:please )?{deed}',
  '(?:for|in|with|on|during|after|before) {clause}, {please}(?:always|never) {verb}\\b',
  "it(?:'s| is) (?:very |really )?important (?:(?:to|for) me )?(?:that you|to) (?:always|never) {verb}\\b",
  "you(?: are|'re) (?:never|always|not) to {verb}\\b",
  '{please}(?:always|never) (?:please )?\\p{L}{2,}\\b{gap} {condition}',
  'whatever i ask,? {please}{not}{verb}\\b',
  // From now on.
  '{lasting}[,:]? (?:please )?(?:only|no more|no|nothing) {clause}(?=,? (?:please|pls|thanks|for me)\\b)',
  "{lasting}[,:]? (?:let's |we |we'll )?{please}{not}(?:{verb}(?! (?:of|is|are|was|were|may|will|can|has)\\b)|i want|i'd like|i prefer)\\b",
  '{lasting}[,:]? {condition}[^.;!?]{0,120}?, (?:then )?{please}{not}{verb}\\b',
  "(?:let's |we'll )?{please}{not}{verb}\\b{clause},? (?:{lasting}|always)(?=[.!?,;]*$|,? (?:please|pls|and|but|because|so)\\b)",
  "(?:i'd|i would|i want|i need|you can|you should|please|let's) (?!(?:the|my|our|this|that|an?)\\b){clause},? {surely}(?=[.!,;]*$|,? " +
    '(?:please|and|but|because)\\b)',
  '{please}{not}{verb} {surely}\\b',
  '{please}{not}{verb}\\b{gap},? {surely}(?=[.!,;]*$)',
  '(?:when it comes to|as for|regarding|concerning) {clause}, {please}{not}{verb}\\b',
  // When I ask, when you answer.
  '{condition}[^.;!?]{0,120}?, (?:then )?{please}{not}{verb}\\b',
  '{condition}[^.,;!?]{1,80}? (?:just|please|always|never|only|{dont}) {verb}\\b',
  '{condition}[^.,;!?]{1,80}?(?<!\\b{noVerbAfter}) ' +
    '(?:use|give|show|keep|include|add|list|explain|answer|reply|put|avoid|skip|check|mention) \\p{L}',
  'when(?:ever)? {answeringNow} {gap}, {please}{not}{verb}\\b',
  '{please}{not}{verb}\\b{gap} {condition}',
  'when(?:ever)? i say {clause}, i mean\\b',
  "(?:when|whenever|if) i(?:'m| am| sound| seem| look| feel| get stuck)\\b{clause}, {please}{not}" +
    '(?:keep|answer|reply|use|explain|suggest|give me|show me|point|correct|ask me|switch|slow)\\b',
  '(?:warn|alert) me (?:when|whenever|if|about) ',
  "tell me (?:when|whenever|if) you(?:'re| are) (?:not sure|unsure|uncertain|guessing)(?=[.!,;]*$|,? (?:of|or|and|instead|rather|" +
    'before)\\b)',
  // Do not do it again.
  'no more {clause} at the (?:end|beginning|start)\\b',
  'no more {clause} in (?:anything|everything|any|your|what|all|every)\\b',
  '{please}(?:stop|quit) {doing}\\b(?! (?:my|his|her|their)\\b(?! (?:(?:full|first|last|real) )?name))',
  '{please}(?:stop|quit) \\p{L}+ing (?:your|every|all) (?:{answers}|answer|reply|response|message)\\b',
  '{please}(?:no more|stop (?:the|with)) {anyKind}{feature}{end}',
  "{please}(?:you (?:don't|do not) (?:need|have) to|no need to) (?:explain|define|translate|convert|apologi[sz]e|include|add|mention|" +
    'repeat|cite|spell out|sugarcoat|number|be {manner}(?= with me)) (?!it\\b|that\\b|this\\b)\\p{L}',
  '{please}{dont} (?:apologi[sz]e|flatter me|lecture me|moralize|patronize|repeat (?:my question|yourself))\\b',
  '{please}{dont} {verb}\\b[^.;!?]{0,100}? (?:every time|each time|in your {answers}|unless i (?:ask|say|tell|request|want)|(?:in|at the ' +
    '(?:end|beginning|start) of) (?:(?:your|every|each|all|any) )+(?:{answers}|answer|reply|response|message))\\b',
  // Names and pronouns.
  "(?:(?:please|just|you can|you may|but|instead),? )*(?:don't |do not |never )?call me (?:{name}{nameEnd}|by my)",
  'i go by (?!(?:bike|bicycle|car|train|bus|foot|plane|tram|boat|ferry|taxi|feel|the)\\b){name}{nameEnd}',
  '{please}{not}(?:address|refer to) (?:me|us|my \\p{L}+|him|her|them) (?:as|by|with|using)\\b',
  '{please}use (?:(?:my|the) (?:nick)?name|my (?:first|last|full) name|\\p{L}{2,5}\\/\\p{L}{2,6})',
  'my pronouns are \\p{L}{2,5}(?:\\/| and )\\p{L}{2,6}',
  // All answers.
  '{please}(?:keep|make|limit|restrict|shorten|tailor|format|structure|write|phrase) (?:(?:all|all of) )?(?:your|the|' +
    'my) {kind}{answers}{shaped}',
  'your {answers} (?:should|must|need to|have to|can|ought to) (?:always|never|not|start|end|begin|include|contain|use|have|fit|avoid|' +
    'be (?:no|under|at most|less|fewer|short|brief|longer|shorter|written|in {language}|{manner}))\\b',
  '{please}(?:limit|restrict) (?:every|each|all) (?:{answers}|answer|reply|response|explanation|summary)\\b',
  '{please}(?:keep|make|begin|start|end|finish) (?:every|each) (?:answer|reply|response|explanation|message)\\b',
  '{please}keep it (?:{manner}|short|simple) (?:with me|{lasting})',
  '{please}be more (?:concise|succinct|brief|detailed|precise|specific|direct)(?=[.!]*$)',
  '{please}treat me (?:as|like)\\b',
  "{please}(?:you can )?(?:don't )?be {kind}{manner} (?:in (?:your|all)|with me|when you|{lasting})",
  '{please}explain (?:things|everything|concepts|it all|stuff)\\b',
  "{please}(?:explain|describe) (?!(?:it|this|that|the|my)\\b){clause} (?:as if|as though|like) i(?:'m| am| was| were)\\b",
  '{please}{dont} (?:call|mention|suggest|recommend|show me|say|bring up|offer|give me) {clause} again(?=[.!]*$)',
]

/** The beginnings of instructions that hold for one piece of work where the message asks for one. */
export const bareOpenings: readonly string[] = [
  // Do not suggest it.
  '{please}{dont} (?:suggest|recommend|propose|offer me|offer)\\b',
  '{please}{dont} (?:translate|convert|round|abbreviate|explain|use|include|add|mention|quote|cite|list|show me|write|number|label|' +
    'repeat) (?!(?:this|his|us|as|its|the|these|those|that|your|our|her|their)\\b)(?:any )?[\\p{L}-]{3,}(?: (?!to\\b|' +
    'for\\b)[\\p{L}-]{2,})?(?<=s)(?<!ss)(?=[.!,;]*$|,? (?:of|or|and|unless|when|in|please|at)\\b|, (?:I|we)\\b)',
  '{please}(?:{dont}|never) (?:schedule|book|plan|arrange)(?: (?:me|anything|meetings?|calls?|any \\p{L}+|appointments?|flights?))* ' +
    '(?:before|after|between|on|during|in|earlier|later|with|without)\\b',
  // No emojis.
  '{please}(?:{dont}|never) (?:use|add|include|write|put|give|give me|show|show me|end with|start with) {anyKind}{feature}{end}',
  '{please}(?:avoid|skip|use|no need for|without) {any}{feature}{end}',
  'no (?:{feature}|{answers})(?=[.!,;]*$|,? (?:or|and|but|please|pls|in (?:your|any|the|answers|replies|code)|' +
    'at the (?:end|beginning|start)|when|unless|with me|any ?more|from (?:you|now)|for (?:me|the))\\b)',
  '{please}{dont} (?:quote|recommend|explain|translate|suggest|read|preach|list|show) {clause} to me\\b',
  '(?:enough with|spare me|no need for) {anyKind}{feature}{end}',
  '{please}refrain from {doing}\\b',
  '{please}(?:ask|check with|consult|confirm with) me\\b{gap} ?before (?:you )?(?:{answering}|{answeringNow}|assuming|booking|' +
    'buying|buy|changing|deleting|delete|sending|starting|start|ordering|order)\\b',
  'avoid (?:(?:using|giving|adding|suggesting|recommending) )?{clause} (?:in your|when you|with me)\\b',
  '{please}(?:cite|include|add|give|list|provide|name) {any}(?:sources|citations|references|footnotes)(?=[.!]*$|,? (?:in|for|with|' +
    'when)\\b)',
  'only (?:suggest|recommend|propose|show me|give me) (?!(?:the|one|an?|this|that|those|these)\\b)\\p{L}',
  "{please}assume (?:that )?(?:i|we) (?:know|have|am|don't|can|cannot|can't|understand|use|own)\\b",
  // Do not answer like that.
  '{please}{dont} {verb}\\b[^.;!?]{0,100}? (?:with me|for me)\\b',
  '{please}{dont} (?:(?:correct|fix|comment on|praise|repeat|edit|judge) my|(?:end|start|begin|open|close|finish) (?:your|any|every|an?|' +
    'with)|be so|assume|sugarcoat)\\b',
  '{please}{dont} (?:hold back|give me (?:the )?{answers})\\b',
  "i (?:don't|do not) want (?:you to|any|your) (?:(?:medical|legal|more|your) )?(?:{verb}|{feature}|{answers})\\b",
  // Language and measures.
  '{please}(?:answer|reply|respond|write|speak|talk|explain (?:things|everything)|chat|communicate)(?: (?:to |with |back to )?me| back)? ' +
    '(?:only |always )?in (?:simple |plain |formal |informal )?{language}\\b',
  '{please}(?:speak|talk) {language}\\b(?: (?:with|to) me\\b|[.!]*$)',
  '{please}(?:use|stick to|write in|give me|prefer) {standard}{end}',
  '{please}(?:give|show|write|list|quote|state|express|format|display|convert|use|put) (?:me )?(?:all |any |every |all the )?{measure} ' +
    '(?:in|as|like|before|after|with|without|to|by|using)\\b',
  '{please}(?:write|put|give|say|format|explain) (?:me )?(?:everything|all (?!(?:the|my|our|of)\\b)[\\p{L}-]+(?: [\\p{L}-]+)?) (?:in|as) ' +
    '(?:{language}|{codeLanguage}|{currency}|{fileFormat}|{standard})',
  "let's (?:keep|have|do|make) {clause} in {language}\\b",
  'i (?:only|just) (?:understand|know|speak|read|think in) (?:{standard}|{language})\\b',
  'all {measure} (?:in|as)\\b',
  'i (?:only )?(?:want|need|like) (?:all )?{measure} (?:in|as|with|without)\\b',
  "{remember}i (?:only |just |always |really )*(?:want|need|would like|'d like) (?:all |everything in )?{standard}{end}",
  '{remember}i (?:only |always )*(?:use|write|read|think in) (?:(?:a|the) )?{standard}(?: clock)?' +
    '(?=[.!,;]*$|,? (?:please|pls|thanks|so|and|not)\\b)',
  // Length and tone.
  '{please}(?:keep|make|limit|format|structure|write|give me|give) {kind}{answers}{shaped}',
  "i (?:(?:only |just |always |really )*(?:want|need)|would like|'d like|(?:only|just) want) {sort}(?:answers|replies|responses|" +
    'explanations|feedback)(?: from you)?{end}',
  'i want all [\\p{L}-]+(?: [\\p{L}-]+)? (?:in|as|with|without)\\b',
  '{remember}i only want (?!to\\b|the\\b|an?\\b|one\\b|you\\b|him\\b|her\\b|it\\b|this\\b|that\\b|what\\b)[\\p{L}-]+',
  '{sort}(?:answers|replies|responses|explanations) only\\b',
  '{please}number (?:the steps|(?:all |all of )?your \\p{L}+s)\\b',
  '{please}(?:talk|speak|write|reply|respond|answer) (?:(?:to |with )?me )?(?:like (?:an? |i|you|we)|(?<=me )as an? )',
  '{please}(?:keep|use|adopt|maintain|have) (?:your|an?) (?:\\p{L}+,? (?:and )?){0,3}(?:tone|style|register|voice|language)\\b',
  '{please}(?:limit|restrict) yourself\\b',
  '(?:for|with) (?!(?:the|this|that|these|those|today|my|our)\\b){clause}, {please}(?:give|show|list|state|quote) (?:me )?{measure} in\\b',
  '{sort}(?:answers|replies|responses|explanations)(?=,? (?:please|pls)\\b)',
  'i (?:like|want|need) (?:my|your) {kind}{answers} (?:as|in|with|without|to be)\\b',
  '(?:please )?(?:remember|make sure|be sure) to (?:answer|reply|respond|give|cite|quote|explain|show|mention|include|name|translate|' +
    'convert) (?!(?:the|this|that|my|our|him|her|them|it)\\b)\\p{L}',
  // Every case.
  '{please}use (?!(?:the|this|that|these|those|my|our|an?)\\b){clause} (?:for|in) (?:all|every|each|everything)\\b',
  '{please}(?:avoid|use|skip|no) {clause} in (?:everything|anything|whatever) you\\b',
  '{please}{not}(?:correct|mark|translate|flag|check|cite|label|define|wrap|explain|name|quote) (?:every|each|any|all) ' +
    '(?:[\\p{L}-]+ ){0,2}?(?:(?:mistake|error|term|acronym|idiom|abbreviation|claim|command|source|formula|word|phrase|quote|assumption|' +
    'step|number|passive|typo)s?\\b(?! (?:of|in|on|below|above)\\b(?! an?\\b))|\\p{L}+ (?:you|I) )',
]

/** The beginnings of preferences that would change later answers. */
const preferences: readonly string[] = [
  '{remember}(?:i|we) {often}prefer {noChoice}[\\p{L}\\p{N}]',
  '(?:when(?:ever)?|for|in|on|at|with|as for|during) (?!(?:the|this|that|these|those|today|tonight|now|my|your)\\b){clause},? (?:i|we) ' +
    '{often}prefer {noChoice}[\\p{L}\\p{N}]',
  'since {clause},? (?:i|we) {often}prefer {noChoice}[\\p{L}\\p{N}]',
  "(?:i|we)(?:'d| would) (?:always|generally|usually|much) (?:rather|sooner) {clause} than\\b",
  '(?:like|as) (?:i|we) {often}prefer(?=[.!,;]*$|,)',
  "(?:i|we)(?:'d| would) {often}prefer (?:it )?(?:if|that) (?:you|we|your)\\b",
  'my preferred (?:[\\p{L}-]+ ){1,3}(?:is|are)\\b',
  'i (?:want|prefer|like) to be called\\b',
  "(?:i|we)(?:'d| would) {often}prefer {sort}{answers}\\b",
  'it (?:helps|would help|really helps)(?: me)?(?: a lot| most)? (?:when|if) you (?:always )?(?:{pleasing}|{verb}|gave|kept|used|' +
    'told|showed)\\b',
  "(?:i|we)(?:'d| would) (?:rather|sooner) (?:read|see|have|get|hear|use) {clause} than\\b",
  'i find {clause} (?:easier|clearer|better|more \\p{L}+) (?:{clause} )?than\\b',
  '[\\p{L}-]+(?: [\\p{L}-]+){0,2} (?:works? (?:better|best) for me|suits? me (?:better|best))\\b',
  "(?:i|we)(?:'d| would) {often}prefer {noChoice}{clause} (?:over|rather than|instead of)\\b",
  "(?:i|we)(?:'d| would) {often}(?:rather|sooner) you (?:didn't|did not|not|don't|never|always|just|only|{answering}(?:e?d)?|gave|" +
    'told|asked?|' +
    'wrote|showed|kept|skip(?:ped)?|point(?:ed)?|left|put|spoke|stop(?:ped)?|start(?:ed)?|call(?:ed)? me|guess(?:ed)?|quiz(?:zed)?)\\b',
  "(?:i|we)(?:'d| would) (?:really )?appreciate (?:it )?if you (?:always|never|could always|didn't|wouldn't|used|kept|gave|avoided)\\b",
  'my (?:\\p{L}+ )?preference (?:is|would be|for)\\b',
  "(?:i|we) (?:have|'ve got) an? (?:\\p{L}+ )?preference for\\b",
  "(?:i|we)(?:'d| would)? {often}(?:favou?r|value|choose|pick|take) {clause} (?:over|rather than|instead of)\\b",
  "(?:i'm|i am|we're|we are) (?:much |a lot |far |way )?(?:more comfortable|happier) (?:with|using|in|working) {clause} than\\b",
  '(?:i|we) {often}(?:like|love|enjoy) (?!you\\b|this\\b|that\\b){clause} (?:better than|more than|rather than)\\b',
  'i {often}(?:{loves}|{hates}) (?:it )?(?:when|if|that) you (?:always |never )?{pleasing}\\b',
  'i {often}(?:{loves}|{hates}) (?!your\\b|the\\b){kind}(?:answers|replies|responses|explanations){end}',
  'i {often}{hates} {kind}{feature}(?=[.!,;]*$|,? (?:and|or|in|with|so|when|because|please)\\b)',
  'i {often}{loves} {kind}{feature} (?:in|at the end of) (?:your |all |my )?{answers}\\b',
  'i (?:learn|understand|work|concentrate|focus|think|follow) (?:things |concepts |it )?(?:best|better|more easily) (?:with|from|by|' +
    'when|if|in|on)\\b',
]

export const openings: readonly string[] = [...imperatives, ...preferences]

/** The beginnings of clauses that take earlier instructions back. */
export const withdrawals: readonly string[] = [
  '(?:you can|you may|you could|feel free to) (?:now |just )?(?:stop|quit) (?:{doing}|with {any}{feature})\\b',
  '(?:you can|you may|you could|feel free to) (?:now |just )?(?:drop|skip|lose|forget) (?:about )?(?:the|my|all|all the) (?:{clause} )?' +
    '(?:tone|style|rule|format|thing|units|names?|{feature}|language|instructions?|preference|convention|spelling|{answers})\\b',
  '(?:you can|you may|feel free to) (?:now )?(?:(?:use|add|include|show|give|write) {anyKind}(?:{feature}|{standard})|' +
    '(?:suggest|recommend|propose|offer me|mention|quote|cite|explain|answer|reply|respond)\\b{clause}) again\\b',
  "you (?:don't|do not|no longer|needn't|need not)(?: have to| need to)? {verb}\\b{clause} {anyMore}\\b",
  'you no longer (?:have|need) to {verb}\\b',
  "(?:there's |there is )?no need to {verb}\\b{clause} {anyMore}\\b",
  'i no longer (?:need|want) {extra}{end}',
  "i (?:don't|do not) (?:need|want) {extra} {anyMore}\\b",
  '{freed}(?:forget|ignore|disregard|drop|scrap|undo|cancel|never ?mind) (?:about )?(?:everything |all |anything )?(?:(?:what|that) )?' +
    '(?:i|we) (?:said|told you|asked|wrote|wanted|mentioned)(?: (?:earlier|before))? (?:about|on|regarding|you to)\\b',
  '{freed}(?:forget|ignore|disregard|drop|scrap|undo|cancel|never ?mind) (?:about )?(?:' +
    '(?:my|that|all my) (?:(?:earlier|previous|old|last|other) )?(?:\\p{L}+ ){0,2}(?:instructions?|rules?|preferences?)\\b|' +
    '(?:my|the|that|all|all my) (?:(?:earlier|previous|old|last|other) )?(?:instructions?|rules?|requests?|preferences?|wish) ' +
    '(?:about|for|to|regarding)\\b|(?:the|that) (?:\\p{L}+ ){1,2}(?:thing|rule|preference)(?=[.!,;]*$))',
]
