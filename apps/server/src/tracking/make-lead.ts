import type { LeadCallFacts } from '../attribution/attribute-lead.ts'
import { type Customer, copyCustomer, settleCustomer } from '../customers/customers.ts'
import type { KeptEmail } from '../customers/emails.ts'
import { erasedKeyHash } from '../customers/erased-customers.ts'
import { keepSettledLead } from '../customers/leads.ts'
import { onlyAlone, onlyOneWith } from '../database/side-by-side.ts'
import type { Tx } from '../database/transaction.ts'
import { markDays } from '../events/changed-days.ts'
import { clicksOfRecord } from '../events/clicks-of-record.ts'
import type { Program } from '../programs/programs.ts'
import { newClickId } from './click-ids.ts'
import { creditWaitingSales, leaveWaitingSales } from './credit-waiting-sales.ts'
import { decisionOfLead } from './decision-of-lead.ts'
import { earnForLead } from './earn-commission.ts'
import { settleFirstSale } from './settle-first-sale.ts'

type Making = {
  hashKey: string
  now: Date
  program: Program
  facts: LeadCallFacts
  record: Customer
  customerKey: string
  email: KeptEmail | null
  second: boolean
}

type MadeLead = { outcome: 'settled'; leadId: number; clickId: string; customerKey: string }

/** The lead counts: key saved, lead settled, day marked, and the sales that came too early credited, all or nothing. */
export const makeLead = async (
  tx: Tx,
  { hashKey, now, program, facts, record, customerKey, email, second }: Making,
): Promise<MadeLead> => {
  const programId = program.id
  const { at, event } = facts
  const { linkId, partnerId } = record
  const clickId = second ? newClickId(programId, at) : record.clickId
  if (!second) onlyOneWith(tx, `record ${record.clickId}`)
  if (second) await copyCustomer(tx, { programId, clickId, customerKey, email }, record)
  else await settleCustomer(tx, { programId, clickId, customerKey, email })

  const settledBy = event === 'server_lead' ? 'server' : event === 'browser_sign_up' ? 'browser' : 'processor'
  const { clicks, visitorHash } = await clicksOfRecord(tx, { programId, record, at })
  const { leadId, day, isReportedAgain, hasBoughtBefore } = await keepSettledLead(tx, {
    ...{ programId, clickId, linkId, partnerId, at, settledBy, visitorHash },
    timezone: program.timezone,
    erasedKeyHash: erasedKeyHash(hashKey, { programId, customerKey }),
  })
  await markDays(tx, [{ programId, day }])
  const decision = decisionOfLead({ programId, leadId, facts: { ...facts, clicks }, decidedAt: now })
  const isUnverified = settledBy === 'browser'
  const earning = {
    program,
    leadId,
    partnerId,
    clickId,
    visitorHash,
    day,
    isReportedAgain,
    isUnverified,
    settledAt: at,
  }
  await earnForLead(tx, hashKey, { ...earning, at: now }, [decision])

  const waiting = { program, customerKey, clickId, clicksOf: record, at: now }
  // Anybody can name a stranger's key in a browser: earlier sales wait until the customer is confirmed.
  if (isUnverified) await leaveWaitingSales(tx, { programId, clickId })
  else await creditWaitingSales(tx, hashKey, waiting)
  if (hasBoughtBefore) {
    // A sale by the click alone may have earned as the first of a customer who turns out to have bought before.
    onlyAlone(tx)
    await settleFirstSale(tx, hashKey, { programId, clickId, at: now })
  }
  return { outcome: 'settled', leadId, clickId, customerKey }
}
