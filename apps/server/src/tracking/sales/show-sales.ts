import type { Database } from '../../database/connect.ts'
import { REVERSED } from '../../money/commissions/commission-states.ts'
import { refundedOf } from '../../money/commissions/refunds.ts'
import { type Asked, findSaleDetail, listSales } from '../../sales/list-sales.ts'

const figures = { refunded: refundedOf('sale'), reversed: REVERSED }

/** Sales with what of them is refunded by now, whoever told of it, and what that took from their commissions. */
export const showSales = (db: Database, asked: Asked) => listSales(db, asked, figures)

export const showSale = (db: Database, sale: { programId: number; id: number }) => findSaleDetail(db, sale, figures)
