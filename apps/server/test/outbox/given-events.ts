import { expect } from 'bun:test'
import type { PublishedEvent } from '@tributary/contract'
import { publishedEvents } from '@tributary/contract'
import type { TestService } from '../support/service.ts'

/** Reads a program's events with its key. */
export const eventsOf =
  (service: TestService, key: string) =>
  async (query = ''): Promise<PublishedEvent[]> => {
    const { status, body } = await service.call('GET', `/api/v1/events${query}`, undefined, bearer(key))
    expect(status).toBe(200)
    publishedEvents.parse(body)
    return body.data
  }

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** A stream as a client reads it: comments and whole events. */
export const openStream = async (
  service: TestService,
  key: string,
  query = '',
  headers: Record<string, string> = {},
) => {
  const abort = new AbortController()
  const response = await fetch(`${service.url}/api/v1/events${query}`, {
    headers: { ...bearer(key), accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let isOver = false
  const blocks: string[] = []
  const read = async () => {
    const part = await reader?.read()
    isOver = part?.done ?? true
    text += part?.value ?? ''
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    blocks.push(...parts)
  }
  const field = (block: string, name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return {
    response,
    /** Reads until the stream has sent this many events, and returns them. */
    events: async (count: number) => {
      const found = () => blocks.filter((block) => field(block, 'data'))
      while (found().length < count && !isOver) await read()
      return found().map((block) => ({
        id: field(block, 'id'),
        type: field(block, 'event'),
        event: JSON.parse(field(block, 'data') ?? '') as PublishedEvent,
      }))
    },
    /** Resolves when the service ends the stream. */
    ended: async () => {
      while (!isOver) await read()
    },
    comments: async (count: number) => {
      const found = () => blocks.filter((block) => block.startsWith(':'))
      while (found().length < count && !isOver) await read()
      return found()
    },
    close: () => abort.abort(),
  }
}
