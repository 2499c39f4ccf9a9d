import { regex, source, wordSet } from '../../word-lists.ts'

/** Kinds of things of which a person or a team uses one for a purpose: the kind, and its members. */
export const thingKinds = table(`
test runner: jest vitest mocha jasmine pytest unittest rspec minitest junit testng ava karma phpunit xunit nunit kotest
end-to-end tests: cypress playwright selenium puppeteer testcafe webdriver nightwatch detox appium
package manager: npm yarn pnpm bun pip poetry uv conda pipenv pdm cargo bundler homebrew composer maven gradle nuget
bundler: webpack vite rollup esbuild parcel turbopack rspack rolldown browserify gulp grunt
formatter: prettier biome eslint black ruff flake8 pylint rubocop dprint standard tslint oxlint gofmt rustfmt clang-format
database: postgres postgresql mysql mariadb sqlite mongodb mongo oracle cockroachdb duckdb dynamodb cassandra firestore couchdb neo4j
  clickhouse supabase planetscale turso snowflake bigquery redshift
queue: rabbitmq kafka sqs nats celery sidekiq bullmq pulsar resque
cache: redis memcached valkey dragonfly keydb varnish
search: elasticsearch opensearch meilisearch typesense algolia solr
state: redux zustand mobx jotai recoil pinia vuex xstate
style: tailwind bootstrap bulma sass scss less emotion
api: rest graphql grpc trpc soap
payments: stripe paypal adyen braintree mollie klarna sumup zettle worldpay
mailer: mailchimp postmark sendgrid mailgun brevo mailjet substack buttondown
mail: gmail outlook protonmail proton fastmail thunderbird icloud hotmail
monitoring: datadog grafana prometheus sentry newrelic splunk honeycomb rollbar bugsnag
cloud: aws azure gcp hetzner heroku vercel netlify digitalocean linode fly render cloudflare ovh scaleway railway vultr fastly
editor: vscode vim neovim emacs sublime zed intellij pycharm webstorm atom helix cursor notepad++ rstudio xcode kakoune
shell: bash zsh powershell nushell
system: ubuntu fedora debian arch mint nixos windows macos linux opensuse manjaro rhel centos alpine chromeos freebsd
framework: react vue svelte angular solid ember flutter swiftui nextjs nuxt remix astro django flask fastapi rails laravel express nestjs
  fastify hono spring symfony phoenix qwik htmx electron tauri ionic
language: python typescript javascript rust golang java kotlin swift ruby php elixir scala julia haskell clojure perl zig
runtime: node nodejs deno jvm
browser: firefox chrome safari edge brave vivaldi opera chromium
chat: slack discord teams zulip mattermost signal whatsapp telegram matrix threema rocketchat
calls: zoom skype meet jitsi webex whereby facetime
tracker: jira linear trello asana basecamp clickup monday github gitlab shortcut youtrack redmine bitbucket
notes: obsidian evernote notion onenote logseq roam joplin bear todoist ticktick
ci: jenkins githubactions circleci travis buildkite drone teamcity concourse
design tool: figma sketch penpot canva illustrator photoshop affinity gimp inkscape krita procreate lightroom darktable
music software: reaper ableton cubase logic bitwig ardour garageband audacity musescore sibelius dorico finale
spreadsheet: excel numbers libreoffice sheets airtable
books: xero quickbooks sage freeagent freshbooks datev lexoffice
shop software: shopify woocommerce magento etsy squarespace wix wordpress webflow ghost drupal joomla
password manager: bitwarden 1password keepass lastpass dashlane keepassxc
streaming: spotify tidal deezer qobuz netflix disney+ hulu
licence: mit gpl agpl lgpl apache apache-2.0 bsd mpl isc
diet: vegan vegetarian pescatarian omnivore keto paleo flexitarian gluten-free dairy-free halal kosher carnivore low-carb
hot drink: coffee tea espresso espressos rooibos matcha decaf cappuccino latte chai cocoa mocha americano cortado
milk: oat soy almond rice cow goat coconut hazelnut
heating: gas oil pellet pellets
car: skoda kia toyota volvo fiat renault peugeot dacia tesla honda mazda hyundai ford opel seat bmw audi golf yaris passat citroen nissan
  suzuki subaru mercedes jeep vauxhall volkswagen vw mini lexus polestar byd cupra corsa fiesta octavia fabia sandero civic
bicycle: brompton raleigh canyon specialized cannondale giant bianchi ribble gazelle cube trek
phone: iphone pixel fairphone galaxy oneplus nokia motorola xiaomi huawei oppo
laptop: thinkpad macbook framework xps surface chromebook zenbook latitude elitebook ideapad inspiron
camera: nikon canon fujifilm leica olympus pentax lumix
instrument: guitar piano violin cello flute clarinet trumpet saxophone drums ukulele banjo harp organ accordion oboe viola
sport: running swimming cycling climbing bouldering yoga pilates tennis badminton football rowing boxing judo hiking
blood pressure pill: ramipril amlodipine losartan lisinopril candesartan bisoprolol valsartan enalapril atenolol
allergy pill: cetirizine loratadine desloratadine fexofenadine levocetirizine
pain pill: ibuprofen paracetamol naproxen diclofenac aspirin
mood pill: sertraline citalopram escitalopram fluoxetine venlafaxine mirtazapine bupropion
stomach pill: omeprazole pantoprazole lansoprazole esomeprazole
inhaler: salbutamol ventolin symbicort fostair budesonide
`)

