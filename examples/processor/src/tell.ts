import type { Books } from './books.ts'
import type { startDeliveries } from './deliveries.ts'
import { newEvent, type ProcessorEvent } from './event.ts'
import { eventsOf, type Happening } from './events-of.ts'
import { type Account, accountOf, applicationOf } from './objects/account.ts'

export type Deliveries = ReturnType<typeof startDeliveries>

/** Keeps what happened and tells every endpoint that listens. */
export const teller = (books: Books, deliveries: Deliveries) => {
  const endpointsFor = (account: string, type: string) => {
    const connectedTo = books.accounts.get(account)?.connectedTo
    return books.endpoints.filter(
      (endpoint) =>
        (endpoint.connect ? connectedTo?.has(books.clientId) : endpoint.account === account) &&
        (endpoint.enabledEvents.includes('*') || endpoint.enabledEvents.includes(type)),
    )
  }
  const send = (event: ProcessorEvent, account: string) => {
    for (const endpoint of endpointsFor(account, event.type)) deliveries.deliver(event, endpoint, account)
  }
  const tell = (event: ProcessorEvent, account: string) => {
    books.events.push({ account, event })
    send(event, account)
  }
  const now = () => Math.floor(Date.now() / 1000)
  const today = () => ({ at: now(), livemode: books.livemode, generation: books.generation })
  return {
    happening: (happening: Happening) => {
      for (const event of eventsOf(happening)) tell(event, happening.payment.account)
    },
    accountUpdated: (account: Account) => {
      const object = accountOf(books.generation, account)
      tell(newEvent({ type: 'account.updated', object, ...today() }), account.id)
    },
    /** The last that a platform hears of an account, so it goes out before the tie is cut. */
    deauthorized: (account: Account) => {
      const object = applicationOf(books.generation, books.clientId)
      tell(newEvent({ type: 'account.application.deauthorized', object, ...today() }), account.id)
    },
    resend: (eventId: string) => {
      for (const { account, event } of books.events) if (event.id === eventId) send(event, account)
    },
  }
}

export type Tell = ReturnType<typeof teller>
