/** A fact that an agent will need again: the place where it is told, and words that show in one line that it is still known. */
export interface KeyFact {
  readonly kind: 'path' | 'id' | 'error' | 'decision'
  readonly probe: readonly string[]
  readonly told: Telling
}

/** A telling of a fact: a person says it, or a tool's input or output shows it. */
export type Telling =
  | { readonly by: 'user' | 'assistant'; readonly text: string }
  | { readonly by: 'tool'; readonly name: string; readonly input: object; readonly output: string }

const said = (kind: KeyFact['kind'], by: 'user' | 'assistant', text: string, ...probe: string[]): KeyFact => ({
  kind,
  probe,
  told: { by, text },
})
const ran = (kind: KeyFact['kind'], command: string, output: string, ...probe: string[]): KeyFact => ({
  kind,
  probe,
  told: { by: 'tool', name: 'Bash', input: { command }, output },
})
const edited = (path: string, from: string, to: string): KeyFact => ({
  kind: 'path',
  probe: [path],
  told: {
    by: 'tool',
    name: 'Edit',
    input: { file_path: path, old_string: from, new_string: to },
    output: `The file ${path} has been updated.`,
  },
})
const written = (path: string, content: string): KeyFact => ({
  kind: 'path',
  probe: [path],
  told: { by: 'tool', name: 'Write', input: { file_path: path, content }, output: 'File created.' },
})

