import type { Insertable } from 'kysely'
import { hashEmail } from '../customers/customers.ts'
import type { DB } from '../database/tables.ts'
import { newClickId } from '../tracking/clicks/click-ids.ts'
import { hashSaleRequest } from '../tracking/sales/create-sales.ts'
import { readUserAgent } from '../visitors/user-agents.ts'
import { keyedVisitorHash } from '../visitors/visitor-hash.ts'
import { PROGRAM } from './demo-data.ts'
import { creditedVisit, type Purchase, type SignUp } from './outcomes.ts'
import type { Visit, Visitor } from './visits.ts'

export type Traffic = { visitors: Visitor[]; signUps: SignUp[]; purchases: Purchase[] }
/** Link rows by `aff`. */
export type LinkRows = Map<string, { linkId: number; partnerId: number }>
type Target = { programId: number; links: LinkRows; hashKey: string; cell: string }
type Row<Table extends keyof DB> = Insertable<DB[Table]>

const FIRST_INVOICE = 2_041
const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: PROGRAM.timezone, dateStyle: 'short' })
const dayOf = (at: Date) => calendar.format(at)
/** The text form of a bytea. */
const asBytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}` as unknown as Uint8Array

/** The rows that tracking would have written if all of this had happened live. */
export const trafficRows = (traffic: Traffic, target: Target) => {
  const lookups = buildLookups(traffic, target)
  const customers = traffic.visitors.map((visitor) => customerRow(visitor, target, lookups))
  const clickEvents = traffic.visitors.flatMap((visitor) => clickRows(visitor, target, lookups))
  const leads = traffic.signUps.map((signUp) => leadRow(signUp, target, lookups))
  const invoiced = traffic.purchases.map((purchase, index) => ({
    ...purchase,
    invoiceId: `INV-${FIRST_INVOICE + index}`,
  }))
  const sales = invoiced.map((purchase) => saleRow(purchase, target, lookups))
  // An uncredited sale stores no click, even though it came with one.
  const clickOfInvoice = new Map(
    invoiced.map(({ invoiceId, visitor }) => [invoiceId, visitor && lookups.clickIdOf(visitor)]),
  )
  const named = [...sales.map((sale) => ({ ...sale, clickId: null })), ...customers]
  const clickOfKey = new Map(named.map(({ customerKey, clickId }) => [customerKey, clickId]))
  const customerKeys: Row<'customerKeys'>[] = [...clickOfKey].flatMap(([customerKey, clickId]) =>
    customerKey ? { programId: target.programId, customerKey, clickId } : [],
  )
  return { customers, customerKeys, clickEvents, leads, sales, clickOfInvoice }
}

type Lookups = ReturnType<typeof buildLookups>

const buildLookups = ({ visitors, signUps, purchases }: Traffic, { programId, links, hashKey, cell }: Target) => {
  // The demo traffic is the same everywhere, but a click_id is a credential and must not be predictable.
  const clickIds = new Map(visitors.map((visitor) => [visitor, newClickId(programId, visitor.visits[0].at, cell)]))
  const settlements = new Map(signUps.map(({ visitor, settled }) => [visitor, settled]))
  const buyers = new Set(purchases.filter(({ reason }) => reason === null).map(({ visitor }) => visitor))
  return {
    visitorHash: keyedVisitorHash(hashKey),
    clickIdOf: (visitor: Visitor) => clickIds.get(visitor) ?? '',
    linkOf: ({ link }: Visit) => links.get(link.aff) ?? { linkId: 0, partnerId: 0 },
    settledOf: (visitor: Visitor) => settlements.get(visitor) ?? null,
    hasBought: (visitor: Visitor) => buyers.has(visitor),
    /** The visitor's credited click at a point in time. A settled lead fixes it. */
    creditedAt: (visitor: Visitor, at: Date) => creditedVisit(visitor, settlements.get(visitor)?.at ?? at),
  }
}

const customerRow = (visitor: Visitor, { programId, hashKey }: Target, lookups: Lookups): Row<'customers'> => {
  const settled = lookups.settledOf(visitor)
  const last = visitor.visits.at(-1) ?? visitor.visits[0]
  const credited = lookups.creditedAt(visitor, last.at)
  const email = settled ? hashEmail(hashKey, settled.email) : null
  return {
    programId,
    clickId: lookups.clickIdOf(visitor),
    customerStatus: settled ? (lookups.hasBought(visitor) ? 'customer' : 'lead') : 'click',
    customerKey: settled?.customerKey ?? null,
    ...lookups.linkOf(credited),
    creditedClickAt: credited.at,
    firstClickedAt: visitor.visits[0].at,
    lastClickedAt: last.at,
    emailHash: email && asBytea(email.hash),
    emailMasked: email?.masked ?? null,
  }
}

const clickRows = (visitor: Visitor, { programId }: Target, lookups: Lookups): Row<'clickEvents'>[] =>
  visitor.visits.map((visit, index) => ({
    programId,
    id: Bun.randomUUIDv7('hex', visit.at),
    clickedAt: visit.at,
    day: dayOf(visit.at),
    clickId: lookups.clickIdOf(visitor),
    ...lookups.linkOf(visit),
    reused: index > 0,
    ...describe(visitor, visit),
    visitorHash: lookups.visitorHash(visitor.person.ip, visit.at) as unknown as Uint8Array,
  }))

const leadRow = ({ visitor, at, settled }: SignUp, { programId }: Target, lookups: Lookups): Row<'leads'> => ({
  programId,
  clickId: lookups.clickIdOf(visitor),
  ...lookups.linkOf(lookups.creditedAt(visitor, at)),
  state: settled ? 'settled' : 'provisional',
  settledBy: settled ? 'server' : null,
  settledAt: settled?.at ?? null,
  day: settled ? dayOf(settled.at) : null,
  createdAt: at,
})

type Invoiced = Purchase & { invoiceId: string }

const saleRow = ({ visitor, reason, ...sale }: Invoiced, { programId }: Target, lookups: Lookups): Row<'sales'> => {
  const clickId = visitor && lookups.clickIdOf(visitor)
  const credit =
    visitor && reason === null
      ? {
          clickId,
          ...lookups.linkOf(lookups.creditedAt(visitor, sale.soldAt)),
          creditSource: 'click',
          creditedAt: sale.soldAt,
        }
      : { clickId: null, linkId: null, partnerId: null, creditSource: null, creditedAt: null }
  return {
    programId,
    ...sale,
    currency: PROGRAM.currency,
    day: dayOf(sale.soldAt),
    requestHash: asBytea(
      hashSaleRequest({
        ...sale,
        clickId: sale.customerKey === null ? clickId : null,
        currency: PROGRAM.currency,
        metadata: null,
      }),
    ),
    ...credit,
    reason,
  }
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
