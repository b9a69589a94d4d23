import type { Breakdown, BreakdownQuery } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import type { Program } from '../../programs/programs.ts'
import { catchUp } from '../roll-up/catch-up.ts'
import type { Row } from './breakdown-parts.ts'
import { byLink } from './by-link.ts'
import { byVisitor } from './by-visitor.ts'
import { daysOf } from './periods.ts'

type BreakdownOptions = { program: Program; query: BreakdownQuery; at: Date; partnerId?: number | null }

/** The top values of one dimension by clicks, leads or sales in a period. */
export const readBreakdown = async (
  db: Database,
  { program, query, at, partnerId = null }: BreakdownOptions,
): Promise<Breakdown> => {
  const { by } = query
  const { firstDay, lastDay } = await daysOf(db, { program, query, at })
  const range = { firstDay, lastDay, query, partnerId }
  const { rows, asOf } =
    by === 'partner' || by === 'group' || by === 'link'
      ? { rows: await byLink(db, program, { kind: by, ...range }), asOf: at }
      : await readByVisitor(db, program, { by, at, ...range })
  return {
    by,
    dateFrom: firstDay,
    dateTo: lastDay,
    asOf: asOf.toISOString(),
    kept: false,
    rows: rows.map((row: Row) => ({
      ...row,
      value: row.value === '' ? null : row.value,
      label: row.label || null,
    })),
  }
}

type VisitorRange = Omit<Parameters<typeof byVisitor>[2], 'isFresh'> & { at: Date }

/** While the roll-up lags far behind, returns what it has; `asOf` says up to when. */
const readByVisitor = async (db: Database, program: Program, { at, ...range }: VisitorRange) => {
  const { mark, fresh } = await catchUp(db, program, at)
  const rows = await byVisitor(db, program, { ...range, isFresh: fresh })
  return { rows, asOf: fresh || !mark ? at : mark.countedUntil }
}
