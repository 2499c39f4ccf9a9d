import { createHash } from 'node:crypto'

/** An answer before it is sent. A text can be kept and sent again; a stream cannot. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | ReadableStream<Uint8Array>
}

export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body ?? null, { status, headers })
}

/** Makes the body of an answer. A list is an object with its items: it may say more, such as where the next page begins. */
function bodyOf(output: unknown): unknown {
  if (!Array.isArray(output)) return output
  const more = Object.entries(output).filter(([name]) => !/^\d+$/.test(name))
  return { items: [...output], ...Object.fromEntries(more) }
}

/**
 * The tag of a thing that an edit may replace, for `If-Match` and `If-None-Match`: its revision or version, then a digest
 * of the answer. `If-Match` looks at the first part, so that a message that comes refuses no new title of its session.
 * `If-None-Match` needs all of it.
 */
function etagOf(output: unknown, body: string): string | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined
  const { revision, version }: { readonly revision?: unknown; readonly version?: unknown } = output
  const mark = typeof revision === 'number' ? String(revision) : typeof version === 'string' ? version : undefined
  return mark === undefined ? undefined : `"${mark}.${createHash('sha256').update(body).digest('base64url').slice(0, digestLength)}"`
}

/** Characters of the digest in a tag: 72 bits. */
const digestLength = 12

/** Makes the answer of an operation. Nothing is 204; a thing that the caller already has in this revision is 304. */
export function jsonReply(output: unknown, known: string | null): Reply {
  if (output === undefined) return { status: 204, headers: {} }
  const body = JSON.stringify(bodyOf(output))
  const etag = etagOf(output, body)
  const tag = etag === undefined ? {} : { etag }
  if (etag !== undefined && known === etag) return { status: 304, headers: tag }
  return { status: 200, headers: { 'content-type': 'application/json', ...tag }, body }
}

/**
 * Makes an answer of lines, which are read from the store as fast as the caller takes them. The status is sent before
 * the last line is read: a caller knows a cut stream by how the connection ends.
 */
export function streamReply(lines: AsyncIterable<string>): Reply {
  const source = lines[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await source.return?.()
    },
  })
  return { status: 200, headers: { 'content-type': 'application/jsonl; charset=utf-8' }, body }
}
