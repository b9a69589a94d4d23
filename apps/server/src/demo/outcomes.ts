import type { UncreditedReason } from '@tributary/contract'
import { PROGRAM } from './demo-data.ts'
import type { Random } from './random.ts'
import type { Visit, Visitor } from './visits.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

export type SignUp = {
  visitor: Visitor
  /** When it was first reported, by the browser or the merchant's server. */
  at: Date
  /** When the merchant's server reported it; null if it has not yet. */
  settled: { at: Date; customerKey: string; email: string } | null
}

export type Purchase = {
  soldAt: Date
  amountCents: number
  eventName: string
  subscriptionId: string | null
  customerKey: string | null
  /** The visitor who clicked; null if the sale's customer key is unknown. */
  visitor: Visitor | null
  reason: UncreditedReason | null
}

const PLANS = [
  { weight: 60, amountCents: 2_900, months: 1 },
  { weight: 30, amountCents: 7_900, months: 1 },
  { weight: 4, amountCents: 19_900, months: 1 },
  { weight: 6, amountCents: 29_000, months: 12 },
] as const

/** The credited click at a point in time: the latest one before it, because the program uses last-click attribution. */
export const creditedVisit = ({ visits }: Visitor, at: Date): Visit =>
  visits.findLast((visit) => visit.at <= at) ?? visits[0]

const addMs = (at: Date, milliseconds: number) => new Date(Math.floor(at.getTime() + milliseconds))

const REPORTED_BY = [
  { weight: 80, reportedBy: 'by the server' },
  { weight: 11, reportedBy: 'by both' },
  { weight: 9, reportedBy: 'by the browser' },
] as const

/** Leads in chronological order. Most are settled by the server; some are still provisional. */
export const makeSignUps = (random: Random, { visitors, end }: { visitors: Visitor[]; end: Date }): SignUp[] => {
  const signUps = visitors.flatMap((visitor) => {
    const visit = random.chance(0.5) ? visitor.visits[0] : (visitor.visits.at(-1) ?? visitor.visits[0])
    if (!random.chance(visit.link.signUps / 100)) return []
    const takesMs = random.chance(0.8) ? random.between(2, 40) * MINUTE_MS : random.between(0.1, 3) * DAY_MS
    const { reportedBy } = random.pick(REPORTED_BY)
    const at = addMs(visit.at, takesMs)
    const settledAt = reportedBy === 'by both' ? addMs(at, random.between(2_000, 50_000)) : at
    return settledAt < end ? [{ visitor, at, settledAt: reportedBy === 'by the browser' ? null : settledAt }] : []
  })
  let number = 4_100
  return signUps
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ visitor, at, settledAt }) => {
      number += 1 + random.whole(0.7)
      const customer = { customerKey: `user_${number}`, email: `user.${number}@customers.example` }
      return { visitor, at, settled: settledAt && { at: settledAt, ...customer } }
    })
}

type PurchaseInput = { visitors: Visitor[]; signUps: SignUp[]; start: Date; end: Date }

/** Sales in chronological order, including a few that are uncredited. */
export const makePurchases = (random: Random, { visitors, signUps, start, end }: PurchaseInput): Purchase[] => {
  const purchases = signUps.flatMap(({ visitor, settled }) =>
    settled && random.chance(0.6) ? subscriptionSales(random, { visitor, ...settled, end }) : [],
  )
  const signedUp = new Set(signUps.map(({ visitor }) => visitor))
  const guests = visitors.filter((visitor) => !signedUp.has(visitor))
  return [...purchases, ...guestSales(random, guests, end), ...unreferredSales(random, start, end)]
    .filter(({ soldAt }) => soldAt < end)
    .sort((a, b) => a.soldAt.getTime() - b.soldAt.getTime())
}

const subscriptionSales = (
  random: Random,
  { visitor, at, customerKey, end }: { visitor: Visitor; at: Date; customerKey: string; end: Date },
): Purchase[] => {
  const { amountCents, months } = random.pick(PLANS)
  const subscriptionId = `sub_${random.hex(12)}`
  const trialDays = random.chance(0.6) ? 7 : random.between(0, 1)
  const purchases: Purchase[] = []
  for (
    let soldAt = addMs(at, (trialDays + 0.01) * DAY_MS);
    soldAt < end;
    soldAt = addMs(soldAt, 30 * months * DAY_MS)
  ) {
    const eventName = purchases.length === 0 ? 'subscription_started' : 'subscription_renewed'
    purchases.push({ soldAt, amountCents, eventName, subscriptionId, customerKey, visitor, reason: null })
  }
  return purchases
}

/** Sales without an account, attributed only by click; for two of them the click has expired. */
const guestSales = (random: Random, guests: Visitor[], end: Date): Purchase[] => {
  const report = { amountCents: 4_900, eventName: 'report_bought', subscriptionId: null, customerKey: null }
  const step = Math.floor(guests.length / 7)
  const inTime = guests
    .filter((_, index) => index % step === step - 1)
    .map((visitor) => {
      const soldAt = addMs(visitor.visits.at(-1)?.at ?? end, random.between(10, 600) * MINUTE_MS)
      return { ...report, soldAt, visitor, reason: null }
    })
  const tooLate = guests.slice(10, 12).map((visitor) => {
    const daysLate = PROGRAM.cookieWindowDays + random.between(0.2, 3)
    const soldAt = addMs(visitor.visits.at(-1)?.at ?? end, daysLate * DAY_MS)
    return { ...report, soldAt, visitor, reason: 'click_expired' as const }
  })
  return [...inTime, ...tooLate]
}

/** Sales of customers who were never referred; they stay uncredited. */
const unreferredSales = (random: Random, start: Date, end: Date): Purchase[] =>
  Array.from({ length: 11 }, (_, index) => ({
    soldAt: new Date(Math.floor(random.between(start.getTime(), end.getTime()))),
    amountCents: random.pick(PLANS).amountCents,
    eventName: 'subscription_started',
    subscriptionId: `sub_${random.hex(12)}`,
    customerKey: `user_${3_900 + index * 7}`,
    visitor: null,
    reason: 'customer_unknown',
  }))
