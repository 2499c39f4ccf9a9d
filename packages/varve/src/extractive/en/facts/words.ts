import { phrases, wordSet } from '../../word-lists.ts'

/** Kin, friends, helpers and animals that a person can have. The word is the predicate. */
export const relations = phrases(`sister, brother, mother, father, mum, mom, dad, wife, husband, partner, girlfriend, boyfriend, fiancé,
  fiancée, son, daughter, uncle, aunt, cousin, niece, nephew, grandmother, grandfather, grandma, grandpa, nan, gran, granny, grandad,
  granddaughter, grandson,
  stepson, stepdaughter, boss, colleague, neighbour, neighbor, flatmate, roommate, landlord, landlady, friend, brother-in-law,
  sister-in-law, mother-in-law, father-in-law, son-in-law, daughter-in-law, brother in law, sister in law, mother in law, father in law,
  stepmother, stepfather, stepbrother, stepsister, half-brother, half-sister, godson, goddaughter, godmother, godfather, professor,
  supervisor, advisor, adviser, mentor, co-founder, cofounder, business partner, manager, housemate, nanny, therapist, dentist, doctor,
  vet, solicitor, accountant, dog, cat, horse, puppy, kitten, rabbit, parrot`)

/** Things that a person keeps, in the singular: not `a question`, `an idea`, `a cold`. */
export const belongingNouns = wordSet(`dog cat horse puppy kitten rabbit parrot hamster chicken hen goat sheep cow pony donkey tortoise
  snake fish goldfish budgie pet bee beehive child kid son daughter sister brother twin grandchild grandson granddaughter niece nephew
  cousin wife husband partner girlfriend boyfriend car boat bike bicycle motorbike motorcycle van camper caravan truck scooter canoe kayak
  dinghy yacht tractor house flat apartment cottage cabin garden allotment balcony farm piano guitar violin cello accordion drum flute
  trumpet ukulele banjo harp diabetes asthma epilepsy adhd autism dyslexia arthritis migraine migraines hayfever celiac coeliac printer
  telescope sewingmachine`)

/** Trades and roles, by their last word. */
export const trades =
  wordSet(`nurse clerk cook chef aide midwife coach lead head chief captain pilot guard judge vet vicar monk nun mechanic guide intern
  apprentice
  trainee teacher doctor medic referee trustee attendant accountant consultant assistant sergeant secretary actuary apothecary treasurer
  postman fireman foreman chairman chairwoman handyman milkman craftsman barista electrician technician librarian musician optician
  politician physician dietician beautician comedian custodian veterinarian historian magician mathematician carpenter plumber welder
  baker butcher tailor barber farmer fisher gardener builder plasterer roofer joiner bricklayer painter potter printer publisher writer
  editor reporter photographer designer developer programmer engineer tester manager supervisor director producer operator inspector
  instructor contractor conductor translator interpreter investigator administrator coordinator surveyor tutor lecturer professor
  researcher officer driver courier porter dispatcher broker trader banker lawyer solicitor paralegal notary advocate underwriter
  adjuster auditor bookkeeper caretaker janitor cleaner housekeeper gatekeeper beekeeper shopkeeper goalkeeper zookeeper groomer breeder
  trainer dancer singer drummer composer actor actress waiter waitress server bartender brewer distiller roaster florist dentist
  hygienist pharmacist chemist physicist biologist geologist botanist ecologist archaeologist psychologist psychiatrist therapist
  physiotherapist radiologist cardiologist surgeon paramedic firefighter soldier sailor lieutenant journalist columnist novelist
  restorer pianist violinist cellist guitarist bassist organist artist typist receptionist machinist economist analyst scientist
  architect planner buyer seller cashier stocker picker packer logger miner rigger glazier locksmith blacksmith goldsmith jeweller
  upholsterer weaver seamstress steward stewardess ranger forester arborist landscaper shepherd agronomist vintner sommelier freelancer
  governor councillor mayor minister chaplain pastor priest nanny childminder carer caregiver babysitter counsellor counselor mediator
  worker agent realtor stagehand usher curator archivist registrar principal headteacher dean bursar statistician controller shareholder
  astronomer author bookseller cobbler copywriter dietitian diver fisherman fisherwoman hairdresser illustrator miller nutritionist
  pathologist pharmacologist police-officer policeman policewoman radiographer salesman saleswoman sculptor student toolmaker tuner
  typesetter watchmaker zoologist dev physio vlogger podcaster rep pa postdoc`)

