import { createEvents, type PaymentUpdate } from './create-events.ts'
import type { startDeliveries } from './deliveries.ts'
import { newEvent, type ProcessorEvent } from './event.ts'
import { type Account, accountOf, applicationOf } from './objects/account.ts'
import type { Store } from './store.ts'

export type Deliveries = ReturnType<typeof startDeliveries>

/** Stores events and sends them to every subscribed endpoint. */
export const createPublisher = (store: Store, deliveries: Deliveries) => {
  const endpointsFor = (account: string, type: string) => {
    const connectedTo = store.accounts.get(account)?.connectedTo
    return store.endpoints.filter(
      (endpoint) =>
        (endpoint.connect ? connectedTo?.has(store.clientId) : endpoint.account === account) &&
        (endpoint.enabledEvents.includes('*') || endpoint.enabledEvents.includes(type)),
    )
  }
  const send = (event: ProcessorEvent, account: string) => {
    for (const endpoint of endpointsFor(account, event.type)) deliveries.deliver(event, endpoint, account)
  }
  const record = (event: ProcessorEvent, account: string) => {
    store.events.push({ account, event })
    send(event, account)
  }
  const now = () => Math.floor(Date.now() / 1000)
  const eventContext = () => ({ at: now(), livemode: store.livemode, generation: store.generation })
  return {
    publish: (update: PaymentUpdate) => {
      for (const event of createEvents(update)) record(event, update.payment.account)
    },
    accountUpdated: (account: Account) => {
      const object = accountOf(store.generation, account)
      record(newEvent({ type: 'account.updated', object, ...eventContext() }), account.id)
    },
    /** Send this before disconnecting, or the platform no longer receives it. */
    deauthorized: (account: Account) => {
      const object = applicationOf(store.generation, store.clientId)
      record(newEvent({ type: 'account.application.deauthorized', object, ...eventContext() }), account.id)
    },
    resend: (eventId: string) => {
      for (const { account, event } of store.events) if (event.id === eventId) send(event, account)
    },
  }
}

export type Publisher = ReturnType<typeof createPublisher>
