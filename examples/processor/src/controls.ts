import type { Actions } from './actions.ts'
import type { Books } from './books.ts'
import { randomId } from './ids.ts'
import type { Account } from './objects/account.ts'
import type { Deliveries, Tell } from './tell.ts'

type Parts = {
  books: Books
  actions: Actions
  tell: Tell
  deliveries: Deliveries
  ownAccount: string
}

type GivenEndpoint = { url: string; secret?: string; connect?: boolean; account?: string; enabledEvents?: string[] }

/** What a test does to it. An account is the own one unless it is named last. */
export const controlsOf = ({ books, actions, tell, deliveries, ownAccount }: Parts) => ({
  addEndpoint: ({
    url,
    secret = randomId('whsec'),
    connect = false,
    account = ownAccount,
    enabledEvents = ['*'],
  }: GivenEndpoint) => {
    const endpoint = { id: randomId('we'), url, secret, connect, account, enabledEvents }
    books.endpoints.push(endpoint)
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
  /** From now on; what has happened stays what it was. */
  setLivemode: (livemode: boolean) => {
    books.livemode = livemode
  },
  updateAccount: (
    change: Partial<Pick<Account, 'chargesEnabled' | 'payoutsEnabled' | 'detailsSubmitted'>>,
    id = ownAccount,
  ) => {
    const account = books.accounts.get(id)
    if (!account) throw new Error(`There is no account ${id}.`)
    tell.accountUpdated(Object.assign(account, change))
  },
  events: (account = ownAccount) => books.events.filter((row) => row.account === account).map((row) => row.event),
  resend: tell.resend,
  deliveries: deliveries.log,
  hold: deliveries.hold,
  release: deliveries.release,
  settled: deliveries.settled,
})
