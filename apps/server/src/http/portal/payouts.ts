import { payoutDetailsRequest, portalExportQuery, portalPayoutsQuery } from '@tributary/contract'
import { recordAudit } from '../../audit/audit-log.ts'
import { inTransaction } from '../../database/transaction.ts'
import { hasEarned } from '../../money/ledger/ledger.ts'
import { listPartnerPayouts } from '../../money/payouts/list-partner-payouts.ts'
import { changePayoutDetails, findPayoutDetails } from '../../partners/payout-details.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { streamCsv } from '../csv.ts'
import { answerList, orNotFound } from '../lists.ts'
import { check, readJson } from '../read-json.ts'
import { requireSecondFactor } from '../session/require-session.ts'
import { requirePartner } from './require-partner.ts'
import { STATEMENTS } from './statements.ts'

const HIDDEN = '••••'
const SHOWN_DIGITS = 4

/** For owners who view the portal as the partner: enough to recognize the account, not to use it. */
const masked = <Details extends { account: string }>(details: Details) => {
  const { account } = details
  const end = account.length > 2 * SHOWN_DIGITS ? ` ${account.slice(-SHOWN_DIGITS)}` : ''
  return { ...details, account: `${HIDDEN}${end}`, holder: HIDDEN, note: null }
}

/** A partner's payouts, payout details and statements. */
export const portalPayouts = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const asPartner = requirePartner(dependencies)
  const partnerKey = (c: Call) => ({ programId: c.get('program').id, partnerId: c.get('partner').partnerId })
  const details = '/api/portal/programs/:programId/payout-details'

  app.get('/api/portal/programs/:programId/payouts', asPartner, async (c) => {
    const query = check(portalPayoutsQuery, c.req.query())
    const { rows, total } = await listPartnerPayouts(c.get('db'), { ...partnerKey(c), ...query })
    return answerList(c, rows, { ...query, total })
  })

  app.get('/api/portal/programs/:programId/export/:file', asPartner, (c) => {
    const db = c.get('db')
    const name = c.req.param('file').replace(/\.csv$/, '')
    const known = Object.hasOwn(STATEMENTS, name) && c.req.param('file').endsWith('.csv')
    const { columns, rows } = orNotFound(known ? STATEMENTS[name] : null, 'file')
    const filter = check(portalExportQuery, c.req.query())
    return streamCsv(c, name, columns, rows({ db, at: clock(), ...partnerKey(c), filter }))
  })

  app.get(details, asPartner, async (c) => {
    const found = await findPayoutDetails(c.get('db'), { ...partnerKey(c), at: clock() })
    return c.json({ data: found && c.get('view') ? masked(found) : found })
  })

  // Payout details decide where money goes, so every change is in the audit log.
  app.put(details, asPartner, async (c) => {
    const db = c.get('db')
    await requireSecondFactor(dependencies.db, {
      user: c.get('user'),
      workspaceId: c.get('program').workspaceId,
    })
    const request = check(payoutDetailsRequest, await readJson(c))
    const key = partnerKey(c)
    const at = clock()
    const after = await inTransaction(db, async (tx) => {
      const change = { ...key, ...request, hasEarned: await hasEarned(tx, key), at }
      const { isChanged, before, after } = await changePayoutDetails(tx, change)
      const entry = { action: 'payout details changed', subject: `partner ${key.partnerId}`, before, after }
      const by = { programId: key.programId, userId: c.get('user').id, byPartnerId: key.partnerId }
      if (isChanged) await recordAudit(tx, { ...by, ...entry, at })
      return after
    })
    return c.json({ data: after })
  })
}