/** Workplaces, by their last word. */
export const workplaces = wordSet(`office hospital school bank bakery library university college startup company restaurant café cafe
  museum shop store supermarket pharmacy clinic theatre theater hotel factory farm brewery shipyard airport station nursery kindergarten
  newspaper publisher agency council ministry laboratory lab institute archive observatory garage studio cinema gallery mill vineyard
  embassy court zoo aquarium firm charity foundation harbour port railway radio bookshop`)

/** Last words of names that are surely a firm's or an institution's. */
export const firms = wordSet(`labs lab ferries bank museum radio gmbh inc ltd llc ag ab university hospital school shipping bakery group
  studio studios systems software library company institute college airlines railways press media energy foods brewery motors partners
  clinic hotel council consulting`)

/** Capitalised words that are no names of persons. */
export const noNames = wordSet(`i we you he she it they this that these those there here who what which when where why how everyone
  everybody nobody someone somebody anyone anybody nothing everything something one all both most many some any each every no yes my our
  your his her its their the a an and but or so if then now evil life home love time work god people death success nature history money
  power happiness beauty truth monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
  september october november december mum mom dad mother father grandma grandpa brother sister spring summer autumn winter today tomorrow
  yesterday tonight sir madam dear hello hi thanks please sorry okay ok well also just not never always crazy back maybe later mr mrs ms
  in on at of for to from with as is are was`)

const peoples = wordSet(`german french dutch greek swiss danish swedish norwegian finnish polish czech turkish irish scottish welsh
  english british american canadian mexican brazilian italian spanish portuguese russian ukrainian chinese japanese korean thai vietnamese
  indian pakistani iranian iraqi israeli egyptian moroccan nigerian kenyan african asian european australian austrian belgian hungarian
  romanian bulgarian croatian serbian bosnian albanian estonian latvian lithuanian icelandic catholic protestant muslim jewish christian
  buddhist hindu catalan basque sami`)

export function isPeople(word: string): boolean {
  return peoples.has(word.toLowerCase())
}

const languages = wordSet(`arabic basque bengali bosnian breton bulgarian cantonese catalan chinese croatian czech danish dutch english
  esperanto estonian farsi finnish flemish french frisian gaelic galician georgian german greek hebrew hindi hungarian icelandic
  indonesian irish italian japanese korean kurdish latin latvian lithuanian luxembourgish macedonian malay maltese mandarin norwegian
  pashto persian plattdeutsch polish portuguese punjabi romanian russian sami serbian slovak slovenian somali spanish swahili swedish
  tagalog tamil thai turkish ukrainian urdu vietnamese welsh yiddish yoruba zulu`)

export function isLanguage(word: string): boolean {
  return languages.has(word.toLowerCase())
}

/** Software that people can `move to` or `live in`. */
export const software = wordSet(`excel slack jira vim emacs linux windows macos android kubernetes postgres postgresql mysql sqlite
  typescript javascript python rust go java node react vue svelte docker aws azure gcp notion github gitlab firefox chrome outlook gmail
  teams zoom word python3 nixos ubuntu debian arch fedora bun deno pnpm yarn npm vite webpack dvorak colemak tailwind stripe heroku vercel
  redis mongo mongodb kafka terraform php ruby rails swift kotlin django laravel angular nextcloud signal telegram whatsapp mastodon`)
