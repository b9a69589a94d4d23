import { decidePayoutLineRequest } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { dayIn } from '../../../events/overview/days.ts'
import { resetPaymentFile } from '../../../money/payouts/export-lines.ts'
import type { PayoutLine } from '../../../money/payouts/find-payout-lines.ts'
import { findPayoutHead, payoutLineAnswer } from '../../../money/payouts/list-payouts.ts'
import { decidePayoutLine } from '../../../money/payouts/payout-lines.ts'
import { announcePayment } from '../../../notifications/announce.ts'
import { withPartnerStatus } from '../../../partners/partner-names.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { orNotFound } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'
import { withDestinations } from './payout-destinations.ts'
import { LINE, lineKey } from './payout-line-history.ts'

/** Marks a payout line paid or failed, or removes it from its payment file. */
export const payoutLines = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'payout:manage')
  const answer = async (c: Call, at: Date, line: PayoutLine | null) => {
    const db = c.get('db')
    const found = orNotFound(line, 'payout line')
    const named = await withPartnerStatus(db, c.get('program').id, [payoutLineAnswer(found)])
    const [data] = await withDestinations(c, { db, at, payoutId: found.payoutId }, named)
    return c.json({ data })
  }

  app.post(LINE, mayManage, async (c) => {
    const db = c.get('db')
    const { programId, payoutId, lineId } = lineKey(c)
    const request = check(decidePayoutLineRequest, await readJson(c))
    const { status, amountCents = null } = request
    const userId = c.get('user').id
    const at = clock()
    refusePaymentOfFailed(request)
    const { timezone } = c.get('program')
    const { createdAt } = orNotFound(await findPayoutHead(db, { programId, id: payoutId }), 'payout')
    const line = await decidePayoutLine(db, {
      programId,
      payoutId,
      lineId,
      status,
      amountCents,
      reference: request.reference ?? null,
      paidAt: request.paidAt ? await paymentDay(db, request.paidAt, { timezone, at }) : null,
      note: request.note ?? null,
      createdOn: { day: await dayIn(db, timezone, createdAt), timezone },
      at,
      also: async (tx, before, after) => {
        const entry = { action: `payout line ${status}`, subject: `payout line ${lineId}`, before, after }
        await recordAudit(tx, { programId, userId, ...entry, at })
        if (after?.status === 'paid') await announcePayment(tx, paymentIn(after, { programId, at }))
      },
    })
    return answer(c, at, line)
  })

  app.post(`${LINE}/reset`, mayManage, async (c) => {
    const { programId, payoutId, lineId } = lineKey(c)
    const userId = c.get('user').id
    const at = clock()
    const line = await resetPaymentFile(c.get('db'), {
      programId,
      payoutId,
      lineId,
      also: (tx, before, after) => {
        const entry = { action: 'payout line reset', subject: `payout line ${lineId}`, before, after }
        return recordAudit(tx, { programId, userId, ...entry, at })
      },
    })
    return answer(c, at, line)
  })
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
const paymentDay = async (db: Database, paidAt: string, { timezone, at }: { timezone: string; at: Date }) => {
  const isDay = !paidAt.includes('T')
  const today = await dayIn(db, timezone, at)
  if (isDay ? paidAt > today : new Date(paidAt) > at)
    throw new Refusal('invalid_request', `paidAt must not be in the future. Today is ${today} in ${timezone}.`, {
      field: 'paidAt',
    })
  return isDay ? paidAt : dayIn(db, timezone, new Date(paidAt))
}
