import { wordSet } from '../../../word-lists.ts'

/** Tools that may be written in lower case: programs, services, languages, frameworks. The words are no names of people or places. */
const toolNames = wordSet(`neovim nvim vim emacs vscode vscodium intellij pycharm webstorm xcode sublime helix zed tmux zellij zsh bash
  fish nushell powershell iterm alacritty kitty wezterm ghostty git github gitlab codeberg gitea bitbucket jujutsu typescript javascript
  python ruby rust golang kotlin swift scala clojure elixir erlang haskell ocaml php perl lua zig dart flutter java c++ c# .net wasm node
  nodejs node.js deno bun npm pnpm yarn pip poetry uv cargo maven gradle bazel nx turborepo lerna react vue svelte sveltekit angular solid
  solidjs preact qwik astro next nextjs next.js nuxt remix gatsby express fastify nestjs hono koa django flask fastapi rails sinatra
  laravel symfony spring htmx alpine jquery tailwind bootstrap sass storybook jest vitest mocha jasmine playwright cypress puppeteer
  selenium pytest rspec junit eslint biome prettier oxlint ruff black pylint mypy rubocop stylelint zod valibot yup ajv joi vite webpack
  rollup esbuild swc parcel rspack drizzle prisma kysely knex typeorm sequelize mikroorm sqlalchemy postgres postgresql mysql mariadb
  sqlite mongodb mongo redis valkey dynamodb cassandra duckdb clickhouse elasticsearch opensearch meilisearch typesense neo4j supabase
  firebase planetscale neon turso snowflake bigquery dbt airflow kafka rabbitmq nats graphql trpc grpc protobuf docker podman kubernetes
  k8s k3s helm terraform pulumi ansible nomad vagrant nginx caddy traefik haproxy apache aws gcp azure hetzner fly.io heroku vercel
  netlify render railway scaleway cloudflare digitalocean linode ovh jenkins circleci buildkite travis argocd sentry glitchtip plausible
  matomo posthog datadog grafana prometheus loki jaeger opentelemetry splunk pagerduty stripe paypal mollie paddle twilio sendgrid mailgun
  postmark mailchimp hubspot salesforce zendesk intercom linux ubuntu debian fedora nixos arch gentoo opensuse freebsd openbsd windows
  macos ios android chromeos firefox chrome chromium brave vivaldi opera edge thunderbird outlook gmail fastmail protonmail slack discord
  teams zoom jitsi mattermost telegram whatsapp threema matrix jira linear trello asana notion obsidian logseq evernote onenote todoist
  omnifocus airtable miro figma sketch penpot photoshop lightroom gimp inkscape krita blender illustrator indesign canva excel word
  powerpoint libreoffice latex typst markdown asciidoc pandoc zotero overleaf r stata spss matlab octave julia jupyter pandas numpy
  pytorch tensorflow keras ollama copilot cursor aider chatgpt claude gemini duolingo anki babbel strava garmin fitbit spotify netflix
  youtube audible kindle kobo 1password bitwarden keepass keepassxc lastpass yubikey nextcloud dropbox syncthing datev quickbooks xero
  lexoffice sage unity unreal godot ableton logic reaper audacity davinci`)

/** Known tools of two words. */
const longToolNames = wordSet(`github_actions visual_studio vs_code google_docs google_sheets google_drive google_calendar google_maps
  apple_notes apple_music final_cut home_assistant raspberry_pi react_native ruby_on_rails spring_boot sublime_text`)

/** Makes of cars, in the spellings that people use. */
export const carMakes = wordSet(`audi bmw citroen citroën cupra dacia fiat ford honda hyundai jaguar jeep kia lancia landrover lexus mazda
  mercedes mini mitsubishi nissan opel peugeot polestar porsche renault saab seat skoda škoda smart subaru suzuki tesla toyota vauxhall
  volkswagen volvo vw chevrolet chevy cadillac dodge buick chrysler rivian`)
export const vehicles = wordSet(`car van minivan pickup truck lorry estate hatchback convertible hybrid suv jeep camper motorbike
  motorcycle moped scooter tractor minibus`)

/** Tells whether a text is a tool that is known by its name, alone or with a version: `node 20`. */
export function isTool(text: string): boolean {
  const [first = '', ...rest] = text.toLowerCase().split(' ')
  return (toolNames.has(first) && rest.every((word) => /^v?\d[\d.]{0,6}$/u.test(word))) || longToolNames.has(`${first}_${rest[0] ?? ''}`)
}

/** Words that no tool's name begins with. */
export const noTools = wordSet('i he she they we you it this that these those there who what the my your our his her their mr mrs ms dr')
