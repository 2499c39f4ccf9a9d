// The layer map. Imports go downwards only:
//
//   errors, ids, signing, clock, caches, lineage, scope, messages, keys, observe, packaged   (values and types: no room beneath them)
//     ← models ports, storage ports
//       ← extractive                                           (the writers without a model, which know values and the models ports alone)
//       ← redaction, index, pages, log, projects               (the log, its index, and pages with revisions)
//         ← blocks, and a room for each layer                  (which do not import each other)
//           ← tasks                                            (what one layer asks of a writer, checks, and stores)
//             ← layers                                         (a record a layer; only all.ts knows all of them)
//           ← privacy, recall, distil, context, upkeep, transfer, callers
//             ← engine                                         (which runs the rooms' calls by name, in threads or inline)
//               ← operations                                   (one record for each thing that can be asked)
//                 ← memory                                     (the handles: they wire, and hold no logic)
//                   ← turns                                    (memory around a model's turn: in time, and failing open)
//                     ← importers, markdown, integrations, mcp, server, client, cli   (front doors; index.ts exports three of them by name)
//
// Beside it stand the adapters (storage/sqlite, models/minilm, …), which know the ports and nothing above them, and testing/,
// which is published and sees everything but the front doors. Tests may import what they need.

/** Packages whose code the build puts into the published one: scripts/bundle.ts has them, and those that they need. */
const inlined = [
  ...[
    '@ai-sdk',
    '@hono',
    '@modelcontextprotocol',
    '@opentelemetry',
    '@scure',
    'chrono-node',
    'commander',
    'diff',
    'eld',
    'eventsource-parser',
    'gpt-tokenizer',
    'hono',
  ],
  ...['lru-cache', 'prom-client', 'rate-limiter-flexible', 'temporal-polyfill', 'tokenx', 'uuid', 'zod'],
]

/** Rooms that do not import each other: blocks, and the layers'. */
const layerRooms = ['blocks', 'gists', 'facts', 'instructions', 'documents', 'notes', 'bank']

/** Every room, the lowest first. A room imports only rooms that stand before it. */
const order = [
  ...['errors', 'ids', 'signing', 'clock', 'caches', 'lineage', 'scope', 'messages', 'keys', 'observe', 'packaged'],
  ...['models', 'extractive', 'storage', 'redaction', 'index', 'pages', 'log', 'projects'],
  ...layerRooms,
  ...['tasks', 'layers'],
  ...['privacy', 'recall', 'distil', 'context', 'upkeep', 'transfer', 'callers', 'engine', 'operations', 'memory', 'turns'],
  ...['importers', 'markdown', 'integrations', 'mcp', 'server', 'client', 'cli', 'testing'],
]

const src = '^packages/varve/src/'
const test = String.raw`\.test\.ts$`
/** Sentences with the facts that they state, beside the patterns that read them. They are not published. */
const sentences = String.raw`\.sentences\.ts$`

const rooms = (...names) => `${src}(${names.join('|')})/`
const base = rooms(...order.slice(0, order.indexOf('models')))
/** The store's programs, in rooms: written once for every engine. */
const programs = 'log|segment|known|pages|derived|erase|bank|transfer|deeds|doors|journal'
const ports = `${src}((storage|models)/[^/]+$|storage/(${programs})/)`
const adapters = `${src}(storage|models)/(?!(${programs})/)[^/]+/`
const records = rooms('redaction', 'index', 'pages', 'log', 'projects')
const layers = rooms(...layerRooms)
const work = rooms('distil', 'recall', 'context', 'upkeep', 'privacy', 'transfer', 'callers')
/** The writers without a model. Other rooms see the two writers; the rest is theirs. */
const extractive = rooms('extractive')
const extractiveWriters = `${src}extractive/(extractive-writer|notes-writer|portrait-writer)\\.ts$`
/** A language's patterns, in a folder named by its code: `en`. */
const languagePacks = `${src}extractive/([a-z]{2})/`
const tasks = rooms('tasks')
const layerRecords = rooms('layers')
const engine = rooms('engine')
const operations = rooms('operations')
const memory = rooms('memory')
const entry = `${src}index\\.ts$`
const doors = rooms('turns', 'mcp', 'server', 'client', 'cli', 'importers', 'markdown', 'integrations')
const testing = rooms('testing')

