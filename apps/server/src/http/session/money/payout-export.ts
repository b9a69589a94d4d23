import { exportPayoutRequest } from '@tributary/contract'
import { recordAudit } from '../../../audit/audit-log.ts'
import { exportLines } from '../../../money/payouts/export-lines.ts'
import { findPayoutHead, payoutLineAnswer } from '../../../money/payouts/list-payouts.ts'
import { contactsOf } from '../../../partners/partners.ts'
import type { App, Dependencies } from '../../context.ts'
import { sendCsv } from '../../csv.ts'
import { orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'
import { destinationsFor } from './payout-destinations.ts'
import { linesOfFile, PAYOUT_FILES, type PayoutFileLine } from './payout-files.ts'

/** Exports a payout. This is a write: marking a line paid books the exported amount. */
export const payoutExport = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies

  app.post(
    '/api/programs/:programId/payouts/:payoutId/export',
    requireProgram(dependencies, 'payout:manage'),
    async (c) => {
      const db = c.get('db')
      const { format, currency } = check(exportPayoutRequest, await readJson(c))
      const { id: programId, timezone } = c.get('program')
      const userId = c.get('user').id
      const at = clock()
      const payoutId = orNotFound(pathId(c, 'payoutId'), 'payout')
      orNotFound(await findPayoutHead(db, { programId, id: payoutId }), 'payout')
      const file = PAYOUT_FILES[format]
      const lines = await exportLines(db, {
        programId,
        payoutId,
        currency,
        method: file.pays,
        choose: async (tx, found) => {
          const contacts = await contactsOf(tx, { programId, ids: found.map(({ partnerId }) => partnerId) })
          const rows = await destinationsFor(tx, { programId, at }, found.map(payoutLineAnswer))
          return linesOfFile(
            file,
            rows.map((row) => ({ ...row, payoutId, ...contacts.get(row.partnerId), id: row.id })),
            timezone,
          )
        },
        also: (tx, chosen) =>
          recordAudit(tx, {
            programId,
            userId,
            action: 'payout exported',
            subject: `payout ${payoutId}`,
            after: { format, currency: currency ?? null, lines: chosen.map(auditedLine) },
            at,
          }),
      })
      const { columns, row } = file
      return sendCsv(c, { name: `payout-${payoutId}-${format}`, ...(columns && { columns }), rows: lines.map(row) })
    },
  )
}

const auditedLine = ({ id, partnerId, amountCents, currency, method, account, status }: PayoutFileLine) => ({
  id,
  partnerId,
  amountCents,
  currency,
  method,
  account,
  status,
})
