import {
  attributeLead,
  attributeSale,
  type Click,
  type CustomerRecord,
  type LeadCallFacts,
  type SaleFacts,
} from '../attribution/attribution.ts'
import type { NewDecision } from '../explain/decisions.ts'
import type { Program } from '../programs/programs.ts'

/** A visitor's clicks, and when a settled lead fixed their attribution. */
type VisitorHistory = { clicks: Click[]; settledAt: Date | null }

/** The customer record at a point in time: later clicks did not exist yet, and a settled lead has fixed the attribution. */
const recordAt = ({ clicks, settledAt }: VisitorHistory, at: Date): { record: CustomerRecord; clicks: Click[] } => {
  const isSettled = settledAt !== null && settledAt < at
  const clicksByThen = clicks.filter(({ clickedAt }) => clickedAt <= at)
  const credited = clicksByThen.findLast(({ clickedAt }) => !isSettled || clickedAt <= settledAt) ?? clicksByThen[0]
  const [first, last] = [clicksByThen[0], clicksByThen.at(-1)]
  if (!credited || !first || !last) throw new Error('every demo lead and sale must follow a click')
  const { linkId, partnerId, clickedAt: creditedClickAt } = credited
  const times = { creditedClickAt, firstClickedAt: first.clickedAt, lastClickedAt: last.clickedAt }
  return { record: { linkId, partnerId, ...times, isSettled }, clicks: clicksByThen }
}

type Settings = Pick<Program, 'leadAuth' | 'attributionModel' | 'cookieWindowDays'>
const attributionRules = ({ leadAuth, attributionModel, cookieWindowDays }: Settings) => ({
  leadAuth,
  attributionModel,
  cookieWindowDays,
})

type Lead = { id: number; createdAt: Date; settledAt: Date | null }

/** The decisions for a lead. A lead that the browser reported first was decided twice. */
export const decideLead = (
  program: Program,
  { lead, history }: { lead: Lead; history: VisitorHistory },
): NewDecision[] => {
  const { id: leadId, createdAt, settledAt } = lead
  const isReportedTwice = settledAt !== null && settledAt > createdAt
  const decide = (call: Pick<LeadCallFacts, 'event' | 'customerKey' | 'lead' | 'at'>): NewDecision => {
    const { at } = call
    const facts: LeadCallFacts = { ...call, ...attributionRules(program), click: 'found', ...recordAt(history, at) }
    const result = attributeLead(facts)
    if (!result) throw new Error('every demo sign-up must produce a lead')
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
  return isReportedTwice
    ? [byBrowser(), decide({ ...settled, lead: 'provisional' })]
    : [decide({ ...settled, lead: 'none' })]
}

type Sale = { id: number; customerKey: string | null; soldAt: Date }

/** The decision for a sale. `known` is the visitor its customer key or click identifies, if any. */
export const decideSale = (
  program: Program,
  { sale, history }: { sale: Sale; history: VisitorHistory | null },
): NewDecision => {
  const { id: saleId, customerKey, soldAt } = sale
  const { attributionModel, cookieWindowDays } = program
  const facts: SaleFacts = {
    when: 'at_the_sale',
    soldAt,
    attributionModel,
    cookieWindowDays,
    customer: customerKey === null ? 'absent' : history ? 'known' : 'unknown',
    click: customerKey === null ? 'found' : 'absent',
    ...(history ? recordAt(history, soldAt) : { record: null, clicks: [] }),
  }
  const result = attributeSale(facts)
  const decision = { programId: program.id, subject: 'sale', subjectId: saleId, of: { saleId }, rule: 'sale' } as const
  return { ...decision, facts, result, at: soldAt }
}
