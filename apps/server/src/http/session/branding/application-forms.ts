import { applicationForm, decideApplicationsRequest } from '@tributary/contract'
import type { z } from 'zod'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { applicationDecided } from '../../../mail/program-emails.ts'
import { announceApproved } from '../../../money/commissions/announce-payable.ts'
import { announceDecision } from '../../../notifications/announce.ts'
import { recordDecision } from '../../../partners/applications/applications.ts'
import { partnersWithSignIn } from '../../../partners/partner-users.ts'
import { decidePending } from '../../../partners/partners.ts'
import { findApplicationForm, setApplicationForm } from '../../../programs/application-forms.ts'
import { mailBrandOf } from '../../../programs/mail-brand.ts'
import { lockProgram } from '../../../programs/programs.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** Questions, approval rules and decisions about applications. */
export const applicationForms = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayManage = requireProgram(dependencies, 'partner:manage')
  const path = '/api/programs/:programId/application-form'

  app.get(path, requireProgram(dependencies, 'program:read'), async (c) =>
    c.json({ data: await findApplicationForm(c.get('db'), c.get('program').id) }),
  )

  app.put(path, mayManage, async (c) => {
    const form = check(applicationForm, await readJson(c))
    const { id: programId } = c.get('program')
    const saved = await inTransaction(c.get('db'), async (tx) => {
      await lockProgram(tx, programId)
      const before = await findApplicationForm(tx, programId)
      await setApplicationForm(tx, programId, form)
      const after = await findApplicationForm(tx, programId)
      const changes = changedFields(before, after)
      const entry = { action: 'application form changed', subject: 'program', ...changes, at: clock() }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return after
    })
    return c.json({ data: saved })
  })

  app.post('/api/programs/:programId/applications/decide', mayManage, async (c) => {
    const request = check(decideApplicationsRequest, await readJson(c))
    const { ids, addresses } = await decide(c, dependencies, request)
    await mailDecision(c, dependencies, { ...request, addresses })
    const skipped = [...new Set(request.partnerIds)].filter((id) => !ids.includes(id))
    return c.json({ data: { decided: ids.toSorted((one, other) => one - other), skipped } })
  })
}

type Decision = z.infer<typeof decideApplicationsRequest>

const decide = (c: Call, { clock }: Dependencies, { partnerIds, decision: status, message = '' }: Decision) =>
  inTransaction(c.get('db'), async (tx) => {
    const { id: programId } = c.get('program')
    const at = clock()
    const decided = await decidePending(tx, { programId, ids: partnerIds, status, at })
    await recordDecision(tx, { programId, ids: decided.map(({ id }) => id), message: message || null, at })
    for (const { id } of decided) {
      const change = { before: { status: 'pending' }, after: { status, ...(message && { message }) } }
      const entry = { action: 'partner changed', subject: `partner ${id}`, ...change, at }
      await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      await announceDecision(tx, { programId, partnerId: id, status, message: message || null, at })
    }
    const ids = decided.map(({ id }) => id)
    if (status === 'approved') await announceApproved(tx, { programId, partnerIds: ids, at })
    const reached = await partnersWithSignIn(tx, { programId, ids })
    const addresses = decided.flatMap(({ id, email }) => (email && !reached.has(id) ? [email] : []))
    return { ids, addresses }
  })

/** To partners who cannot sign in and so get no notifications. At the same time for all: a slow mail server delays the response once, not once per applicant. */
const mailDecision = async (
  c: Call,
  { mailer, portalUrl }: Dependencies,
  {
    addresses,
    decision,
    message = null,
  }: Pick<Decision, 'decision'> & { message?: string | null | undefined } & {
    addresses: string[]
  },
) => {
  if (!mailer || addresses.length === 0) return
  const sender = await mailBrandOf(c.get('db'), c.get('program'))
  const email = applicationDecided({ ...sender, decision, message, url: `${portalUrl}/portal` })
  await Promise.all(addresses.map((address) => mailer.send(address, email)))
}