export const keyFacts: readonly KeyFact[] = [
  // Files that the work is in.
  edited(
    'services/harbour/src/berth-allocator.ts',
    'const free = berths.filter(isFree)',
    'const free = berths.filter(isFree).toSorted(byDraught)',
  ),
  edited('services/harbour/src/tide-table.ts', 'return table[hour]', 'return table[hour] ?? interpolate(table, hour)'),
  written('services/harbour/src/pilot-roster.ts', 'export const roster = new Map<string, Shift>()\n'),
  edited('packages/manifest/lib/parse-edifact.ts', "segment.split('+')", 'splitSegment(segment)'),
  written('packages/manifest/test/parse-edifact.spec.ts', "test('release characters', () => undefined)\n"),
  edited('infra/terraform/modules/queue/main.tf', 'visibility_timeout = 30', 'visibility_timeout = 120'),
  edited('apps/quayside/app/routes/crane.$id.tsx', 'useLoaderData()', 'useLoaderData<typeof loader>()'),
  edited('migrations/0042_add_customs_hold.sql', 'ADD COLUMN hold boolean', 'ADD COLUMN hold boolean NOT NULL DEFAULT false'),
  said(
    'path',
    'user',
    'By the way, the tariff rules live in config/tariffs/2026-q1.yaml, and finance edits that by hand, so read it fresh each time.',
    'config/tariffs/2026-q1.yaml',
  ),
  said(
    'path',
    'assistant',
    'All of the retry behaviour sits in libs/transport/retrying-client.ts; the gateway merely wraps it.',
    'libs/transport/retrying-client.ts',
  ),
  edited('.github/workflows/nightly-soak.yml', "cron: '0 3 * * *'", "cron: '30 2 * * 1-5'"),
  edited('tools/replay/replay-voyage.py', 'speed = 1.0', 'speed = args.speed'),
  // Names and numbers that somebody will ask for.
  said('id', 'user', 'Please put everything for this under ticket HARB-2291.', 'HARB-2291'),
  said('id', 'user', 'The customer who sees it is account acct_7Qm2LxV9, in the Rotterdam tenant.', 'acct_7Qm2LxV9'),
  ran('id', 'git log --oneline -1', '8f3ac1d Allocate berths by draught', '8f3ac1d'),
  ran('id', 'gh pr create --fill', 'https://github.com/quayside/harbour/pull/1847', 'pull/1847'),
  ran(
    'id',
    'kubectl -n harbour get pods',
    'NAME                       READY   STATUS\nallocator-6d9f7c5b8-x2kqp  0/1     CrashLoopBackOff\n',
    'allocator-6d9f7c5b8-x2kqp',
  ),
  ran('id', 'flyctl deploy --remote-only', 'Deployment dpl_01HZX4T9KQ is live\n', 'dpl_01HZX4T9KQ'),
  said('id', 'assistant', 'The trace that shows the stall is 4bf92f3577b34da6; it waits eleven seconds on the lock.', '4bf92f3577b34da6'),
  said('id', 'user', 'Staging listens on port 47113, not on the default one.', '47113'),
  said('id', 'user', 'The feature flag is called berth.sort-by-draught, it is off for everybody but us.', 'berth.sort-by-draught'),
  ran('id', 'aws sqs list-queues', 'https://sqs.eu-west-1.amazonaws.com/204913377/voyage-events-dlq', 'voyage-events-dlq'),
  said('id', 'assistant', 'I pinned the container to sha256:c0ffee41d7 so that the base image cannot move under us.', 'sha256:c0ffee41d7'),
  said('id', 'user', 'Jolanda from operations owns the runbook, it is page RB-77 in their wiki.', 'RB-77'),
  // Errors, in the machine's own words.
  ran(
    'error',
    'npm test -- tide-table',
    "FAIL services/harbour/test/tide-table.spec.ts\nTypeError: Cannot read properties of undefined (reading 'height')\n    at " +
      'interpolate (services/harbour/src/tide-table.ts:41:18)\n',
    "reading 'height'",
  ),
  ran(
    'error',
    'npm run build',
    "src/pilot-roster.ts(17,5): error TS2322: Type 'string | null' is not assignable to type 'Shift'.\n",
    'TS2322',
  ),
  ran(
    'error',
    'psql -f migrations/0042_add_customs_hold.sql',
    'psql: ERROR:  column "hold" of relation "consignment" contains null values\n',
    'column "hold"',
  ),
  ran('error', 'docker compose up allocator', 'allocator exited with code 137 (OOMKilled)\n', '137'),
  ran(
    'error',
    'terraform apply',
    'Error: creating SQS Queue: QueueDeletedRecently: You must wait 60 seconds after deleting a queue\n',
    'QueueDeletedRecently',
  ),
  ran('error', 'pytest tools/replay', "E   ModuleNotFoundError: No module named 'pyais'\n1 failed in 0.31s\n", 'pyais'),
  ran(
    'error',
    'npm ci',
    'npm error code ERESOLVE\nnpm error Could not resolve dependency: peer react@"^18" from @quay/charts@4.1.0\n',
    '@quay/charts@4.1.0',
  ),
  ran(
    'error',
    'curl -s localhost:47113/healthz',
    '{"status":"degraded","reason":"lock wait timeout exceeded on berth_lease"}',
    'berth_lease',
  ),
  ran(
    'error',
    'npx playwright test crane',
    '1) crane.spec.ts:28 › shows the load\n   Timed out 5000ms waiting for expect(locator).toHaveText("41.5 t")\n',
    'crane.spec.ts:28',
  ),
  ran('error', 'go vet ./edge/...', 'edge/relay/buffer.go:88:2: result of fmt.Errorf call not used\n', 'edge/relay/buffer.go:88'),
  ran('error', 'git push', 'remote: error: GH006: Protected branch update failed for refs/heads/release.\n', 'GH006'),
  ran('error', 'node scripts/load-tariffs.js', 'YAMLException: duplicated mapping key (212:3)\n', 'duplicated mapping key'),
  said(
    'error',
    'user',
    'In production I saw "ECONNRESET while reading manifest chunk 9" twice this morning.',
    'ECONNRESET while reading manifest chunk 9',
  ),
  // Decisions.
  said('decision', 'user', 'We agreed with Henk to sort by draught first and only then by length.', 'draught', 'length'),
  said('decision', 'user', "Let's go with advisory locks; Redlock gave us grief at the last place.", 'advisory locks'),
  said('decision', 'user', "No new dependencies in the allocator please, it ships to the pilots' tablets.", 'dependencies', 'allocator'),
  said('decision', 'user', 'Never run the migration against the replica; only the primary has the extension.', 'migration', 'replica'),
  said('decision', 'user', 'I would rather keep the EDIFACT parser hand-written than pull in a generator.', 'EDIFACT', 'hand-written'),
  said(
    'decision',
    'user',
    'Timestamps go over the wire as epoch milliseconds, I have settled that with the crane team.',
    'epoch milliseconds',
  ),
  said(
    'decision',
    'assistant',
    'I will use keyset pagination for the voyage list, as offsets drift while ships arrive.',
    'keyset pagination',
  ),
  said('decision', 'user', 'Use pnpm here from now on, not npm; the lockfile is already there.', 'pnpm'),
  said('decision', 'user', 'The old /v1/berths endpoint has to stay until the end of March.', '/v1/berths', 'March'),
  said('decision', 'user', 'We call them consignments, not shipments, everywhere that users can see.', 'consignments', 'shipments'),
  said('decision', 'user', 'Stop retrying the customs call after three tries; a human has to look then.', 'customs', 'three'),
  said('decision', 'user', 'Commit messages in the imperative and without emoji, as the harbour office reads them.', 'imperative'),
  said(
    'decision',
    'assistant',
    'Since the soak test needs an hour, we leave it out of the pull request checks and run it nightly.',
    'soak',
    'nightly',
  ),
]
