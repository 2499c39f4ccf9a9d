import type { Finding } from './finding.ts'
import { shortestWalletKey, wallets } from './spoken-keys.ts'
import { findAll, type Pattern, type PatternGroup, patternOf } from './pattern.ts'

// The forms that the providers publish, of tokens that secretlint's preset does not know or knows too narrowly.
const hex = '[0-9a-fA-F]'
const uuid = `${hex}{8}-(?:${hex}{4}-){3}${hex}{12}`

const forms: readonly (readonly [label: string, form: string])[] = [
  ['GitHub token', String.raw`gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{50,255}`],
  // A key of a caller of Varve's own server (keys/key-text.ts).
  ['Varve key', String.raw`varve_${hex}{32}_[\w-]{43}`],
  ['GitLab token', String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas|imt|ffct|wt)-[\w.-]{16,300}`],
  ['Slack token', String.raw`xox[abceoprs](?:\.xox[bp])?-[\w-]{10,400}|xapp-\d-[\w-]{20,300}`],
  ['Stripe key', String.raw`(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[\w+/=-]{20,120}`],
  ['SendGrid key', String.raw`SG\.[\w-]{16,32}\.[\w-]{30,64}`],
  ['API key', String.raw`sk_${hex}{40,64}|r8_\w{30,48}|pplx-\w{32,64}|xai-\w{60,120}|lsv2_(?:pt|sk)_[\w-]{32,64}`],
  ['API key', String.raw`tvly-[\w-]{20,64}|fw_[A-Za-z0-9]{20,40}|nvapi-[\w-]{40,90}|pcsk_\w{40,90}|fc-${hex}{32}|jina_\w{40,90}`],
  ['OpenAI key', String.raw`sk-(?:proj|svcacct|admin|None)-[\w-]{20,255}`],
  ['Google key', String.raw`1//0[\w-]{30,255}|ya29\.[\w-]{20,2000}`],
  ['PyPI token', String.raw`pypi-AgE[\w-]{40,400}`],
  ['Discord token', String.raw`[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,42}|mfa\.[\w-]{80,95}`],
  ['Twilio key', `SK${hex}{32}`],
  ['Notion token', String.raw`secret_[A-Za-z0-9]{40,50}|ntn_[A-Za-z0-9]{40,60}`],
  ['DigitalOcean token', `do[oprt]_v1_${hex}{64}`],
  ['Supabase key', String.raw`sbp_(?:v0_)?${hex}{40}|sb_secret_[\w-]{20,64}`],
  ['Fly token', String.raw`fo1_[\w-]{40,64}|fm[12]_[\w+/=-]{60,2000}`],
  ['Vault token', String.raw`hv[sbr]\.[\w-]{20,300}`],
  ['Netlify token', 'nf[pcoub]_[A-Za-z0-9]{32,64}'],
  ['Vercel token', 'vc[pirak]_[A-Za-z0-9]{20,90}'],
  ['Terraform token', String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,80}`],
  ['Pulumi token', `pul-${hex}{40}`],
  ['Doppler token', String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,64}`],
  ['Databricks token', `dapi${hex}{32}(?:-\\d)?`],
  ['PlanetScale key', String.raw`pscale_(?:pw|tkn|oauth)_[\w.-]{30,64}`],
  ['Azure secret', String.raw`[\w~.]{3}\dQ~[\w~.-]{31,36}`],
  ['Alibaba key', 'LTAI[A-Za-z0-9]{12,30}'],
  ['Shopify token', `shp(?:at|ca|pa|ss|ua|tka)_${hex}{32}`],
  ['Linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'],
  ['Postman key', `PMAK-${hex}{24}-${hex}{34}`],
  ['Atlassian token', String.raw`AT(?:ATT|CTT|BB)[\w=-]{24,400}`],
  ['Figma token', String.raw`fig[dou]r?_[\w-]{30,64}`],
  ['Airtable token', String.raw`pat[A-Za-z0-9]{14}\.${hex}{64}`],
  ['Grafana token', String.raw`glsa_\w{32}_${hex}{8}|glc_[\w+/=]{32,400}`],
  ['Sentry token', String.raw`sntry[su]_[\w+/=-]{40,400}`],
  ['Docker token', String.raw`dckr_[po]at_[\w-]{24,40}`],
  ['RubyGems key', `rubygems_${hex}{48}`],
  ['crates token', 'cio[A-Za-z0-9]{32}'],
  ['Mailgun key', `key-${hex}{32}|(?:pubkey-)?${hex}{32}-${hex}{8}-${hex}{8}`],
  ['Mailchimp key', `${hex}{32}-us\\d{1,2}`],
  ['Dropbox token', String.raw`sl\.(?:u\.)?[\w-]{60,1200}`],
  ['HubSpot token', `pat-(?:na|eu|ap)\\d-${uuid}`],
  ['Square token', String.raw`sq0(?:atp|csp|idp)-[\w-]{22,48}`],
  ['Facebook token', String.raw`EAA[A-Z][\w-]{40,400}`],
  ['New Relic key', 'NR(?:AK|II|IQ|RA)-[A-Za-z0-9_-]{27,36}'],
  ['Mapbox token', String.raw`sk\.eyJ[\w-]{20,200}\.[\w-]{20,40}`],
  ['Brevo key', `xkeysib-${hex}{64}-[A-Za-z0-9]{16}`],
  ['Asana token', `[012]/\\d{12,20}(?:/\\d{12,20})?:${hex}{32}`],
  ['Contentful token', String.raw`CFPAT-[\w-]{40,50}`],
  ['Buildkite token', `bk(?:ua|aa|ct)_${hex}{40}`],
  ['Sonar token', `sq[pua]_${hex}{40}`],
  ['ReadMe key', 'rdme_[a-z0-9]{60,80}'],
  ['X token', 'A{18,24}[A-Za-z0-9%]{40,120}'],
  ['Heroku key', String.raw`HRKU-[\w-]{36,80}`],
  ['PostHog key', 'ph[xs]_[A-Za-z0-9]{32,60}'],
  ['Resend key', String.raw`re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,32}`],
  ['ClickUp token', String.raw`pk_\d{5,12}_[A-Z0-9]{32}`],
  ['Sourcegraph token', `sg[psd]_(?:${hex}{16}_|local_)?${hex}{40}`],
  ['Typeform token', String.raw`tfp_[\w=.-]{40,80}`],
  ['JFrog key', 'AKCp[A-Za-z0-9]{60,80}'],
  ['1Password token', String.raw`ops_eyJ[\w+/=-]{200,2000}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,5}`],
  ['Tailscale key', String.raw`tskey-[a-z]{2,10}-\w{8,32}-\w{16,48}`],
  ['LaunchDarkly key', `(?:sdk|api)-${uuid}`],
  ['Shippo token', `shippo_(?:live|test)_${hex}{40}`],
  ['Amazon token', `amzn\\.mws\\.${uuid}`],
  ['Adafruit key', 'aio_[A-Za-z0-9]{28}'],
  ['Prefect key', 'pn[ub]_[A-Za-z0-9]{36}'],
  ['Clojars token', `CLOJARS_[a-z0-9]{60}`],
  ['Hugging Face token', '(?:hf|api_org)_[A-Za-z]{30,40}'],
  ['Yandex key', String.raw`AQVN[\w-]{35,38}|y[0-3]_[\w-]{54,64}`],
  ['AWS key', String.raw`ABSK[A-Za-z0-9+/]{80,200}={0,2}|bedrock-api-key-[\w+/=-]{40,2000}`],
  ['Azure secret', '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}'],
  ['Cloudflare token', String.raw`eyJhIjoi[\w+/-]{80,400}={0,2}|v1\.0-${hex}{24}-${hex}{146}`],
  ['New Relic key', `${hex}{36}NRAL|NRSP-[a-z]{2}\\d{2}[A-Za-z0-9]{31}`],
  ['Vault token', String.raw`s\.[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{5})?`],
  ['age key', 'AGE-PLUGIN-[A-Z0-9]{1,20}-1[A-Z0-9]{40,200}'],
]

