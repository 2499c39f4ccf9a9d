/** Passes the bytes of a body on as they come, and fails beyond a bound. */
export function bounded(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let bytes = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(new RangeError(`the answer has more than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(counted)
}

/** Returns a body as text; rejects when it is longer than the bound. */
export function readBounded(response: Response, maxBytes: number): Promise<string> {
  return response.body === null ? Promise.resolve('') : new Response(bounded(response.body, maxBytes)).text()
}