/** Modules that match `from` may import, of our own sources, only what matches `allowed`. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: test },
  to: { path: src, pathNot: allowed },
})

/** Modules that match `from` may not import what matches `to`. */
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...order
      .map((room, place) =>
        never(
          `no-import-runs-back-up-from-${room}`,
          { path: rooms(room), pathNot: test },
          { path: rooms(...order.slice(place + 1)) },
          'Rooms are read from the ground up: where one imports a room above it, neither can be understood first.',
        ),
      )
      .slice(0, -1),
    never(
      'every-room-has-its-place',
      { path: src },
      { path: `${src}(?!(${order.join('|')})/)[^/]+/` },
      'A new room needs its place in the order.',
    ),
    only('base-stands-alone', base, [base], 'Every room uses these values and types: were they to use a room, all would depend on all.'),
    only(
      'ports-are-small',
      ports,
      [base, ports],
      'A port is what an adapter implements: each import of it is a burden on every adapter to come.',
    ),
    only(
      'adapters-know-ports-only',
      `${src}(storage|models)/(?!(?:${programs})/)([^/]+)/`,
      [`${src}$1/$2/`, ports, rooms('errors', 'clock', 'ids', 'packaged')],
      'An adapter holds only what differs between engines, and can be replaced without reading a room. Adapters do not import each other.',
    ),
    only(
      'records-know-ports',
      records,
      [base, ports, records],
      'The log, its index and pages are what the layers are made of: they must make sense with every layer gone.',
    ),
    only(
      'layers-do-not-know-each-other',
      `${src}(${layerRooms.join('|')})/`,
      [base, ports, records, `${src}$1/`],
      'A layer is switched on and off by itself, and forgotten by itself. What needs two of them belongs in distil, recall or context.',
    ),
    only(
      'tasks-know-no-record',
      tasks,
      [base, ports, records, layers, tasks],
      'A prompt, a check and a part are one layer’s own. What is true of all layers is asked of their records.',
    ),
    only(
      'layer-records-stand-on-tasks',
      layerRecords,
      [base, ports, records, layers, tasks, layerRecords],
      'A record says all that is particular to a layer, so that the rooms that read, write and show layers name none.',
    ),
    never(
      'layer-records-load-with-distil',
      { path: src, pathNot: [test, layerRecords, `${src}distil/`] },
      { path: layerRecords },
      'A record brings schemas and checks. A process that only asks or appends must not load them: they cost it 200 CPU-ms.',
    ),
    only(
      'work-knows-no-door',
      work,
      [base, ports, records, layers, tasks, layerRecords, extractiveWriters, work],
      'What recall and upkeep do is the same behind every front door and on every engine.',
    ),
    only(
      'extractive-knows-values-and-ports',
      extractive,
      [base, `${src}models/[^/]+$`, extractive],
      'The extractive writers read messages and return text. They can be tested, and replaced, without a store.',
    ),
    never(
      'only-the-extractive-writers-are-seen',
      { path: src, pathNot: extractive },
      { path: extractive, pathNot: extractiveWriters },
      "Who imports a pattern depends on one language. The rest of Varve calls the writers, which know every language's patterns.",
    ),
    never(
      'language-packs-come-from-the-list',
      { path: extractive, pathNot: [languagePacks, `${src}extractive/languages\\.ts$`, test] },
      { path: languagePacks },
      'languages.ts lists the packs: a new language is a folder and a line there.',
    ),
    never(
      'language-packs-do-not-know-each-other',
      { path: languagePacks },
      { path: languagePacks, pathNot: `${src}extractive/$1/` },
      'A language can be added and removed without a look at another.',
    ),
    only(
      'the-engine-knows-no-adapter',
      engine,
      [base, ports, records, layers, work, engine],
      "The engine runs the rooms' calls on whatever store it is given: what it knew of SQLite, PostgreSQL would have to fake.",
    ),
    only(
      'operations-know-no-handle',
      operations,
      [base, ports, records, layers, work, engine, operations],
      'Handles, tools, flags and routes come out of operations: a record that knew one of them could not serve the others.',
    ),
    only(
      'memory-knows-no-door',
      memory,
      [base, ports, adapters, records, layers, tasks, work, engine, operations, memory],
      'The doors call the handles, not the other way round.',
    ),
    never(
      'nothing-lies-loose',
      { path: [base, ports, adapters, records, layers, tasks, work, engine, operations, memory, doors, testing], pathNot: test },
      { path: `${src}[^/]+$` },
      'A file of Varve belongs to a room. Only the entry lies beside the rooms, and no room imports it.',
    ),
    only(
      'the-entry-opens-no-door',
      entry,
      [base, ports, adapters, records, layers, tasks, work, engine, operations, memory, rooms('importers', 'markdown', 'integrations')],
      'A program that uses the library loads no server and no command line.',
    ),
    never(
      'nobody-imports-the-entry',
      { path: src, pathNot: [test, testing] },
      { path: entry },
      'Inside, import from the file that owns the thing: through the entry, every module depends on all.',
    ),
    only(
      'testing-knows-no-door',
      testing,
      [base, ports, adapters, records, layers, tasks, work, engine, operations, memory, testing],
      'The contract suite and the fakes are published for adapters: they exercise the ports, not the front doors.',
    ),
    only(
      'doors-go-through-memory',
      doors,
      [doors, memory, operations, base, engine, rooms('log')],
      'A door parses, calls a handle and prints. One that reaches into a room has logic that the other doors lack.',
    ),
    never(
      'no-cycles',
      { path: src },
      { circular: true },
      'Two modules that need each other are one idea in two files, and load in an order that nobody chose.',
    ),
    never(
      'tests-are-imported-by-nobody',
      { pathNot: [test, '^test/'] },
      { path: [test, '^test/', '^bench/'] },
      'What several tests share is a fake or a suite: it belongs in testing/, or under test/ for tests only.',
    ),
    never(
      'labelled-sentences-are-for-tests',
      { path: src, pathNot: [test, sentences] },
      { path: sentences },
      'The build leaves them out: what imports them fails where Varve is installed.',
    ),
    never(
      'testing-stays-out-of-the-product',
      { path: src, pathNot: [test, testing] },
      { path: testing },
      'A fake in the product is a fake in production.',
    ),
    never(
      'drivers-stay-in-their-adapter',
      { path: src, pathNot: [test, `${src}storage/`] },
      { path: 'node_modules/(better-sqlite3|@types/better-sqlite3|kysely|pg|pg-copy-streams|@types/pg|@types/pg-copy-streams)/' },
      'Whoever names the driver depends on the engine: errors are classified and values converted once, in the adapter.',
    ),
    never(
      'rooms-touch-no-machine',
      { path: [records, layers, tasks, layerRecords, work], pathNot: test },
      { path: '^(node:)?(fs|fs/promises|child_process|cluster|net|http|https|dgram|os|worker_threads)$' },
      'Files, sockets and processes come in as arguments, so that a room runs the same in a worker, in a test and at any time.',
    ),
    never(
      'published-code-needs-published-packages',
      { path: src, pathNot: test },
      // These are put into the published code (scripts/bundle.ts).
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer', 'npm-optional'],
        pathNot: `node_modules/(${inlined.join('|')})/`,
      },
      'A package that only this repository installs is absent from a user’s machine.',
    ),
    never('everything-resolves', {}, { couldNotResolve: true }, 'An import that does not resolve fails when it is least expected.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Types count: a room that knows another's types depends on it, though nothing is left at run time.
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
