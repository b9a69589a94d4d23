import type { PublishedEventType } from './event-types.ts'
import type { PublishedEvent, PublishedEventData } from './published-events.ts'

const AT = '2026-11-18T09:30:00.000Z'
const HOLD_ENDS = '2026-12-18T09:30:00.000Z'

const partner: PublishedEventData['partner.approved'] = {
  id: 12,
  name: 'Ada Review',
  email: 'ada@example.com',
  code: 'ada',
  status: 'approved',
  groupId: 1,
  archived: false,
  createdAt: '2026-11-01T08:00:00.000Z',
}

const link: PublishedEventData['link.created'] = {
  id: 31,
  aff: 'ada-blog',
  partnerId: 12,
  destinationUrl: 'https://shop.example.com/pricing',
  active: true,
  createdAt: AT,
}

const code: PublishedEventData['code.created'] = {
  id: 5,
  code: 'ADA20',
  partnerId: 12,
  active: true,
  requested: false,
  processor: null,
  externalId: null,
  createdAt: AT,
}

const lead: PublishedEventData['lead.created'] = {
  id: 204,
  customerKey: 'user_8812',
  customerId: '1_0198f2c6a1b07b1c9e0f',
  creditedBy: 'click',
  linkId: 31,
  codeId: null,
  partnerId: 12,
  leadAt: AT,
}

const sale: PublishedEventData['sale.created'] = {
  id: 907,
  invoiceId: 'in_1042',
  customerKey: 'user_8812',
  customerId: '1_0198f2c6a1b07b1c9e0f',
  amountCents: 4900,
  refundedCents: 0,
  currency: 'USD',
  state: 'credited',
  reason: null,
  creditedBy: 'click',
  linkId: 31,
  codeId: null,
  promotionCode: null,
  partnerId: 12,
  soldAt: AT,
  creditedAt: AT,
  eventName: null,
  subscriptionId: 'sub_77',
  disputed: false,
  adjustmentId: null,
  voidedAt: null,
  mergedInto: null,
}

const commission: PublishedEventData['commission.created'] = {
  id: 655,
  kind: 'sale',
  partnerId: 12,
  saleId: 907,
  leadId: null,
  amountCents: 980,
  reversedCents: 0,
  currency: 'USD',
  state: 'held',
  paidCents: 0,
  disputedCents: 0,
  payableAt: HOLD_ENDS,
  earnedAt: AT,
  termsVersion: 2,
  reviewReasons: [],
  voidReason: null,
  byHand: false,
}

const payout: PublishedEventData['payout.created'] = {
  id: 58,
  payoutId: 7,
  partnerId: 12,
  currency: 'USD',
  status: 'open',
  amountCents: 12_400,
  reservedCents: 12_400,
  emptied: false,
  decidedAt: null,
  reference: null,
  paidAt: null,
  createdAt: AT,
}

const processor: PublishedEventData['processor.connected'] = {
  processor: 'acme',
  status: 'connected',
  kind: 'own',
  accountId: 'acct_1042',
  chargesEnabled: true,
  payoutsEnabled: true,
  detailsSubmitted: true,
}

type Example<Type extends PublishedEventType> = {
  timestamp?: string
  data: PublishedEventData[Type]
  changes?: PublishedEvent['changes']
}

const EXAMPLES: { [Type in PublishedEventType]: Example<Type> } = {
  'partner.applied': { data: { ...partner, status: 'pending' } },
  'partner.approved': { data: partner, changes: { status: ['pending', 'approved'] } },
  'partner.rejected': { data: { ...partner, status: 'rejected' }, changes: { status: ['pending', 'rejected'] } },
  'partner.suspended': { data: { ...partner, status: 'suspended' }, changes: { status: ['approved', 'suspended'] } },
  'partner.updated': { data: { ...partner, groupId: 2 }, changes: { groupId: [1, 2] } },
  'link.created': { data: link },
  'link.updated': { data: { ...link, active: false }, changes: { active: [true, false] } },
  'code.created': { data: code },
  'code.updated': { data: { ...code, active: false }, changes: { active: [true, false] } },
  'lead.created': { data: lead },
  'sale.created': { data: sale },
  'sale.updated': { data: sale, changes: { amountCents: [5831, 4900] } },
  'sale.refunded': { data: { ...sale, refundedCents: 1900 }, changes: { refundedCents: [0, 1900] } },
  'sale.disputed': { data: { ...sale, disputed: true }, changes: { disputed: [false, true] } },
  'sale.voided': {
    data: { ...sale, voidedAt: AT, mergedInto: 901 },
    changes: { voidedAt: [null, AT], mergedInto: [null, 901] },
  },
  'commission.created': { data: commission },
  'commission.updated': { data: { ...commission, reversedCents: 380 }, changes: { reversedCents: [0, 380] } },
  'commission.payable': {
    timestamp: HOLD_ENDS,
    data: { ...commission, state: 'payable' },
    changes: { state: ['held', 'payable'] },
  },
  'commission.voided': {
    data: { ...commission, state: 'reversed', reversedCents: 980 },
    changes: { state: ['held', 'reversed'], reversedCents: [0, 980] },
  },
  'payout.created': { data: payout },
  'payout.updated': { data: { ...payout, amountCents: 12_020 }, changes: { amountCents: [12_400, 12_020] } },
  'payout.paid': {
    data: { ...payout, status: 'paid', decidedAt: AT, reference: 'transfer-991', paidAt: '2026-11-18' },
    changes: {
      status: ['open', 'paid'],
      decidedAt: [null, AT],
      reference: [null, 'transfer-991'],
      paidAt: [null, '2026-11-18'],
    },
  },
  'payout.failed': {
    data: { ...payout, status: 'failed', decidedAt: AT },
    changes: { status: ['open', 'failed'], decidedAt: [null, AT] },
  },
  'terms.changed': {
    data: {
      subject: 'reward',
      version: 3,
      groupId: 1,
      partnerId: null,
      reward: {
        lead: null,
        sale: { percentBps: 2500, duration: 'lifetime', rules: [{ pays: [{ percentBps: 2500 }] }] },
        holdDays: 30,
        minimumPayoutCents: 5000,
        currency: 'USD',
      },
      validFrom: AT,
    },
  },
  'processor.connected': { data: processor },
  'processor.disconnected': { data: { ...processor, status: 'disconnected' } },
  'test.ping': { data: { message: 'A test event from Tributary' } },
}

/** An example of each type, for the documentation and for test deliveries. */
export const exampleEvent = (type: PublishedEventType): PublishedEvent =>
  ({ id: 'evt_1_4211', sequence: 4211, type, timestamp: AT, ...EXAMPLES[type] }) as PublishedEvent
