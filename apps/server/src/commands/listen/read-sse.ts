export type ServerSentEvent = { id: string; data: string }

/** Yields the events of a `text/event-stream`. Comments, which only keep the connection open, call `onActivity` like everything else. */
export const readServerSentEvents = async function* (
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let unread = ''
  for await (const chunk of body) {
    onActivity()
    const parts = (unread + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    // The last part is incomplete until its empty line arrives.
    unread = parts.pop() ?? ''
    yield* parts.flatMap(parse)
  }
}

const parse = (text: string): ServerSentEvent[] => {
  const lines = text.split(/\r?\n/)
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  return data.length === 0 ? [] : [{ id: valuesOf('id').at(-1) ?? '', data: data.join('\n') }]
}
