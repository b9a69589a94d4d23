import { type FoundRow, toDecimal } from '@tributary/contract'
import { SEARCH } from '@tributary/contract/declared'
import { type RawBuilder, sql } from 'kysely'
import { searchTerm } from '../../customers/search-term.ts'
import type { Database } from '../../database/connect.ts'
import { destinationOf } from '../../database/sql/link-destination.ts'
import { customersNamed, linksWith, partnersWith, type SearchTerm, salesNamed } from '../../database/sql/search.ts'
import { containing } from '../../database/sql/sorting.ts'
import { formatMoney } from '../../format-money.ts'
import { hasPermission } from '../../platform/access.ts'
import { runs } from '../../platform/runs.ts'

export const search = ({ hashKey }: { hashKey: string }) =>
  runs(
    SEARCH,
    {},
    {
      find: async ({ db, program: { id: programId, workspaceId }, actor: user, query: { q } }) => {
        const term = searchTerm(hashKey, q.trim() || q)
        if (!term) return []
        const seesCustomers = await hasPermission(db, { user, workspaceId, permission: 'tracking:list' })
        return searchProgram(db, { programId, term, seesCustomers })
      },
    },
  )

/** Of each kind. */
const MAX_ROWS = 5

type Search = { programId: number; term: SearchTerm; seesCustomers: boolean }

/** The newest matches of each kind, for the command palette. Customers and sales only for members who may list them. */
const searchProgram = async (db: Database, { programId, term, seesCustomers }: Search): Promise<FoundRow[]> => {
  const found = await Promise.all([
    find(db, 'partner', partners(programId, term)),
    ...(seesCustomers ? [find(db, 'customer', customers(programId, term)), findSales(db, sales(programId, term))] : []),
    find(db, 'link', links(programId, term)),
    find(db, 'code', codes(programId, term)),
  ])
  return found.flat()
}

type Row = { id: string; title: string; detail: string | null }

const find = async (db: Database, kind: FoundRow['kind'], query: RawBuilder<Row>): Promise<FoundRow[]> =>
  (await query.execute(db)).rows.map((row) => ({ kind, ...row }))

const findSales = async (db: Database, query: ReturnType<typeof sales>): Promise<FoundRow[]> =>
  (await query.execute(db)).rows.map(({ amountCents, currency, ...row }) => ({
    kind: 'sale',
    ...row,
    detail: formatMoney(toDecimal(amountCents, currency), currency),
  }))

const newest = sql`ORDER BY id DESC LIMIT ${sql.lit(MAX_ROWS)}`

const partners = (programId: number, { text }: SearchTerm) => sql<Row>`
  SELECT id::text, name AS title, email AS detail FROM partners
  WHERE program_id = ${programId} AND NOT archived AND partners.id IN ${partnersWith(programId, text)} ${newest}`

const links = (programId: number, { text }: SearchTerm) => sql<Row>`
  SELECT id::text, aff AS title, ${destinationOf('referral_links')} AS detail FROM referral_links
  WHERE program_id = ${programId} AND referral_links.id IN ${linksWith(programId, text)} ${newest}`

const codes = (programId: number, { text }: SearchTerm) => sql<Row>`
  SELECT code.id::text, code.code AS title, partner.name AS detail FROM promotion_codes code
  JOIN partners partner ON partner.program_id = code.program_id AND partner.id = code.partner_id
  WHERE code.program_id = ${programId} AND code.code ILIKE ${containing(text)} ORDER BY code.id DESC LIMIT ${sql.lit(MAX_ROWS)}`

const customers = (programId: number, term: SearchTerm) => sql<Row>`
  SELECT customers.click_id AS id, coalesce(customer_key, customers.click_id) AS title, email_masked AS detail
  FROM leads JOIN customers USING (program_id, click_id)
  WHERE program_id = ${programId} AND settled_at IS NOT NULL AND click_id IN ${customersNamed(programId, term)}
  ORDER BY click_id DESC LIMIT ${sql.lit(MAX_ROWS)}`

const sales = (programId: number, term: SearchTerm) => sql<{
  id: string
  title: string
  amountCents: number
  currency: string
}>`
  SELECT id::text, invoice_id AS title, amount_cents, currency FROM sales
  WHERE program_id = ${programId} AND voided_at IS NULL AND sales.id IN ${salesNamed(programId, term)} ${newest}`