/** Kinds of which a person has one, whatever else is said of it. */
export const singleKinds: ReadonlySet<string> = new Set(
  'diet, milk, heating, hot drink, car, phone, laptop, camera, blood pressure pill, allergy pill, mood pill, stomach pill, ci'.split(', '),
)

/** Kinds of things of which one may well use several at a time. */
export const severalKinds = wordSet('language framework instrument sport calls inhaler notes streaming browser')

/** Words of one attribute, with a comma between two attributes. One has one of it, and it needs no further word. */
export const ownAttributes = lines(`
doctor gp physician, dentist, landlord landlady, flatmate roommate housemate, girlfriend gf, boyfriend bf, fiance fiancee, husband, wife,
boss manager supervisor, employer, salary pay-cheque paycheck, rent, mortgage, wifi wi-fi wlan ssid, wedding marriage marrying, honeymoon,
standup stand-up scrum, retro retrospective, sprint sprints, linter linting lint linted, formatter formatting formats, bundler bundling,
hosting hosted hosts host, heating heat heated heats heater, electricity, internet broadband, commute commuting, headcount, desk, notice,
thesis dissertation, deadline hand-in submission, launch go-live launching, breakfast, lunch lunches, dinner supper, bedtime, weight weigh
weighs scales, height, dose dosage, pill pills tablet tablets medication medicine, blood, allergy allergic allergies, sleep sleeping, gym,
physio physiotherapist physiotherapy, therapist, accountant, lawyer solicitor, plumber, cleaner, nanny childminder, nursery kindergarten
daycare, choir, orchestra, drummer, car drive drives vehicle van, laptop notebook, phone handset, camera, bike bicycle, oven, dishwasher,
fridge, sofa couch, diet, theme, keyboard, editor ide, wallpaper, terminal, browser, birthday, retirement retire, bin bins rubbish
recycling, hens chickens, herd, allotment, stall, haircut, handle nickname username, codename, surname, pronouns, licence license,
retention, coverage, latency p95, database db, pipeline pipelines ci builds, cache, bank, broker, pension, address flat apartment residence,
desktop, office, commits, glasses prescription, therapy, calorie calories kcal, shift shifts rota, handover, workout, dorm, mascot, slogan
tagline motto, logo, timezone, locale, currency, vet, thermostat, washing-machine washer, lawnmower mower, tent, backpack rucksack, handbag
purse, wallet, suitcase, helmet, saddle, trainers sneakers, telescope, microscope oscilloscope multimeter, tractor, caravan campervan
camper, boat kayak canoe, motorbike motorcycle scooter, headphones earbuds headset, smartwatch, mattress, router modem, webcam, mousepad
mouse, e-reader ereader kobo kindle, hairdresser barber stylist, osteopath chiropractor, midwife, dermatologist, cardiologist, gynaecologist
gynecologist, paediatrician pediatrician, headmaster headteacher principal, godfather godmother, guardian, counsellor counselor,
electrician, gardener, mechanic garage, caretaker janitor, postman, bishop vicar priest pastor, goalkeeper goalie, bassist, conductor,
librarian, webmaster, cto, ceo, cfo, hr, ophthalmologist, receptionist, apprentice intern trainee, hostname, nameserver, registrar,
hypervisor, orm, cdn, logger, crm, cms, erp, vpn, firewall, backlog, roadmap, kickoff, cutover, embargo, moratorium, semester, timetable,
gpa grade, tuition, scholarship bursary stipend, dormitory, locker, canteen cafeteria, attic loft, balcony, nameday anniversary, christening
baptism, graduation, housewarming, checkup check-up, cholesterol, pulse heartbeat, bmi, insulin, inhaler, wheelchair, overdraft, savings,
payday, dividend, vat, turnover revenue, churn, uptime, throughput, bandwidth, fertiliser fertilizer, lambing, paddock pasture, greenhouse
polytunnel, beehive apiary, aquarium tank, bedsheet bedding, detergent, toothpaste, shampoo, perfume aftershave, moisturiser moisturizer
sunscreen, hairstyle hair, beard, ringtone, screensaver, gamertag, avatar, newsletter, hashtag, jersey kit, league division, handicap,
racket racquet, bpm tempo, setlist, capo, reed, mouthpiece
`)

