import { Refusal } from '../refusal.ts'
import type { ListedEvent } from './port.ts'
import { type Fields, idOf } from './translating/fields.ts'

type Page<Cursor> = { events: ListedEvent[]; next: Cursor | null }

/** Reads a list of a processor's API page by page. `next` of a page is the cursor of the one after it; null ends the list. */
export async function* readPages<Cursor>(
  first: Cursor,
  read: (cursor: Cursor) => Promise<Page<Cursor>>,
): AsyncIterable<ListedEvent[]> {
  for (let cursor: Cursor | null = first; cursor !== null; ) {
    const { events, next }: Page<Cursor> = await read(cursor)
    yield events
    cursor = next
  }
}

/** Events as a webhook would deliver them. */
export const listedEvents = (events: Fields[], idField: string): ListedEvent[] =>
  events.flatMap((event) => {
    const id = idOf(event[idField])
    return id ? [{ id, text: JSON.stringify(event) }] : []
  })

const NAMES = { key: 'API key', account: 'account' }

/** A key of another account would credit that account's payments here. The first event tells the account, if it is not known yet. */
export const refuseOtherAccount = (found: string | null, known: string | null, { key, account } = NAMES) => {
  if (known === null || found === known) return
  throw new Refusal(
    'conflict',
    `The ${key} belongs to ${account} ${found}, but the program is connected to ${known}. Use one of that ${account}.`,
  )
}
