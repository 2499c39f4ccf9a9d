import { regex, source, wordSet } from '../../word-lists.ts'

/** Verbs in the present whose object is a state of a person or a team. */
export const stativeVerbs = wordSet(`give gives use uses run runs live lives sit sits stay stays go goes cost costs pay pays charge
  charges earn earns take takes eat eats drink drinks drive drives ride rides work works report reports train trains sleep sleeps rent
  rents own owns keep keeps play plays sell sells ship ships start starts begin begins open opens close closes end ends meet meets host
  hosts heat heats study studies teach teaches sing sings gig gigs weigh weighs store stores support supports target targets commute
  commutes write writes cook cooks bake bakes grow grows deploy deploys build builds log logs hold holds carry carries wear wears swim
  swims lead leads manage manages sign signs trade trades bill bills invoice invoices cover covers serve serves share shares book books
  back backs have has do does design designs read reads shoot shoots format formats track tracks listen listens watch watches measure
  measures finish finishes call calls follow follows publish publishes happens comes answer answers practise practises practice practices
  rehearse rehearses feed feeds`)

/** Verbs of a change, in the past, whose later words name the new state. */
export const changeVerbs = source`(?:moved|switched|changed|put|migrated|went up|went down|gone up|gone down|swapped|shifted|converted|
  upgraded|downgraded|updated|upped|hiked|bumped|raised|lowered|reduced|increased|cut|extended|shortened|dropped|rebranded|renamed|
  rescheduled|postponed|pushed(?: back)?|brought forward|put off|transferred|promoted|reassigned|relocated|slipped|reset|ported|adjusted|
  improved|grown|grew|rose|risen|fell|fallen|jumped|climbed|reached|hit|got up|got down)`

/** Past forms after which a new thing, job or habit stands. */
export const beganVerbs = source`(?:bought|adopted|joined|picked up|settled on|decided on|decided for|decided to go with|agreed on|
  landed at|landed on|took up|taken up|took on|taken on|started at|started on|started using|started taking|opted for|gone with|went with|
  signed up with|signed up for|got(?= an? (?:\p{Ll}+ ){0,2}\p{Lu})|got myself|got ourselves|hired|subscribed to|leased|rented|inherited|
  was given|were given|was put on|were put on|been put on|was assigned|been assigned|became|become)`

/** Past forms after which an ended thing stands. */
export const endVerbs = source`(?:dropped|ditched|sold|cancell?ed|gave up|given up|gave away|given away|got rid of|gotten rid of|quit|
  stopped using|stopped taking|stopped eating|stopped drinking|stopped going to|stopped doing|stopped playing|stopped wearing|
  stopped paying for|stopped|scrapped|retired|abandoned|axed|killed|removed|shut down|closed down|closed|wound up|returned|handed back|
  handed in|ended|terminated|unsubscribed from|resigned from|parted with|parted ways with|split up with|broke up with|moved out of|
  moved away from|moved off|finished with|threw out|thrown out|donated|scratched|phased out|decommissioned|sunset|got off|came off|
  come off|went off|gone off|gone right off|let go of|kicked)`

/** Signs that a clause tells of a plan, a wish or a possibility. */
export const unsettled = regex('iu')`\b(?:will|gonna|going to|would|could|might|should|shall|may(?= (?:be|have|not|go|move|switch|change|
  become|get)\b)|planning (?:to|on)|planned (?:to|on)|(?<=(?:i|we|they) )plan (?:to|on)|thinking|think (?:about|of)|considering|consider|
  hope|hopes|hoping|(?:want|wants|wanted) to|wanna|would like|whether|wish|tempted|about to|trying to|try to|tried to|perhaps|maybe|
  probably|almost|nearly|supposed to|let's|let us|one day|some ?day|eventually|dream(?:ing)?|unless|if|in case|apparently|pretend|imagine|
  suppose|used to|aiming to|ought to|looking (?:at|for|into|to)|wondering|wonder|worried|need to|needs to|have to|has to|had to|flirting|
  toying|someday)\b|'(?:ll|d)\b`

/** Beginnings of a sentence that tells the assistant to do something, or asks. */
export const asking = regex('iu')`^(?:please|pls|can|could|would|will|do|does|did|is|are|was|were|should|shall|what|what's|which|who|
  who's|where|when|why|how|how's|any|ideas|draft|write|give|make|show|tell|help|suggest|explain|find|list|shorten|rewrite|fix|add|
  translate|turn|create|plan|remind|check|compare|summari[sz]e|recommend|rank|sort|convert|calculate|count|let|try|thanks|thank|nothing|
  opinions?)\b`

/** Verbs whose object is a habit, also without a value. */
export const habitVerbs = wordSet('eat drink wear rent report heat host')

/** Words that judge a thing, and name no state. */
export const evaluations = wordSet(`focus future family nuisance secret joke mess problem pain nightmare disaster mystery bit lot thing
  pleasure shame dream challenge struggle blast delight hit must priority question issue idea story same friend enemy fault mistake
  favourite favorite surprise success failure bargain hero killer lifesaver way reason point one sink company move cards drag joy
  relief treat step outlet`)

