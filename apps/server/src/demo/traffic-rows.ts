import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { keepEmail } from '../customers/emails.ts'
import type { DB } from '../database/tables.ts'
import { dayIn } from '../events/days.ts'
import { newClickId } from '../tracking/click-ids.ts'
import { readUserAgent } from '../visitors/user-agents.ts'
import { keyedVisitorHash } from '../visitors/visitor-hash.ts'
import { PROGRAM } from './cast.ts'
import { creditedVisit, type Purchase, type SignUp } from './outcomes.ts'
import type { Visit, Visitor } from './visits.ts'

export type Traffic = { visitors: Visitor[]; signUps: SignUp[]; purchases: Purchase[] }
/** The rows that stand for the links of the cast, by their `aff`. */
export type LinkRows = Map<string, { linkId: number; partnerId: number }>
type Place = { programId: number; links: LinkRows; hashKey: string }
type Rows<Table extends keyof DB> = Insertable<DB[Table]>[]

const FIRST_INVOICE = 2_041
const dayOf = (at: Date) => dayIn(PROGRAM.timezone, at)
/** How Postgres reads a bytea that comes as text. */
const asBytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}` as unknown as Uint8Array

/** The rows that the stories would have left behind, had they been told all of this as it happened. */
export const trafficRows = ({ visitors, signUps, purchases }: Traffic, { programId, links, hashKey }: Place) => {
  // The traffic is the same everywhere, but a click_id that anybody could work out would be a credential.
  const clickIds = new Map(visitors.map((visitor) => [visitor, newClickId(programId, visitor.visits[0].at)]))
  const settledOf = new Map(signUps.map(({ visitor, settled }) => [visitor, settled]))
  const buyers = new Set(purchases.filter(({ reason }) => reason === null).map(({ visitor }) => visitor))
  const visitorHash = keyedVisitorHash(hashKey)

  const clickIdOf = (visitor: Visitor) => clickIds.get(visitor) ?? ''
  const linkOf = ({ link }: Visit) => links.get(link.aff) ?? { linkId: 0, partnerId: 0 }
  /** Whose customer a visitor is at a moment. A settled lead binds for good. */
  const creditAt = (visitor: Visitor, at: Date) => linkOf(creditedVisit(visitor, settledOf.get(visitor)?.at ?? at))

  const customers: Rows<'customers'> = visitors.map((visitor) => {
    const settled = settledOf.get(visitor)
    const last = visitor.visits.at(-1) ?? visitor.visits[0]
    const credited = settled ? creditedVisit(visitor, settled.at) : last
    const email = settled ? keepEmail(hashKey, settled.email) : null
    return {
      programId,
      clickId: clickIdOf(visitor),
      customerStatus: settled ? (buyers.has(visitor) ? 'customer' : 'lead') : 'click',
      customerKey: settled?.customerKey ?? null,
      ...linkOf(credited),
      creditedClickAt: credited.at,
      firstClickedAt: visitor.visits[0].at,
      lastClickedAt: last.at,
      emailHash: email && asBytea(email.hash),
      emailMasked: email?.masked ?? null,
    }
  })

  const clickEvents: Rows<'clickEvents'> = visitors.flatMap((visitor) =>
    visitor.visits.map((visit, index) => ({
      programId,
      id: Bun.randomUUIDv7('hex', visit.at),
      clickedAt: visit.at,
      day: dayOf(visit.at),
      clickId: clickIdOf(visitor),
      ...linkOf(visit),
      reused: index > 0,
      ...describe(visitor, visit),
      visitorHash: visitorHash(visitor.person.ip, visit.at) as unknown as Uint8Array,
    })),
  )

  const leads: Rows<'leads'> = signUps.map(({ visitor, at, settled }) => ({
    programId,
    clickId: clickIdOf(visitor),
    ...creditAt(visitor, at),
    state: settled ? 'settled' : 'provisional',
    settledBy: settled ? 'server' : null,
    settledAt: settled?.at ?? null,
    day: settled ? dayOf(settled.at) : null,
    createdAt: at,
  }))

  const sales: Rows<'sales'> = purchases.map(({ visitor, reason, ...purchase }, index) => {
    const sale = { invoiceId: `INV-${FIRST_INVOICE + index}`, ...purchase }
    const credited = visitor && reason === null
    return {
      programId,
      ...sale,
      currency: PROGRAM.currency,
      day: dayOf(sale.soldAt),
      requestHash: requestHash(sale, sale.customerKey === null && visitor ? clickIdOf(visitor) : null),
      clickId: credited ? clickIdOf(visitor) : null,
      ...(credited ? creditAt(visitor, sale.soldAt) : { linkId: null, partnerId: null }),
      creditedAt: credited ? sale.soldAt : null,
      reason,
    }
  })

  const named = [...customers, ...sales].flatMap(({ customerKey }) => customerKey ?? [])
  const customerKeys: Rows<'customerKeys'> = [...new Set(named)].map((customerKey) => ({ programId, customerKey }))
  return { customers, customerKeys, clickEvents, leads, sales }
}

const describe = ({ person }: Visitor, { link, referrerUrl, sessionId }: Visit) => ({
  pageUrl: `${link.destinationUrl}?aff=${link.aff}`,
  pageTitle: link.pageTitle,
  referrerUrl,
  sessionId,
  screenResolution: person.screen,
  viewportSize: person.viewport,
  language: person.language,
  timezone: person.timezone,
  country: person.country,
  ...readUserAgent(person.userAgent),
})

/** As recordSale makes it of the call's own words, so that the same call sent again is recognised as a retry. */
const requestHash = (sale: Omit<Purchase, 'visitor' | 'reason'> & { invoiceId: string }, clickId: string | null) => {
  const { invoiceId, customerKey, amountCents, eventName, subscriptionId } = sale
  const { currency } = PROGRAM
  const said = { invoiceId, customerKey, clickId, amountCents, currency, eventName, subscriptionId, metadata: null }
  return asBytea(createHash('sha256').update(JSON.stringify(said)).digest())
}
