import { sql } from 'kysely'
import type { CodeFacts, StatedCode } from '../../attribution/codes.ts'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import { codePrecedenceAt, type Program } from '../../programs/programs.ts'

/** A code as an event states it. `isPending`: only by a processor's ID whose text is not known yet. */
export type CodeOnEvent = {
  code: string
  isPending?: true
  /** The processor's customer had paid before they first used the code. */
  hasPaidBefore?: boolean
}

type EventWithCodes = {
  program: Program
  customerKey: string | null
  at: Date
  /** The sale itself, if it exists. */
  saleId?: number | undefined
  codes: CodeOnEvent[]
  /** Filled in. */
  codeFacts?: CodeFacts
}

type Row = {
  position: number
  codeId: number | null
  partnerId: number | null
  isApproved: boolean | null
  isKnown: boolean
  hasPaidBefore: boolean | null
}

/**
 * Fills in the owner of each stated code at the time of its event: that of the period which contains the time, else of the first later
 * period that applies to earlier times. The customer had paid before if their first sale was made without the code.
 */
export const findStatedCodes = async (tx: Tx, events: EventWithCodes[]) => {
  const stated = events.flatMap(({ program, customerKey, at, saleId = null, codes }, event) =>
    codes.flatMap(({ code, isPending }, index) =>
      isPending ? [] : [{ event, index, programId: program.id, customerKey, at, saleId, code }],
    ),
  )
  const column = columnsOf(stated)
  const { rows } =
    stated.length === 0
      ? { rows: [] }
      : await sql<Row>`
    SELECT position, owner.code_id, owner.partner_id, owner.is_approved, known.is_known, first_sale.has_paid_before
    FROM unnest(${column('programId', 'integer')}, ${column('code', 'text')}, ${column('customerKey', 'text')},
      ${column('at', 'timestamptz')}, ${column('saleId', 'bigint')})
      WITH ORDINALITY AS input(program_id, code, customer_key, at, sale_id, position)
    LEFT JOIN LATERAL (
      SELECT period.code_id, period.partner_id, partner.status = 'approved' AND NOT partner.archived AS is_approved
      FROM promotion_codes code
      JOIN promotion_code_periods period ON period.program_id = code.program_id AND period.code_id = code.id
      JOIN partners partner ON partner.program_id = period.program_id AND partner.id = period.partner_id
      WHERE code.program_id = input.program_id AND lower(code.code) = lower(input.code) AND (
        (period.starts_at <= input.at AND (period.ends_at IS NULL OR period.ends_at > input.at))
        OR (period.applies_to_earlier AND period.starts_at > input.at))
      ORDER BY period.starts_at <= input.at DESC, period.starts_at, period.id LIMIT 1) owner ON true
    CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM promotion_codes code
        JOIN promotion_code_periods period ON period.program_id = code.program_id AND period.code_id = code.id
        WHERE code.program_id = input.program_id AND lower(code.code) = lower(input.code) AND period.starts_at <= input.at) AS is_known) known
    LEFT JOIN LATERAL (
      SELECT lower(sale.promotion_code) IS DISTINCT FROM lower(input.code) AS has_paid_before FROM sales sale
      WHERE sale.program_id = input.program_id AND sale.customer_key = input.customer_key AND sale.voided_at IS NULL
        AND sale.sold_at <= input.at AND sale.id IS DISTINCT FROM input.sale_id
        AND (sale.sold_at < input.at OR input.sale_id IS NULL OR sale.id < input.sale_id)
      ORDER BY sale.sold_at, sale.id LIMIT 1) first_sale ON true`.execute(tx)
  const found = new Map(
    rows.map((row) => [`${stated[row.position - 1]?.event} ${stated[row.position - 1]?.index}`, row]),
  )
  for (const [event, one] of events.entries()) {
    const { program, at, codes } = one
    const facts = codes.map((code, index) => toFacts(code, found.get(`${event} ${index}`)))
    one.codeFacts = { codes: facts, codePrecedence: codePrecedenceAt(program, at) }
  }
}

const toFacts = ({ code, hasPaidBefore = false }: CodeOnEvent, row: Row | undefined): StatedCode => ({
  code,
  state: !row ? 'pending' : row.codeId !== null ? 'owned' : row.isKnown ? 'disabled' : 'unknown',
  codeId: row?.codeId ?? null,
  partnerId: row?.partnerId ?? null,
  isApproved: row?.isApproved ?? false,
  hasPaidBefore: hasPaidBefore || (row?.hasPaidBefore ?? false),
})
