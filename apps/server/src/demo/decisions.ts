import { attributeLead, type LeadCallFacts } from '../attribution/attribute-lead.ts'
import { attributeSale, type SaleFacts } from '../attribution/attribute-sale.ts'
import type { Click, CustomerRecord } from '../attribution/candidates.ts'
import type { NewDecision } from '../explain/decisions.ts'
import type { Program } from '../programs/programs.ts'

/** What is known of a visitor in the end: every click, and since when whose customer they are for good. */
type Known = { clicks: Click[]; settledAt: Date | null }

/** The record as it stood at a moment: later clicks were not there yet, and a settled lead has fixed whose it is. */
const recordAt = ({ clicks, settledAt }: Known, at: Date): { record: CustomerRecord; clicks: Click[] } => {
  const isSettled = settledAt !== null && settledAt < at
  const byThen = clicks.filter(({ clickedAt }) => clickedAt <= at)
  const credited = byThen.findLast(({ clickedAt }) => !isSettled || clickedAt <= settledAt) ?? byThen[0]
  const [first, last] = [byThen[0], byThen.at(-1)]
  if (!credited || !first || !last) throw new Error('whoever signs up or buys in the demo has clicked before')
  const { linkId, partnerId, clickedAt: creditedClickAt } = credited
  const times = { creditedClickAt, firstClickedAt: first.clickedAt, lastClickedAt: last.clickedAt }
  return { record: { linkId, partnerId, ...times, isSettled }, clicks: byThen }
}

type Settings = Pick<Program, 'leadAuth' | 'attributionModel' | 'cookieWindowDays'>
const rulesOf = ({ leadAuth, attributionModel, cookieWindowDays }: Settings) => ({
  leadAuth,
  attributionModel,
  cookieWindowDays,
})

type Lead = { id: number; createdAt: Date; settledAt: Date | null }

/** Why a sign-up is whose it is. One that the browser told of first was decided twice. */
export const decisionsOfLead = (program: Program, { lead, known }: { lead: Lead; known: Known }): NewDecision[] => {
  const { id: leadId, createdAt, settledAt } = lead
  const isHeardTwice = settledAt !== null && settledAt > createdAt
  const decide = (call: Pick<LeadCallFacts, 'event' | 'customerKey' | 'lead' | 'at'>): NewDecision => {
    const { at } = call
    const facts: LeadCallFacts = { ...call, ...rulesOf(program), click: 'found', ...recordAt(known, at) }
    const result = attributeLead(facts)
    if (!result) throw new Error('every sign-up of the demo made a lead')
    const decision = {
      programId: program.id,
      subject: 'lead',
      subjectId: leadId,
      of: { leadId },
      rule: 'lead',
    } as const
    return { ...decision, facts, result, at }
  }
  const byBrowser = () => decide({ event: 'browser_sign_up', customerKey: 'absent', lead: 'none', at: createdAt })
  if (settledAt === null) return [byBrowser()]
  const settled = { event: 'server_lead', customerKey: 'new', at: settledAt } as const
  return isHeardTwice
    ? [byBrowser(), decide({ ...settled, lead: 'provisional' })]
    : [decide({ ...settled, lead: 'none' })]
}

type Sale = { id: number; customerKey: string | null; soldAt: Date }

/** Why a sale is whose it is, or nobody's. `known` is whom its key or the click that it named stands for. */
export const decisionOfSale = (program: Program, { sale, known }: { sale: Sale; known: Known | null }): NewDecision => {
  const { id: saleId, customerKey, soldAt } = sale
  const { attributionModel, cookieWindowDays } = program
  const facts: SaleFacts = {
    when: 'at_the_sale',
    soldAt,
    attributionModel,
    cookieWindowDays,
    customer: customerKey === null ? 'absent' : known ? 'known' : 'unknown',
    click: customerKey === null ? 'found' : 'absent',
    ...(known ? recordAt(known, soldAt) : { record: null, clicks: [] }),
  }
  const result = attributeSale(facts)
  const decision = { programId: program.id, subject: 'sale', subjectId: saleId, of: { saleId }, rule: 'sale' } as const
  return { ...decision, facts, result, at: soldAt }
}
