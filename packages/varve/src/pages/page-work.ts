import { StoreBusy } from '../errors/store-busy.ts'
import type { StoredPage } from '../storage/pages/pages.ts'
import { lineagesOf, type LineageRow } from '../storage/pages/page-revisions.ts'
import { authorsIn } from '../storage/pages/authors.ts'
import { answer, type Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { authorship } from './authorship.ts'
import { type Edited, editing } from './edits.ts'
import { type Findable, findableIn } from './findable.ts'
import { standingIn } from './lineage.ts'
import type { PageEdit } from './page-edit.ts'
import { inOneGo, type Turns } from './turns.ts'

/** The sources of a revision. */
export type Lineage = Pick<LineageRow, 'revision' | 'spans' | 'described_by'>

/** The line authors as they are stored, and the authors whose lines gave way. */
export interface NewAuthors {
  readonly row: string
  readonly replaced: ReadonlySet<number>
}

type OldLines = Pick<StoredPage, 'content' | 'authors'> | undefined
type Words = Pick<StoredPage, 'name' | 'description' | 'content'>

/** The costly work of writing a page, done on demand or ahead. */
export interface PageWork {
  /** True when long work is done ahead, or in transactions of its own. */
  readonly isAhead: boolean
  edited(content: string, edits: readonly PageEdit[]): Edited
  authors(old: OldLines, after: string, revision: number): NewAuthors
  /** Returns the revisions with a line on the page. */
  standing(authors: string): ReadonlySet<number>
  lineages(page: Pick<StoredPage, 'id' | 'partition_id' | 'uuid' | 'revision' | 'content'>): Program<readonly Lineage[]>
  /** Returns undefined when that would take too long now. */
  findable(page: Words, language: string): readonly Findable[] | undefined
  /** Must be called for each stored revision. */
  stored(page: Pick<StoredPage, 'id' | 'partition_id' | 'uuid'>, lineage: Lineage): void
}

/** Does all work within the transaction that asks for it, however long it takes. */
export const withinTransaction: PageWork = {
  isAhead: false,
  edited: (content, edits) => inOneGo(editing(content, edits)),
  authors: (old, after, revision) => inOneGo(newAuthors(old, after, revision)),
  standing: (authors) => standingIn(authors),
  lineages: (page) => lineagesOf(page),
  findable: (page, language) => inOneGo(findableIn(page, language)),
  stored: () => undefined,
}

/** A page and a change with less text, in characters, are worked on within a transaction: some 10 ms. */
const quickChars = 16_384

/**
 * A page changed between its reading and its writing: it must be read again. To a caller the store is busy, and the
 * call may be made again.
 */
export class PageInChange extends StoreBusy {
  constructor() {
    super({ store: 'the page' })
  }
}

interface KnownLineages {
  readonly revision: number
  readonly rows: readonly Lineage[]
}

/**
 * Results that were worked out ahead of a transaction, by their inputs. So they hold wherever the inputs do, whatever
 * came in between. A missing result is worked out now if it is short; otherwise the lookup throws PageInChange.
 */
export class PreparedWork implements PageWork {
  readonly isAhead = true
  readonly #edited: { content: string; edits: readonly PageEdit[]; result: Edited }[] = []
  readonly #authors: { content: string; authors: string; after: string; revision: number; result: NewAuthors }[] = []
  readonly #standing = new Map<string, ReadonlySet<number>>()
  readonly #lineages = new Map<string, KnownLineages>()
  readonly #findable: { page: Words; language: string; result: readonly Findable[] }[] = []
  #written: { id: number; partition_id: number; uuid: string; lineage: Lineage }[] = []

  /** Must be called when the transaction begins, also when it begins again. */
  begin(): void {
    this.#written = []
  }

  /** The revisions that were stored. */
  get written(): readonly { readonly id: number; readonly partition_id: number; readonly revision: number }[] {
    return this.#written.map(({ id, partition_id, lineage }) => ({ id, partition_id, revision: lineage.revision }))
  }

  *edit(content: string, edits: readonly PageEdit[]): Turns<Edited> {
    const result = yield* editing(content, edits)
    this.#edited.push({ content, edits, result })
    return result
  }

  *write(old: OldLines, after: string, revision: number): Turns<NewAuthors> {
    const result = yield* newAuthors(old, after, revision)
    this.#authors.push({ content: old?.content ?? '', authors: old?.authors ?? '[]', after, revision, result })
    yield
    this.stand(result.row)
    return result
  }

  stand(authors: string): void {
    this.#standing.set(authors, standingIn(authors))
  }

  rest({ uuid, revision }: Pick<StoredPage, 'uuid' | 'revision'>, rows: readonly Lineage[]): void {
    this.#lineages.set(uuidText(uuid), { revision, rows })
  }

  *find(page: Words, language: string): Turns<readonly Findable[]> {
    const result = yield* findableIn(page, language)
    this.#findable.push({ page, language, result })
    return result
  }

  edited(content: string, edits: readonly PageEdit[]): Edited {
    const known = this.#edited.find((one) => one.edits === edits && one.content === content)
    if (known !== undefined) return known.result
    refuseLong(content.length)
    return inOneGo(editing(content, edits))
  }

  authors(old: OldLines, after: string, revision: number): NewAuthors {
    const [content, authors] = [old?.content ?? '', old?.authors ?? '[]']
    const known = this.#authors.find(
      (one) => one.revision === revision && one.after === after && one.content === content && one.authors === authors,
    )
    if (known !== undefined) return known.result
    refuseLong(content.length + after.length)
    return inOneGo(newAuthors(old, after, revision))
  }

  standing(authors: string): ReadonlySet<number> {
    return this.#standing.get(authors) ?? standingIn(authors)
  }

  *lineages(page: Pick<StoredPage, 'id' | 'partition_id' | 'uuid' | 'revision' | 'content'>): Program<readonly Lineage[]> {
    const { uuid, revision, content } = page
    const name = uuidText(uuid)
    const own = this.#written.filter((one) => one.uuid === name).map(({ lineage }) => lineage)
    const known = this.#lineages.get(name) ?? { revision: 0, rows: [] }
    if (known.revision + own.length === revision) return yield* answer([...known.rows, ...own])
    refuseLong(content.length)
    return yield* lineagesOf(page)
  }

  findable(page: Words, language: string): readonly Findable[] | undefined {
    const known = this.#findable.find(
      (one) =>
        one.language === language &&
        one.page.content === page.content &&
        one.page.name === page.name &&
        one.page.description === page.description,
    )
    return known?.result
  }

  stored({ id, partition_id, uuid }: Pick<StoredPage, 'id' | 'partition_id' | 'uuid'>, lineage: Lineage): void {
    this.#written.push({ id, partition_id, uuid: uuidText(uuid), lineage })
  }
}

function refuseLong(chars: number): void {
  if (chars > quickChars) throw new PageInChange()
}

function* newAuthors(old: OldLines, after: string, revision: number): Turns<NewAuthors> {
  const before = old === undefined ? [] : authorsIn(old)
  yield
  const { authors, replaced } = yield* authorship(old?.content ?? '', before, after, revision)
  yield
  return { row: JSON.stringify(authors), replaced }
}