/** A token stands by itself: no letter or digit touches it. */
const tokens: readonly Pattern[] = forms.map(([label, form]) => ({
  label,
  pattern: new RegExp(String.raw`(?<![A-Za-z0-9_-])(?:${form})(?![A-Za-z0-9_])`, 'g'),
  isSecret: (secret) => (/\d/.test(secret) || secret.length >= 34 || /[a-z][A-Z]/.test(secret)) && !/^s\.[a-z]+$/i.test(secret),
}))

/** All forms at once: nearly every run is none of them, and one search is much cheaper than one a form. */
const anyForm = new RegExp(`(?<![A-Za-z0-9_-])(?:${forms.map(([, form]) => form).join('|')})`)

/** A run that may hold a token. Prose has few of them, so most of a text is read once here and no further. */
const run = /(?<![\w.~:/+=%@-])[\w.~:/+=%@-]{18,}/g

/** Finds the tokens of providers. */
export function findProviderTokens(text: string): Finding[] {
  const found: Finding[] = []
  let longest = 0
  for (const { 0: part, index } of text.matchAll(run)) {
    longest = Math.max(longest, part.length)
    if (part.length < 34 && !/\d|[a-z][A-Z]/.test(part)) continue
    if (!anyForm.test(part)) continue
    for (const each of findAll(part, tokens)) found.push({ ...each, from: each.from + index, to: each.to + index })
  }
  if (/airtable/i.test(text)) found.push(...findAll(text, airtable))
  if (longest >= shortestWalletKey) found.push(...findAll(text, wallets))
  return longest < shortestPaired ? found : [...found, ...findAll(text, pairedTokens)]
}