/** Words of one attribute, as above. Which one, another word beside it tells: the statistics exam, the kitchen budget. */
export const namedAttributes = lines(`
deploy deploying deployment deploys, release releases releasing, staging, teacher tutor instructor, coach trainer, team, club, department,
owner, lead leader head, chair chairman chairwoman chairperson, treasurer, secretary, contact, client customer, supplier vendor provider,
assistant, backup, budget, fee fees, rate rates charge charges quote, limit limits limited cap, target, bill bills, plan, subscription
membership, insurance, contract, rule policy, password passphrase passcode, code pin, key, port, branch, server, cluster, domain, version,
command, script, test tests suite, build, job, api, app application, website site, page, project, product, file, folder, repo repository
codebase, surgery clinic practice, tickets, exam, assignment essay coursework, lecture, class course lesson lessons, meeting review sync
call, appointment, rehearsal rehearsals, training, match, concert gig, party, fair, trip, flight train, delivery, collection, window,
season, room rooms, kitchen, floor, wall walls, garden, seat, size, colour color, favourite favorite fav, preference, style, format, unit
units, layout, font, hours, day days-off, schedule, password, pressure, rhythm, heart, record best pb, score, distance, dog cat puppy kitten
rabbit horse pony hamster, hen cow cows sheep goat goats pig pigs bees hives, title, band, shop store, column topic, brand, model, brother
sister, order, bread loaf, milk, drink, snack, song, tuning, lens, printer, heater, contractor, speaker, sponsor, guide, agent, approvals
approval reviewers, drafts, events, payments, backups, screen display, battery, charger, cable, door gate, lock, alarm, windows, flooring
carpet, curtain curtains blinds, lamp light bulb, paint, shelf, mug cup, knife, recipe, cake, soup, sauce, cheese, flour, beer ale lager,
wine, juice, snacks, chocolate, cereal muesli porridge, sandwich toastie, salad, meal meals, portion portions, menu, dish, restaurant, café
cafe, pub, hotel, airline, route, platform, bus, tram, ferry, ticket, visa passport, embassy, insurer, account, card, loan, interest, tax,
grant, donation, prize, bonus, overtime, holiday vacation leave, module, reading, book novel, chapter, draft, manuscript publisher, journal,
conference, workshop, webinar, panel, keynote, slides deck, poster flyer, campaign, audience, survey, form, spreadsheet, template, schema,
endpoint, queue, bucket, container image, cron, timeout, retry retries, threshold, quota, token, header, region, instance instances, replica
replicas, node nodes, disk, storage, logs, metrics, alert alerts, on-call oncall, wiki, changelog, icon, illustration, animation, button,
sidebar, landing, checkout, signup, login, onboarding, trial, tier, seats, stock inventory, till, staff, crew, volunteer volunteers, member
members, pupil pupils student students, patient patients, guest guests, resident residents, tenant tenants, subscriber subscribers follower
followers, user users, download downloads, visitor visitors, sales, orders, invoice invoices, leads, exercise exercises, rep reps, lap laps,
step steps, push-ups pushups squats, bench deadlift squat, marathon run, 5k 10k, swim, dive, jump, chess rating elo, issue issues, bug bugs,
ewe ewes ram rams, calf calves, lamb lambs, duck ducks, goose geese, fish, hive, acre acres hectare hectares, field fields, tree trees, plot
plots, bed beds, tattoo, supplement, pizza, vaccination jab booster, crop, market, feed fodder, podcast, milestone, funeral, antibiotic,
painkiller, mri scan x-ray, venue, sowing, milking, fasting fast, greeting, runner runners, compost, harvest, veg, umbrella, monitor,
trailer, deposit, subtitle, captain skipper, consultant specialist, builder, architect, singer, mentor mentee, signature sign-off,
conversion, margin
`)

