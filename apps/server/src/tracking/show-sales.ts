import type { Database } from '../database/connect.ts'
import { refundedOf } from '../money/refunds.ts'
import { type Asked, findSaleDetail, listSales } from '../sales/list-sales.ts'

/** Sales with what of them is refunded by now, whoever told of it. */
export const showSales = (db: Database, asked: Asked) => listSales(db, asked, refundedOf('sale'))

export const showSale = (db: Database, sale: { programId: number; id: number }) =>
  findSaleDetail(db, sale, refundedOf('sale'))
