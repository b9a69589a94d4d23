import type { ProcessorEvent } from '../event.ts'
import { noSuch, ProcessorError } from '../processor-error.ts'
import type { App, Dependencies } from './context.ts'
import { type Form, part, text, textsOf } from './form.ts'

const COMPARISONS = {
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
}

/** Lists an account's events, newest first. Merchants use it to find missed webhooks. */
export const events = (app: App, { store }: Dependencies) => {
  const ofAccount = (account: string) =>
    store.events
      .filter((row) => row.account === account)
      .map((row) => row.event)
      .reverse()

  app.get('/v1/events', (c) => {
    const form = c.get('form')
    const limit = Number(text(form, 'limit') ?? 10)
    if (!Number.isInteger(limit) || limit < 1 || limit > 100)
      throw new ProcessorError(400, 'Invalid limit: must be between 1 and 100', { param: 'limit' })
    const matching = ofAccount(c.get('account')).filter((event) => matchesFilters(event, form))
    const { data, hasMore } = pageOf(matching, {
      after: text(form, 'starting_after'),
      before: text(form, 'ending_before'),
      limit,
    })
    return c.json({ object: 'list', url: '/v1/events', has_more: hasMore, data })
  })

  app.get('/v1/events/:id', (c) => {
    const event = ofAccount(c.get('account')).find(({ id }) => id === c.req.param('id'))
    if (!event) throw noSuch('event', c.req.param('id'))
    return c.json(event)
  })
}

const matchesFilters = (event: ProcessorEvent, form: Form) => {
  const exactly = text(form, 'created')
  const range = part(form, 'created')
  const types = [text(form, 'type'), ...textsOf(form, 'types')].filter((type) => type !== null)
  return (
    (exactly === null || event.created === Number(exactly)) &&
    Object.entries(COMPARISONS).every(([name, holds]) => {
      const bound = text(range, name)
      return bound === null || holds(event.created, Number(bound))
    }) &&
    (types.length === 0 || types.some((type) => matches(event.type, type)))
  )
}

/** `charge.*` matches every charge event. */
const matches = (type: string, pattern: string) =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

type Page = { after: string | null; before: string | null; limit: number }

const pageOf = (events: ProcessorEvent[], { after, before, limit }: Page) => {
  const indexOf = (id: string) => {
    const index = events.findIndex((event) => event.id === id)
    if (index < 0) throw noSuch('event', id)
    return index
  }
  if (before !== null) {
    const end = indexOf(before)
    return { data: events.slice(Math.max(0, end - limit), end), hasMore: end > limit }
  }
  const start = after === null ? 0 : indexOf(after) + 1
  return { data: events.slice(start, start + limit), hasMore: events.length > start + limit }
}