/** Things that everybody has one of. */
export const dailyThings = regex('iu')`^(?:breakfast|lunch|dinner|supper|bedtime|home|work|rent|pets?|diet|hobby|wifi|the (?:wifi|rent|
  car|flat|house|office|gym|boss|team|project|product|app|site|shop|band|club|kids?|baby|dog|cat))\b`

/** Words before a statement that add nothing to it. */
export const leads = source`(?:ok(?:ay)?|so|well|and|but|also|btw|hey|hi|hello|morning|anyway|actually|oh|right|news|update|yes|
  no(?! longer)|yeah|then|plus|sorry|haha|lol|hm+|ah|fyi|argh|ugh|bro|mate|ladies|correction|noted|going forward|note for later|
  note to self|for later|for the future|for future reference|bad news everyone|put this in your memory(?: please)?|\S+ or not|remember|
  remember this|(?:i|we)(?:'ve| have) decided(?: that)?(?= (?:i|we|it|the|our|my) )|wait|instead|because|now|hence|reminder|good news|
  bad news|big news|quick update|quick note|heads up|long story short|turns out|as you know|in the end|for context|for the record|
  by the way|in case you wonder|(?:please )?(?:remember|note|keep in mind|mind) that|from now on|from today on|starting today|
  as of (?:now|today|this \S+|last \S+|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|to be fair|honestly|anyways|finally|luckily|sadly)`

/** Words that begin no noun phrase of a state. */
export const noNoun = wordSet(`i you he she it they we there that this which who what here nothing something everything everyone someone
  nobody anyone these those where when why how one mine yours if so but because then not no and or please me him her them us myself people
  somebody`)

/** Words after `is` that tell how something is, and name no state. */
export const adjectives = wordSet(`tight loose truly finally crazy brave slow fast broken fine good great bad nice happy sad ready done
  late early busy free full empty old young hot cold warm cool wet dry clean dirty messy funny weird strange odd cute lovely awful
  terrible horrible perfect amazing awesome boring tired sick ill ok okay right wrong true false sure certain easy hard difficult simple
  complex complicated long short big small huge tiny tall heavy light loud quiet cheap expensive dear safe dangerous important useful
  useless helpful nervous excited scared afraid angry annoyed annoying confused confusing stuck lost gone back here there away out off on
  up down over better worse best worst due asleep awake alive dead pretty ugly brilliant delicious tasty stale fresh soft bright dark
  thick thin flat steep strict kind sweet rude mean shy proud glad sorry lucky unlucky able unable keen worried bored hungry thirsty weak
  strong rough smooth sharp blunt flaky noisy red-faced furious obsessed pleased relieved unhappy upset grumpy allergic single married
  divorced engaged pregnant retired mad insane ridiculous common rare normal usual possible impossible likely unlikely available missing
  present absent closed open finished so very too super quite rather more much all like key vital crucial essential worth special
  wonderful really about almost still already never always such just only even most less least not`)

/** Words that say nothing about the attribute of a state. */
export const fillers = wordSet(`my our the a an this that these those all both every each whole entire new old current latest former usual
  normal official own main real actual exact precise brand just now then still also again already currently usually mostly always really
  officially finally only simply me us mine ours here there today days anyway please`)

/** Words of attributes that have a value without a number, a name or a known thing: `my lunch is porridge`. */
export const attributeWords = wordSet(`accent account gp vet ceo cto cfo crm cms erp db ci cdn ide os vpn apartment flat lab workshop
  office studio rooms place address allergy antibiotic app approach arrangement backend bank base beer bike blend boss branch brand
  breakfast breed broker browser budget camera cache car carrier channel chart city class client cloud code codename color colour command
  commute company contact contract cough course cover crop currency cuisine deadline deposit desk diagnosis diet dinner dish distro doctor
  dose drink driver editor email engine exercise fabric fee fertiliser field flavour flour font format framework frontend fruit fuel genre
  go-to greeting gym handle hardware haircut heating hobby home host hosting hours house icon insurance instrument insurer keyboard key
  kit landlord language laptop layout library license licence limit linter location lunch machine major medication medicine menu method
  model motto mouse name nickname number nut oil operator order orm outfit owner package paint palette passphrase pattern pension phone
  pill plant plate platform playlist position preference prefix printer process pronoun pronouns protocol provider rate recipe region
  registry release rent restaurant rhythm role roast roof room routine router rule runtime salary schedule school scent schema seat server
  shampoo shift shop sign-off size snack soap software song soup spelling sport spot spread stack starter status station strategy style
  subject supplier surname sweetener system tariff tea team template tense test theme therapist ticket tile timezone tone tool topic
  tracker train trainer transport treatment tuning tutor type unit units vehicle vendor venue version visa voice vote wallpaper watch
  whisky wifi window wine workflow workout yarn yoghurt`)
