import { wordSet } from '../../word-lists.ts'

/** Kinds of things of which a person or a team uses one for a purpose: the kind, and its members. */
export const thingKinds: readonly (readonly [kind: string, members: ReadonlySet<string>])[] = [
  ['test runner', wordSet('jest vitest mocha jasmine pytest unittest rspec junit testng ava karma tap')],
  ['end-to-end tests', wordSet('cypress playwright selenium puppeteer testcafe webdriver')],
  ['package manager', wordSet('npm yarn pnpm bun pip poetry uv conda pipenv cargo bundler homebrew')],
  ['bundler', wordSet('webpack vite rollup esbuild parcel turbopack rspack')],
  ['formatter', wordSet('prettier biome eslint black ruff flake8 rubocop dprint standard tslint')],
  ['database', wordSet('postgres postgresql mysql mariadb sqlite mongodb mongo oracle cockroachdb duckdb dynamodb cassandra firestore')],
  ['cache', wordSet('redis memcached valkey dragonfly keydb')],
  ['cloud', wordSet('aws azure gcp hetzner heroku vercel netlify digitalocean linode fly render cloudflare ovh scaleway railway')],
  ['editor', wordSet('vscode vim neovim emacs sublime zed intellij pycharm webstorm atom helix cursor notepad++ rstudio')],
  ['system', wordSet('ubuntu fedora debian arch mint nixos windows macos linux opensuse manjaro rhel centos alpine')],
  ['framework', wordSet('react vue svelte angular solid ember flutter swiftui nextjs nuxt remix astro django flask fastapi rails laravel')],
  ['language', wordSet('python typescript javascript rust golang java kotlin swift ruby php elixir scala julia haskell')],
  ['chat', wordSet('slack discord teams zulip mattermost signal whatsapp telegram matrix threema')],
  ['tracker', wordSet('jira linear trello asana notion basecamp clickup monday github gitlab shortcut todoist airtable obsidian evernote')],
  ['ci', wordSet('jenkins circleci travis buildkite drone teamcity')],
  ['diet', wordSet('vegan vegetarian pescatarian omnivore keto paleo flexitarian gluten-free dairy-free halal kosher carnivore')],
  ['hot drink', wordSet('coffee tea espresso espressos rooibos matcha decaf cappuccino latte chai cocoa')],
  ['milk', wordSet('oat soy almond rice cow goat coconut')],
  ['car', wordSet('skoda kia toyota volvo fiat renault peugeot dacia tesla honda mazda hyundai ford opel seat bmw audi golf yaris passat')],
  ['phone', wordSet('iphone pixel fairphone galaxy oneplus nokia motorola xiaomi')],
  ['laptop', wordSet('thinkpad macbook framework xps surface chromebook zenbook latitude')],
  ['instrument', wordSet('guitar piano violin cello flute clarinet trumpet saxophone drums bass ukulele banjo harp organ accordion oboe')],
  ['sport', wordSet('running swimming cycling climbing bouldering yoga pilates tennis badminton football rowing boxing judo hiking')],
]

/** Words that speak of the same attribute. */
export const sameAttribute: readonly ReadonlySet<string>[] = [
  wordSet('doctor gp physician surgery pediatrician dr'),
  wordSet('flat apartment place home house rooms room dorm share address office rent'),
  wordSet('girlfriend gf partner dating boyfriend bf relationship'),
  wordSet('boss manager lead supervisor report reports'),
  wordSet('job work works employer contract shift company'),
  wordSet('deploy deploying deployment ship ships shipping release live'),
  wordSet('test tests testing suite specs'),
  wordSet('gym fitness studio membership'),
  wordSet('allergic allergy allergies react'),
  wordSet('pill pills tablet tablets medication medicine dose mg take takes'),
  wordSet('car drive drives vehicle'),
  wordSet('phone mobile handset'),
  wordSet('wedding married marry marrying'),
  wordSet('deadline due hand-in submission'),
  wordSet('formatting format formatter formats style'),
  wordSet('hosting host hosts hosted cloud servers server'),
  wordSet('price prices costs cost charge charges fee rate pay pays'),
  wordSet('name named called call'),
  wordSet('breakfast morning mornings'),
  wordSet('lunch midday noon'),
  wordSet('hens chickens'),
]

/** Words in every talk: two statements that share these alone are of different things. */
export const commonWords = wordSet(
  'i me my we us our you your he she it they them his her their a an the this that these those and or but so if then than as at ' +
    'by for from in into of off on onto out over to up down with without about after before since until till is am are was were be ' +
    'been being do does did done have has had having will would can could should may might must not no yes ok okay please thanks ' +
    'now just also too very really still already again here there when where which who what why how all both each every some any ' +
    'much many more most less least one two get got getting go goes going went gone make makes made take takes took put let want ' +
    'need like know think say said tell told give gave use used using new old first last next good bad big little long short day ' +
    'days week weeks month months year years time today tomorrow thing things way lot bit people work help write draft keep set ' +
    'only even ever never always don t s ve m re ll d x per',
)

/** Words of a change. */
export const changeCue = new RegExp(
  String.raw`\b(?:now|new|moved|moving|switched|changed|swapped|traded|replaced|replaces|instead|no longer|any ?more|since|` +
    String.raw`from now on|these days|bumped|upgraded|raised|lowered|went up|gone up|dropped|increased|decreased|updated?|` +
    String.raw`correction|actually|took over|taken over|joined|became|become|renamed|rebranded|pushed|postponed|rescheduled|` +
    String.raw`brought forward|put me on|put us on|finally|went|turned|improved|reached|is up|as of|latest|recently|wrong|` +
    String.raw`mixed|misread|nonsense|in fact|turns out|rather|got|bought|hired|settled|decided|left|sold|started|began|picked|` +
    String.raw`chose|has become|grown|adjusted|extended)\b`,
  'iu',
)
