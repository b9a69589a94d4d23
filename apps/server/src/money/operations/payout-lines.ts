import { PAYOUT_LINES } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { payoutLineHistory } from '../../audit/payout-history.ts'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { dayIn } from '../../events/overview/days.ts'
import { announcePayment } from '../../notifications/announce.ts'
import { withPartnerStatus } from '../../partners/partner-names.ts'
import { hasPermission } from '../../platform/access.ts'
import type { Member } from '../../platform/actor.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import { lockProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { resetPaymentFile } from '../payouts/export-lines.ts'
import { findPayoutLine, type PayoutLine } from '../payouts/find-payout-lines.ts'
import { findStatement } from '../payouts/find-statement.ts'
import { findPayout, listPayoutLines, payoutLineAnswer } from '../payouts/list-payouts.ts'
import { decidePayoutLine } from '../payouts/payout-lines.ts'
import { reissueStatement } from '../payouts/statements.ts'
import { withDestinations } from './payout-destinations.ts'

export const payoutLines = runs(
  PAYOUT_LINES,
  { payoutId: { what: 'payout', find: findPayout }, lineId: { what: 'payout line', find: findPayoutLine } },
  {
    list: async ({ db, program, payout: { id: payoutId }, actor, clock, query }) => {
      const { rows, total } = await listPayoutLines(db, { programId: program.id, payoutId, ...query })
      return { rows: await withDestinations(db, { program, actor, payoutId, at: clock() }, rows), total }
    },

    decide: async ({ tx, program, payout, line, actor, clock, audit, body }) => {
      const { id: programId, timezone } = program
      const { status, amountCents = null, reference = null, note = null } = body
      const at = clock()
      refusePaymentOfFailed(body)
      const paidAt = body.paidAt ? await paymentDay(tx, body.paidAt, { timezone, at }) : null
      const createdOn = { day: await dayIn(tx, timezone, payout.createdAt), timezone }
      const decision = { programId, line, status, amountCents, reference, paidAt, note, createdOn, at }
      const { before, after } = await decidePayoutLine(tx, decision)
      if (before) {
        await audit(tx, { action: `payout line ${status}`, subject: `payout line ${line.id}`, before, after, at })
        if (status === 'paid') await announcePayment(tx, paymentIn(after, { programId, at }))
      }
      return lineAnswer(tx, { program, actor, line: after, at })
    },

    reset: async ({ tx, program, line, actor, clock, audit }) => {
      const { before, after } = await resetPaymentFile(tx, { programId: program.id, line })
      const at = clock()
      const change = { before, after, at }
      if (before) await audit(tx, { action: 'payout line reset', subject: `payout line ${line.id}`, ...change })
      return lineAnswer(tx, { program, actor, line: after, at })
    },

    history: async ({ db, program, line }) => {
      const { id: lineId, payoutId, amountCents, reservedCents, decidedAt, status } = line
      const found = await payoutLineHistory(db, { programId: program.id, payoutId, lineId })
      const events = found.map((event) =>
        event.action === 'created' ? { ...event, amountCents: reservedCents } : event,
      )
      // A line that refunds have emptied closes without a member.
      if (status !== 'failed' || !decidedAt || events.some(({ action }) => action === 'failed')) return events
      const closed = { userName: null, file: null, reference: null, note: null, at: decidedAt, amountCents }
      return [...events, { action: 'emptied' as const, ...closed }]
    },

    statement: ({ db, query, ...asked }) => statementAnswer(db, { ...asked, ...query }),

    reissue: {
      ownTransactions: async ({ db, clock, audit, ...asked }) => {
        const { id: programId } = asked.program
        await inTransaction(db, async (tx) => {
          await lockProgram(tx, programId)
          const at = clock()
          const issued = await reissueStatement(tx, { programId, lineId: asked.line.id, at })
          if (!issued)
            throw new Refusal(
              'conflict',
              'No legal details have changed since this statement was issued. Add or change them first.',
            )
          const { number, before, after } = issued
          const changes = changedFields(before, after)
          await audit(tx, { action: 'statement reissued', subject: `statement ${number}`, ...changes, at })
        })
        return statementAnswer(db, asked)
      },
    },
  },
)

type Asked = { program: Program; line: PayoutLine; actor: Member; version?: number | undefined }

const statementAnswer = async (db: Database, { program, line, actor, version }: Asked) => {
  const { id: programId, workspaceId } = program
  const seesCustomers = await hasPermission(db, { user: actor, workspaceId, permission: 'tracking:list' })
  const { id: lineId, payoutId } = line
  return orNotFound(await findStatement(db, { programId, payoutId, lineId, seesCustomers, version }), 'statement')
}

type Answer = { program: Program; actor: Member; line: PayoutLine; at: Date }

const lineAnswer = async (tx: Tx, { line, ...answer }: Answer) => {
  const named = await withPartnerStatus(tx, answer.program.id, [payoutLineAnswer(line)])
  const [data] = await withDestinations(tx, { ...answer, payoutId: line.payoutId }, named)
  return orNotFound(data, 'payout line')
}

const paymentIn = (
  { id: lineId, partnerId, paidCents: amountCents, currency, reference, paidAt: paidOn }: PayoutLine,
  at: { programId: number; at: Date },
) => ({ ...at, lineId, partnerId, amountCents, currency, reference, paidOn })

type Payment = { status: string; reference?: string | null | undefined; paidAt?: string | null | undefined }

const refusePaymentOfFailed = ({ status, reference, paidAt }: Payment) => {
  if (status === 'paid') return
  for (const [field, value] of Object.entries({ reference, paidAt }))
    if (value)
      throw new Refusal('invalid_request', `${field} is only allowed if status is paid. Leave it out.`, { field })
}

/** The calendar day of a payment in the program's time zone. */
const paymentDay = async (tx: Tx, paidAt: string, { timezone, at }: { timezone: string; at: Date }) => {
  const isDay = !paidAt.includes('T')
  const today = await dayIn(tx, timezone, at)
  if (isDay ? paidAt > today : new Date(paidAt) > at)
    throw new Refusal('invalid_request', `paidAt must not be in the future. Today is ${today} in ${timezone}.`, {
      field: 'paidAt',
    })
  return isDay ? paidAt : dayIn(tx, timezone, new Date(paidAt))
}