/** The older keys of Airtable are too short to be known by their form. */
const airtable: readonly Pattern[] = [
  { label: 'Airtable token', pattern: /(?<![A-Za-z0-9_])key(?=[A-Za-z]{0,13}\d)[A-Za-z0-9]{14}(?![A-Za-z0-9_])/g },
]

const shortestPaired = 30

/** Secrets that only what stands before them tells apart. */
const pairedTokens: readonly Pattern[] = [
  {
    label: 'AWS key',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-z0-9/+=])(?=[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))`,
      String.raw`(?<=\bA(?:KI|SI)A[A-Z0-9]{16}[^A-Za-z0-9]{1,8}(?:[a-z_]{1,24}\W{1,4}){0,4})[A-Za-z0-9/+]{40}`,
    ),
  },
  // Personal access tokens of Azure DevOps: base32 of 52 letters and digits, as no other id is.
  {
    label: 'Azure secret',
    pattern: patternOf(
      'i',
      String.raw`(?<![A-Za-z0-9])(?=[a-z2-7]{52}(?![A-Za-z0-9]))`,
      String.raw`(?<=(?<![a-z])(?:pat|azure|devops|azdo|personal access token|vsts|az)(?![a-z])[^\n]{0,60}?)[a-z2-7]{52}`,
    ),
  },
  {
    label: 'Twilio token',
    pattern: /(?=[0-9a-f]{32}(?![0-9A-Za-z]))(?<=\bAC[0-9a-fA-F]{32}\W{1,8}(?:\w{1,12}\W{1,3}){0,4})[0-9a-f]{32}(?![0-9a-zA-Z])/g,
  },
  {
    label: 'secret',
    pattern: /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{30})(?<=\b(?:SK[0-9a-f]{32}|LTAI\w{12,30})\W{1,8}(?:[a-z]{1,12}\W{1,3}){0,4})\w{30,34}(?!\w)/g,
  },
]

/** Addresses that are secrets themselves: whoever has one may post. */
const addresses: readonly Pattern[] = [
  ['webhook', String.raw`hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?<secret>\w{6,20}/\w{6,20}/[\w/]{8,80})`],
  ['webhook', String.raw`(?:discord|discordapp)\.com/api/(?:v\d{1,2}/)?webhooks/\d{15,22}/(?<secret>[\w-]{40,90})`],
  ['webhook', String.raw`webhook\.office\.com/webhookb2/[\w@-]{36,90}/IncomingWebhook/(?<secret>\w{20,64})`],
  ['webhook', String.raw`hooks\.zapier\.com/hooks/catch/\d{3,12}/(?<secret>\w{5,20})`],
  ['webhook', String.raw`maker\.ifttt\.com/trigger/[\w-]{1,80}/(?:json/)?with/key/(?<secret>[\w-]{16,64})`],
  ['webhook', String.raw`hook\.(?:[a-z]{2}\d\.)?(?:make|integromat)\.com/(?<secret>[a-z0-9]{24,40})`],
  ['webhook', String.raw`(?:open\.feishu\.cn|open\.larksuite\.com)/open-apis/bot/v2/hook/(?<secret>[\w-]{30,40})`],
  ['webhook', String.raw`qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=(?<secret>[\w-]{30,40})`],
  ['webhook', String.raw`/(?:web)?hooks?/[\w/-]{0,60}(?<secret>(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9_-]{24,120})(?![\w-])`],
  ['signature', String.raw`[?&](?:X-(?:Amz|Goog)-(?:Signature|Security-Token)|Signature|sig)=(?<secret>[A-Za-z0-9%+/_=.-]{16,2000})`],
  [
    'secret',
    String.raw`[?&#](?:[a-z]{0,16}[_-]?(?:token|api[_-]?key|key|secret|passw(?:or)?d|pwd|password)|auth|sid|session(?:id)?)=` +
      String.raw`(?<secret>[A-Za-z0-9%+/_=.~-]{8,2000})`,
  ],
].map(([label = '', form = '']) => ({
  label,
  pattern: new RegExp(form, 'gi'),
  isSecret: (secret) => /\d/.test(secret) || secret.length >= 20,
}))

/** Addresses have one of these. */
export const secretAddresses: readonly PatternGroup[] = [{ words: ['?', '&', 'hook', '/with/key/'], patterns: addresses }]