/** Attributes that are told by a verb before the value: the sign of each, and the words that end with the value's place. */
export const toldAttributes: readonly (readonly [attribute: string, pattern: RegExp])[] = [
  [
    'address',
    regex('iu')`\b(?:i|we)(?:'ve|'m|'re| have| am| are)?\b.*\b(?:(?:live|living|rooming|based) (?:\S+ ){0,6}(?:in|at|on)|(?:moved|
      relocated) (?:back |over |out |up |down |in |house )?(?:to|into|in)|in (?:an? |the )(?:\p{L}+ )?(?:flat|apartment) (?:in|on|at)|
      renting (?:\S+ ){1,4}(?:in|at|on)|settled in) (?:the |a |an )?$|^\W*home (?:for (?:me|us) )?is (?:\S+ ){0,5}$`,
  ],
  [
    'employer',
    regex('iu')`\bi(?:'m| am) (?:now )?at (?:the )?$|\bi(?:'m| am) (?:an? |the |now )*(?:[\p{L}-]+ ){1,3}(?:at|for|with) (?:the )?$|
      \bi(?:'ve)? ?(?:now |just )?(?:joined|(?:work|started|start|teach|got a job|nurse|cook|freelance)(?: \p{L}+){0,2} (?:at|for|
      with)) (?:the )?$`,
  ],
  ['boss', /\breport(?:s|ing)? to $/iu],
  ['office', /\b(?:team|company|firm|we)(?:'re| are| is)? (?:now )?(?:sits?|based) (?:at|in|on) (?:the )?$/iu],
  ['hours', /\bi (?:now )?work [\d.]+ ?(?:hours|h)$/iu],
  ['weight', /\bi(?:'m| am)(?: now)?(?: (?:down|up) to)? [\d.,]+ ?(?:kg|kilos?|lbs?|stone)$/iu],
]

/** Names of streets and houses, which stand beside the name of a town. */
export const street = regex('iu')`\d|\b(?:street|road|lane|avenue|drive|close|square|yard|court|terrace|row|way|crescent|mews|place|
  floor)\b|stra(?:ss|ß)e\b|^(?:calle|rue|via|rua) `

/** Words for persons who are not the speaker. */
export const others = wordSet(`sister brother mother father mum mom mam dad parents parent aunt uncle cousin niece nephew grandma grandpa
  gran grandad grandmother grandfather son daughter kid kids child children baby toddler husband wife partner spouse girlfriend boyfriend
  fiance fiancee friend friends colleague colleagues neighbour neighbours neighbor neighbors flatmate roommate housemate boss manager mate
  landlord sister-in-law brother-in-law mother-in-law father-in-law stepdad stepmum twin twins granddaughter grandson dog cat puppy kitten
  horse`)

/** Words of a group exclude each other: what is said of one is not said of another. An equals sign joins words for the same. */
export const apart = classes(`
staging production=prod=live development=dev sandbox preview qa, work private=personal=home, unit end-to-end=e2e integration acceptance
smoke load, frontend=front-end backend=back-end mobile website desktop admin docs, parser renderer compiler scheduler, public partner
internal external, first second third fourth last, eldest=oldest youngest middle, spring summer autumn=fall winter, left right, early late,
upper lower, front back, garage shed attic cellar basement kitchen bathroom bedroom living guest hall office garden, maths=math physics
chemistry biology history geography latin english french german spanish algebra statistics music art, piano violin guitar cello singing
drum=drums flute, driving theory, outbound=outward=out return, adult=adults kids=children, car house home life health travel pet phone,
phone streaming gym internet energy, 5k 10k half marathon mile, dentist optician hygienist physio doctor vet, electrician plumber carpenter
painter cleaner gardener, lawyer accountant banker notary, designer developer product project sales marketing finance legal, chair treasurer
secretary, paper glass plastic bio compost, hens ducks geese cows goats sheep pigs bees rabbits, dog cat puppy kitten rabbit hamster horse
pony, sofa armchair, dishwasher washing dryer fridge oven, android ios, light dark, beta alpha launch, steak eggs, tea coffee, film book
song colour=color café bakery restaurant food, browser terminal editor, sourdough rye spelt baguette, diesel petrol, rent electricity gas
water internet, clients family, step calorie protein water, morning=mornings=breakfast midday=lunch=lunchtime=noon afternoon=afternoons
evening=evenings=dinner=supper night=nights bed=bedtime, weekday=weekdays weekend=weekends, upstairs downstairs, north south east west, his
her, monthly weekly daily yearly=annual
`)

/** Words in every talk: two statements that share these alone are of different things. */
export const commonWords = wordSet(`i me my mine myself we us our ours you your he him his she her it its they them their a an the this that
  these those and or but so if then than as at by for from in into of off on onto out over to up down with without about after before
  between through during under around against since until till is am are was were be been being do does did done doing have has had having
  will would can could should may might must shall not no nor yes ok okay please pls thanks thank now just also too very really quite still
  already again here there when where which who whose what why how all both each every some any much many more most less least none other
  others another such own same one two three four five six seven eight nine ten eleven twelve hundred thousand first second third last next
  get gets got getting gotten go goes going went gone gonna make makes made making take takes took taken taking put puts let lets want wants
  wanted need needs needed like likes liked know knows known knew think thinks thought say says said tell tells told give gives gave given
  come comes came coming look looks looking looked see sees saw seen seem seems find finds found feel feels felt keep keeps kept leave
  leaves left start starts started begin begins began begun stop stops stopped try tries tried trying ask asks asked show shows showed turn
  turns turned run runs running ran move moves moved moving bring brings brought hold holds held stand stands stood sit sits sat stay stays
  stayed set sets become becomes became happen happens happened mean means meant call calls change changes changed changing switch switched
  switches swap swapped trade traded replace replaced replaces update updated updates bump bumped raise raised lower lowered drop dropped
  increase increased decrease decreased upgrade upgraded push pushed postpone postponed reschedule rescheduled extend extended settle
  settled decide decided agree agreed choose chose chosen pick picked go-to join joined hire hired buy bought sell sold rename renamed
  remember note forget ignore correction scratch wrong actually instead finally recently currently officially apparently honestly exactly
  only even ever never always often sometimes usually mostly mainly almost maybe perhaps probably rather pretty well enough else though
  although while because unless whether yet soon later ago back away together along new old good bad great nice big small little long short
  high low right early late best better worse worst real sure happy sad ready free full whole half main different usual current latest
  normal proper fine hard easy quick quickly slow fast certain kind day days week weeks month months year years hour hours minute minutes
  seconds time times today tomorrow yesterday tonight monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
  thursdays fridays saturdays sundays january february march april june july august september october november december morning evening
  night weekend moment date thing things something anything nothing everything stuff way ways lot lots bit part parts side end place places
  point case reason people person guy guys man men woman women everyone everybody someone somebody anyone nobody folks family friend friends
  team group world life house home work works working worked job help helps helped question questions answer answers idea ideas problem
  problems list lists plan plans notes mail mails email emails message messages letter letters text texts word words line lines page pages
  number numbers example use uses used using write writes writing wrote written draft read reads reading explain suggest add adds added fix
  fixed check checked quote reply send sends sent pay pays paid paying cost costs price prices charge charges charged euro euros pound
  pounds dollar dollars cent cents pence quid bucks eur usd gbp percent money per sells live lives living lived eat eats eating drink drinks
  drinking love loves loved hate prefer prefers enjoy play plays playing ride rides wear wears talk talks talking speak speaks hear heard
  laugh laughed wait waiting fall falls fell open opens close closes cut cuts name names named called owns owned belong carry carries handle
  big-time yours lol haha btw fyi hey hi hello oh ah yeah nope sorry dear news story anyway default based cheers don t s ve m re ll d x st
  nd rd th km kg mg don't doesn't didn't can't won't isn't aren't wasn't i'm i've i'd i'll it's that's there's we're we've you're he's she's
  they're what's let's who's one's ms pm especially including include included understand understanding planning planned setting setup
  set-up approach various several similar specific important able available possible successfully carefully completely directly easily fully
  generally regularly simply slightly clearly focus related following previous couple few double single extra total overall average within
  across toward towards despite according further rather regarding concerned interested worried excited glad proud tired busy curious aware
  careful confident comfortable willing ready likely difficult useful helpful necessary clear simple basic general typical wonderful lovely
  amazing awesome terrible horrible weird funny strange beautiful decision step result results issue fact feeling sense chance detail
  details information info subject area type types sort kind level amount rest middle front bottom top beginning ending learn
  learns learned learning`)

/** Words of a sentence that tell how its state stands to an earlier one. */
export const cues = {
  /** Words of a change. */
  change: regex('iu')`\b(?:now|nowadays|again|new|moved|switched|changed|swapped|traded|replaced|replaces|instead|no longer|
    any ?more|from now|from today|from here|since|as of|these days|by now|bumped|upgraded|downgraded|raised|lowered|cut|went up|gone up|
    up to|down to|dropped|ditched|increased|decreased|updated?|correction|actually|took over|taken over|became|become|renamed|rebranded|
    pushed|postponed|rescheduled|slipped|brought forward|put me on|put us on|finally|turned|improved|climbed|reached|is up|latest|recently|
    wrong|mixed|misread|misquoted|nonsense|in fact|turns out|after all|got|bought|hired|settled|decided|agreed|left|started|began|picked|
    chose|grown|adjusted|extended|promoted|stop|forget|ignore|scratch|this year|this season|this month|this term|so far|last week|
    last month|in the end|for good|changed my mind|after the|from \p{L}+ on)\b`,
  /** Words by which a change is told and little else. */
  update: regex('iu')`\b(?:now|nowadays|moved|switched|changed|swapped|traded|replaced|replaces|instead|in place of|no longer|any ?more|from
    now|from today|from here|these days|by now|bumped|raised|lowered|went up|gone up|(?<!add )up to|down to|dropped|ditched|correction|
    took over|taken over|became|become|renamed|rebranded|pushed|postponed|rescheduled|brought forward|put me on|put us on|wrong|
    mixed|misread|misquoted|nonsense|turns out|scratch|changed my mind|until further notice|update (?:this|your|our|my))\b`,
  /** Words of a correction: they count wherever they stand in the sentence. */
  wrong: regex('iu')`\b(?:correction|i was wrong|was wrong about|got (?:it|that) wrong|mixed (?:\S+ ){0,3}up|misread|
    misquoted|misheard|muddled|my mistake|nonsense|rubbish|scratch that|scratch the|forget (?:what|the)|ignore (?:what|the)|turns out|
    update (?:this|your|our|my)|oops|actually|in fact|remembered (?:it )?wrong|changed my mind|from now on|no longer|not any ?more)\b`,
  /** Words beside a second thing that leaves the first as it is. */
  beside: regex('iu')`(?!^)\b(?:also|too|as well|another|second|additional|besides|other|on top|in addition|extra|spare)\b`,
  /** Words by which a state of long ago is told. */
  past: regex('iu')`\b(?:back in|back when|used to|at that time|at the time|in those days|those days|years ago|in (?:19|
    20)\d\d|from (?:19|20)\d\d|when i was|as a (?:kid|child|student|teenager)|growing up|formerly|previously|originally|once had)\b`,
}

/** Words before or after the name of an earlier value that is no more. */
export const awayBefore = source`(?:from|stop using|instead of|rather than|in place of|replac(?:es|ed|ing)|took over from|
  taken over from|not|no longer|no more|than|swapped|traded(?: in)?|sold|ditched|dropped|left|quit|stopped|forget|ignore|away from|off|
  old|former|goodbye to|bye|done with|rid of|scrapped|retired|cancelled|succeeds?|succeeded|pushed)`
export const awayAfter = source`(?:is gone|is out|is over|is history|has left|left|went|has gone|has retired|retired|was wrong|got the|
  is dead|died|moved|quit|was sold|has been replaced)`

/** Ends of a clause. */
export const boundary = regex('giu')`[.,;:!?()–—"“”]+(?=\s|$)|\s[-–—]\s|\b(?:and|so|but|because|since|though|although|which|who|while|
  when|where|if|as(?! (?:my|our|the|an?) )|can you|could you|would you|please)\b`

/** A number and the word after it. */
export const countedNoun = regex('iu')`(?:\d[\d.,]*k?[ -]?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|
  fourteen|fifteen|twenty|thirty|forty|fifty|hundred)[ -])(?<unit>\p{L}+)`

/** Units of measure: they tell that two numbers are of a kind, but not what they measure. */
export const measures = wordSet(`h hour hours min minute minutes mins second seconds sec secs ms day days week weeks month months year
  years km kms m cm kg kilo kilos g gram grams mg ml litre litres liter liters gb mb tb metre metres square mile miles`)

/** Reads a line for each kind: its name, a colon, and its members. A longer one goes on in a line set in. */
function table(text: string): readonly (readonly [kind: string, members: ReadonlySet<string>])[] {
  const rows = text.trim().split(/\n(?! )/u)
  return rows.map((row) => [row.slice(0, row.indexOf(':')), wordSet(row.slice(row.indexOf(':') + 1))])
}

function classes(text: string): readonly ReadonlyMap<string, string>[] {
  return lines(text).map((group) => new Map([...group].flatMap((same) => same.split('=').map((word) => [word, same] as const))))
}

function lines(text: string): readonly ReadonlySet<string>[] {
  return text.replaceAll('-', '').trim().split(/,\s+/u).map(wordSet)
}
