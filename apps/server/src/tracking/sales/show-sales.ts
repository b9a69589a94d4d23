import { findTimeline } from '../../customers/timeline.ts'
import type { Database } from '../../database/connect.ts'
import { selectRefundedCents } from '../../database/sql/refunded.ts'
import { REVERSED_CENTS } from '../../money/commissions/commission-states.ts'
import { findSaleDetail, listSales, type SalesFilter } from '../../sales/list-sales.ts'

const figures = { refunded: selectRefundedCents('sale'), reversed: REVERSED_CENTS }

/** Includes refunds from both the merchant and the processor, and the commission reversed for them. */
export const showSales = (db: Database, filter: SalesFilter) => listSales(db, filter, figures)

export const showSale = (db: Database, sale: { programId: number; id: number }) => findSaleDetail(db, sale, figures)

/** A customer's events, with the reversed part of each commission. */
export const showTimeline = (db: Database, customer: { programId: number; clickId: string }) =>
  findTimeline(db, customer, figures)
