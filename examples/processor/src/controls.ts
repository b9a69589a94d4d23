import type { Actions } from './actions.ts'
import { randomId } from './ids.ts'
import type { Account } from './objects/account.ts'
import type { Deliveries, Publisher } from './publisher.ts'
import type { Store } from './store.ts'

type Parts = {
  store: Store
  actions: Actions
  publisher: Publisher
  deliveries: Deliveries
  ownAccount: string
}

type EndpointOptions = { url: string; secret?: string; connect?: boolean; account?: string; enabledEvents?: string[] }

/** Controls for tests. The optional last argument selects another account. */
export const createControls = ({ store, actions, publisher, deliveries, ownAccount }: Parts) => ({
  addEndpoint: ({
    url,
    secret = randomId('whsec'),
    connect = false,
    account = ownAccount,
    enabledEvents = ['*'],
  }: EndpointOptions) => {
    const endpoint = { id: randomId('we'), url, secret, connect, account, enabledEvents }
    store.endpoints.push(endpoint)
    return endpoint
  },
  pay: (sessionId: string, how?: 'card' | 'bank_debit', account = ownAccount) => actions.pay(account, sessionId, how),
  settle: (id: string, outcome: 'succeeds' | 'fails', account = ownAccount) => actions.settle(account, id, outcome),
  refund: (id: string, amountCents?: number, account = ownAccount) =>
    actions.refund(account, id, amountCents === undefined ? {} : { amountCents }),
  failRefund: (refundId: string, account = ownAccount) => actions.failRefund(account, refundId),
  renew: (subscriptionId: string, account = ownAccount) => actions.renew(account, subscriptionId),
  endSubscription: (subscriptionId: string, account = ownAccount) => actions.endSubscription(account, subscriptionId),
  openDispute: (id: string, account = ownAccount) => actions.openDispute(account, id),
  closeDispute: (disputeId: string, status: 'won' | 'lost', account = ownAccount) =>
    actions.closeDispute(account, disputeId, status),
  /** Affects only new events. */
  setLivemode: (livemode: boolean) => {
    store.livemode = livemode
  },
  updateAccount: (
    change: Partial<Pick<Account, 'chargesEnabled' | 'payoutsEnabled' | 'detailsSubmitted'>>,
    id = ownAccount,
  ) => {
    const account = store.accounts.get(id)
    if (!account) throw new Error(`Account ${id} does not exist.`)
    publisher.accountUpdated(Object.assign(account, change))
  },
  events: (account = ownAccount) => store.events.filter((row) => row.account === account).map((row) => row.event),
  resend: publisher.resend,
  deliveries: deliveries.log,
  hold: deliveries.hold,
  release: deliveries.release,
  settled: deliveries.settled,
})
