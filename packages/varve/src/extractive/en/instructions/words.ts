import type { TemplateParts } from '../../instructions/templates.ts'
import { source } from '../../word-lists.ts'

/** Words that are no name after `call me`. */
const noName = source`(?!(?:a|an|the|at|by|on|in|if|when|once|back|later|again|now|tomorrow|today|tonight|before|after|maybe|anytime|any|
  every|crazy|rude|mean|fat|ugly|brave|smart|clever|old|old-fashioned|naive|silly|lazy|weird|picky|biased|paranoid|cynical|stupid|mad|
  sentimental|out|up|over|for|and|or|but|so|whatever|what|names?|asap|soon|first|please|that|this|it|to|as|with|from|about|whenever|
  instead|nuts|insane|selfish|jealous|boring|superstitious|romantic|sceptical|skeptical|pessimistic|optimistic|curious|spoiled|impatient|
  monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|around|anyway|anything|sometime|regarding|not)\b)`

/** The parts of the templates of English instructions. */
export const parts: TemplateParts = {
  /** Deeds of an assistant. */
  verb: source`(?:answer|reply|respond|use|write|call|address|speak|talk|explain|include|add|show|give|start|begin|end|finish|put|keep|
    format|suggest|recommend|ask|tell|remind|mention|translate|cite|quote|sign|round|check|avoid|assume|skip|refer|leave|list|name|state|
    propose|offer|point out|highlight|mark|number|link|describe|convert|label|provide|present|summari[sz]e|structure|limit|stick|spell|
    capitali[sz]e|double-check|correct|warn|note|specify|follow|prefer|break|compare|consider|focus|calculate|estimate|return|print|test|
    comment|document|order|sort|group|schedule|book|set|treat|verify|confirm|clarify|reference|demonstrate|illustrate|justify|
    prioriti[sz]e|choose|pick|say|scale|spoil|apologi[sz]e|emphasi[sz]e|outline|attach|indicate|measure|express|stop|split|separate|
    repeat|praise|greet|plan|save|store|commit|deploy|run|log|wrap|import|handle|validate|type|push|merge|draft|rate|review|rewrite|
    rephrase|simplify|guide|maintain|adhere|ensure|produce|display|work out|look up|look at|balance|solve|derive|plot|draw|adjust|
    multiply|weigh|rank|filter|exclude|omit|ignore|remove|replace|expand|shorten|cut|cap|substitute|swap|abbreviate|share|point|
    sugarcoat|moralize|quiz|read|identify|discuss|analy[sz]e|evaluate|recap|attribute)`,
  /** Deeds that an assistant can be asked to stop. */
  doing: source`(?:answering|replying|responding|using|writing|calling me|addressing me|talking (?:to me )?(?:in|like)|explaining|
    including|adding|showing|giving|starting|beginning|ending|putting|formatting|suggesting|recommending|asking (?:me|if|whether|for|
    about|so|how)|telling me|reminding|mentioning|translating|citing|quoting|rounding|checking|assuming|referring|listing|naming|
    proposing|offering|highlighting|converting|providing|summari[sz]ing|apologi[sz]ing|repeating|correcting|warning|praising|
    complimenting|flattering|lecturing|moralizing|skipping|omitting|leaving out|saying (?:sorry|certainly|absolutely|of course|
    great question|you)|sugarcoating|hedging|numbering|labell?ing|speaking|being so (?:formal|polite|verbose|wordy|vague|cheerful|chatty|
    positive|technical|brief|long-winded))`,
  /** Deeds of an assistant, in a condition: `when you quote a law`. */
  answering: source`(?:answer|reply|respond|write|explain|show|give|use|suggest|recommend|mention|translate|cite|quote|talk|speak|refer|
    make (?:an? )?(?:[\p{L}-]+ )?(?:claim|list|plan|suggestion|statement|mistake|change|recommendation|chart)s?|describe|list|name|
    propose|provide|present|discuss|compare|correct|critici[sz]e|review|change|plan|summari[sz]e|calculate|convert|book|schedule|send|
    code|draft|edit|help|teach|assume|add|include|count|build|create|generate|solve|derive|prove|rate|rank|estimate|pick|choose)`,
  /** Deeds of an assistant that a person can like: `when you make soup` is none. */
  pleasing: source`(?:answer|reply|respond|write|explain|show|give|use|suggest|recommend|mention|translate|cite|quote|describe|list|
    summari[sz]e|compare|correct|add|start|end|include|address me|call me|keep|ask|skip|break|point|guess|assume|repeat|apologi[sz]e|
    ramble|hedge|lecture|invent|make (?:things|stuff) up)`,
  answeringNow: source`(?:explaining|giving|writing|showing|suggesting|recommending|discussing|answering|describing|quoting|citing|using|
    making|providing|planning|translating|listing|comparing|reviewing|correcting|summari[sz]ing|calculating|coding)`,
  /** Deeds of a person, in a condition: `when I ask about law`. */
  asking: source`(?:ask|asked|mention|send|paste|share|write|talk|speak|say|need|want|request|bring up|discuss|inquire|query|post|upload|
    show you|give you|tell you|quote|start|work on|prepare|plan|look for|seek|make a mistake|get (?:it|something) wrong)`,
  /** Signs and parts of an answer. */
  feature: source`(?:emojis?|emoticons|smileys?|exclamation (?:marks?|points?)|em[ -]?dashes|markdown|jargon|buzzwords|hashtags|all caps|
    bullet(?:ed)?(?: |-)?(?:points|lists)|bullets|numbered (?:lists|steps)|filler words|swear words|capitals|abbreviations|acronyms|tips|
    disclaimers|caveats|follow-?up questions|rhetorical questions|pleasantries|preambles?|introductions|intros|summaries|recaps|
    small talk|tables|headings|headers|subheadings|footnotes|bold(?: text)?|italics|diagrams|analogies|metaphors|examples|apologies|
    compliments|flattery|spoilers|citations|sources|references|links|comments|code blocks|code snippets|pseudocode|type annotations|
    semicolons|slang|idioms|passive voice|latin terms|technical terms|legalese|clich[eé]s|puns|jokes|warnings|hints|long (?:lists|
    sentences|texts?|paragraphs)|short (?:sentences|paragraphs)|code examples|visuals|charts|graphs|images|step-by-step (?:instructions|
    guides|explanations)|headlines|quotes|quotations|sarcasm|humou?r|(?:the )?(?:oxford|serial) comma)`,
  answers: source`(?:answers|replies|responses|explanations|messages|feedback|output|summaries|examples|instructions|suggestions|
    recommendations|solutions|code samples|advice|descriptions|definitions|writing)`,
  /** Measures, forms and dialects for everything that is written. */
  standard: source`(?:(?:the )?(?:metric|imperial|si|us customary)(?: (?:units?|system|measurements?))?|(?:the )?(?:celsius|fahrenheit|
    kelvin)(?: scale)?|{language} (?:spelling|orthography|punctuation|conventions)|miles|kilomet(?:re|er)s?|grams|kilos|kilograms|pounds|
    ounces|lit(?:re|er)s|cups|feet|inches|met(?:re|er)s|centimet(?:re|er)s|euros|dollars|knots|nautical miles|acres|hectares|(?:american|
    british|uk|us|australian|canadian|indian) (?:english|spelling|units|terms|conventions)|(?:the )?(?:24|12)-?(?:hour|h)(?: (?:clock|
    time|times|format))*|iso (?:dates|8601)|(?:utc|cet|est|pst|gmt)|(?:simple|plain|everyday|easy|non-technical) (?:words|language|
    english|terms)|the (?:in)?formal (?:you|form|address)|(?:gender-neutral|inclusive|formal|informal|casual|neutral|friendly|
    professional) (?:language|pronouns|tone|style|register)|(?:a|an) (?:\p{L}+ )?(?:tone|style|register))`,
  /** Things whose form is told for all answers: `give prices in euros`. */
  measure: source`(?:prices|times|dates|distances|weights|amounts|temperatures|costs|measurements|numbers|units|quantities|lengths|
    heights|salaries|sums|names|currencies|percentages|durations|ingredients|citations|sources|recipes|steps|formulas|oven temperatures|
    sizes|dimensions|speeds|figures|fees|budgets)`,
  language: source`(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|
    Slovak|Turkish|Russian|Ukrainian|Bulgarian|Croatian|Serbian|Arabic|Hebrew|Persian|Farsi|Urdu|Hindi|Bengali|Tamil|Chinese|Mandarin|
    Cantonese|Japanese|Korean|Vietnamese|Thai|Indonesian|Malay|Tagalog|Swahili|Greek|Hungarian|Romanian|Catalan|Basque|Welsh|Irish|Latin)`,
  /** Words by which an instruction holds from now on. */
  lasting: source`(?:from (?:now|here|this point|today)(?: on(?:wards?)?| forward)?(?: out)?|(?<!\bkeep )(?:going|moving) forwards?|
    in (?:the )?future|henceforth|by default|as a (?:general )?rule|as a default|in general|at all times|every(?: single)? time|each time|
    starting (?:now|today)|whatever i ask|no matter what(?: i ask)?|when(?:ever)? possible|until (?:i say otherwise|further notice)|
    in (?:all )?future {answers}|in (?:all (?:of )?)?your {answers}|in all (?:of )?your [\p{L}-]{3,20}|for all (?:of )?(?:my |our |
    your )?(?:future |other |the )?(?!(?:my|our|your|the|of|this|that)\b)[\p{L}-]{3,20}(?: [\p{L}-]{3,20}){0,2}(?<=s)(?=,? )|(?:for|in|
    with) (?:every|each|any) [\p{L}-]{3,20}(?: [\p{L}-]{3,20}){0,2}|(?:for|in) (?:all|any) future [\p{L}-]{3,20})`,
  /** An adjective of answers. */
  adjective: source`(?:(?:more|less|very|really|too|so|such|overly|quite|your|the|long|longer|short|shorter|brief|briefer|concise|detailed|
    simple|simpler|clear|direct|honest|blunt|practical|concrete|formal|informal|technical|thorough|step-by-step|visual|plain|in-depth|quick|
    crisp|complete|structured|friendly|casual|real|real-world|real-life|worked|wordy|verbose|generic|vague|code),? (?:and |but )?)`,
  kind: '{adjective}*',
  /** At least one adjective, of answers that are not at hand. */
  sort: '(?!your\\b|the\\b){adjective}+',
  manner: source`(?:blunt|brief|concise|direct|honest|frank|gentle|kind|formal|informal|casual|polite|patient|specific|precise|strict|
    critical|encouraging|succinct|thorough|detailed|positive|friendly|professional)`,
  /** Objects of `prefer` that choose among the things at hand. */
  noChoice: source`(?!(?:not(?! \p{L}+ing\b)|your|you|this|that(?! (?:my|our|all|every|each)\b)|it(?! (?:over|to|rather))|these|those|
    them|him|her|option|version|number|neither|both|either|whichever|one(?!-)|to (?:say|wait|be(?! (?:called|addressed))|stay|go|
    keep (?:it|that)|leave it|not)|the (?:first|second|third|fourth|last|latter|former|other|next|previous|new|old|one|original|top|left|
    right)|(?:the|a) (?:\p{L}+ )?(?:version|option|draft|idea|design|wording|title|variant|choice|suggestion|sample|colou?r|shade|photo|
    picture|logo|approach you|way you)|(?:(?! over | than | to )[^.,;!?]){0,30}\bones?(?!-))\b)`,
  codeLanguage: source`(?:typescript|javascript|python|rust|go|golang|java|kotlin|swift|ruby|php|perl|scala|haskell|elixir|clojure|julia|
    matlab|dart|lua|bash|powershell|sql|fortran|cobol|r|c|c\+\+|c#|f#)(?![\p{L}+#])`,
  /** Words after `in` that limit an instruction to nothing: `in your answers`, `in euros`. */
  place: source`(?:{language}|{codeLanguage}|{currency}|{fileFormat}|{standard}|(?:the )?(?:future|mornings?|evenings?|afternoons?)|
    (?:(?:all|every|each|any|your|my|all your|the) )*(?:{answers}|answer|reply|response))`,
  currency: '(?:euros?|eur|dollars?|usd|pounds|gbp|yen|francs|kroner|kronor|rupees|yuan|pesos|zloty|lira|reais|won)',
  fileFormat: '(?:json|yaml|xml|csv|markdown|html|latex|plain text|toml|tables?|bullet points|prose|paragraphs)',
  gap: '[^.;!?]{1,120}?',
  clause: '[^.,;!?]{1,120}?',
  /** Any word that can be an imperative after `always` and `never`. */
  deed: source`(?!(?:an?|the|my|your|his|her|their|our|this|that|in|on|at|by|for|with|from|to|of|as|up|down|out|here|there|so|too|very|
    more|less|enough|better|worse|great|good|nice|lovely|fun|happy|sad|hard|easy|ready|open|free|full|new|late|early|busy|been|was|were|
    is|are|am|be|had|has|did|does|went|came|saw|knew|thought|felt|got|made|said|told|took|gave|found|left|kept|met|heard|ran|ate|wore|
    loved|welcome|down|home|together|alone|mind|again|ever|really|quite|just|even|only|one|two|all|nothing|something|someone|people|time|
    such|wanna|gonna|going|able|sure|right|wrong|known|seen|done|gone|once|\p{L}+(?:ed|ing|[^s]s)|us|me|him|it|them|where|when|what|why|
    how|if|because|and|or|but)\b)\p{L}{2,}`,
  dont: "(?:do not|don't|dont)",
  not: "(?:(?:do not|don't|dont|never|always|only|ever) )*",
  /** Words that may stand before an imperative. They make no instruction by themselves. */
  please: source`(?:(?:please|pls|plz|kindly|just|only),? |(?:do )?(?:remember|don't forget|be sure|
    make sure)(?: that)?(?: you)? (?:to )?|(?:keep|bear) in mind (?:that (?:you (?:should|must|need to|have to|are to) )?|to )|(?:i|
    we) (?:want|need|expect|would like|'d like) you to |you (?:should|must|need to|have to|are to|'re to) )*`,
  /** Words that may stand before a statement. */
  remember: "(?:(?:please )?(?:(?:always )?remember|(?:keep|bear) in mind|note|know|don't forget) (?:that )?)?",
  condition: source`(?:when|whenever|if|every time|each time|any ?time|as soon as|once)(?: that)? (?:(?:i|we) (?:(?:ever|later|next|
    specifically) )?{asking}\b|you(?:'re| are)? (?:ever )?(?:{answering}|{answeringNow})\b)`,
  /** Words between which and a verb stands no comma left out: `when I want to use`. */
  noVerbAfter: '(?:to|can|could|will|would|should|must|i|you|we|they|and|or|the|an?|my|your|of|do|not|for|in|no)',
  shaped: source`(?= (?:to|under|below|within|at|around|for|as|in|with|without|like|relatively|really|quite|very|more|less|focused|
    {manner}|short|simple|shorter|longer|clear|practical|structured|plain)\b|[.!]*$)`,
  end: source`(?=[.!?,;]*$|,? (?:or|and|but|please|pls|in|at|when|with|without|to|for|like|unless|not|from|because|so|again|if|by|
    instead|rather|only|that|which|over|on|throughout|everywhere|anywhere|ever|any ?more|after|before)\b)`,
  /** Words between `no more` and a feature: `no more long dad jokes`. */
  anyKind: '{any}(?:[\\p{L}-]+ )?',
  /** A standing word that begins or ends no statement by chance. */
  surely: '(?:from now on|(?<!\\bkeep )(?:going|moving) forward|by default)',
  any: '(?:(?:any|so many|too many|so much|all|all the|the|medical|legal|more|me|your|using|adding|with) )*',
  name: `${noName}[\\p{L}'.-]{1,24}(?: ${noName}[\\p{L}'.-]{1,24}){0,2}`,
  nameEnd:
    '(?=[.!?]*$|[,;] ?(?:not|please|thanks|instead|ok|okay)?\\b|,? (?:{lasting}|instead|please|again|thanks|not|rather|in)\\b| ?[(–—-])',
  often: source`(?:(?:really|rly|usually|generally|much|always|also|definitely|strongly|personally|still|actually|mostly|typically|often|
    normally|just|do|tend to|greatly|highly|far) )*`,
  loves: '(?:like|love|enjoy|appreciate|value)',
  hates: "(?:hate|dislike|despise|(?:can't|cannot) stand|(?:don't|do not) like|don't (?:want|need))",
  anyMore: '(?:any ?more|any longer|again|from now on|now)',
  extra: '(?:the |any |your )?(?:(?:\\p{L}+ )?(?:{measure}|translations?|reminders)|{feature}|{answers})',
  freed: "(?:(?:you can|you may|you could|feel free to|it's (?:ok|okay|fine) to|please|ok,?|okay,?|now|just) )*",
}
