import type { SelfReferralMatch } from '@tributary/contract'
import { sql } from 'kysely'
import { columnsOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'

type Suspected = {
  programId: number
  partnerId: number
  clickId: string
  reward: { selfReferral: SelfReferralMatch[] }
}

/**
 * Leaves out the matches that a member has approved for the same customer and partner before, so that a false positive is released
 * once, not with every renewal.
 */
export const withoutReleased = async (tx: Tx, suspected: Suspected[]) => {
  if (suspected.length === 0) return
  const column = columnsOf(suspected.map(({ programId, partnerId, clickId }) => ({ programId, partnerId, clickId })))
  const { rows } = await sql<{ position: number; matches: SelfReferralMatch[] }>`
    SELECT position, review.matches
    FROM unnest(${column('programId', 'integer')}, ${column('partnerId', 'integer')}, ${column('clickId', 'text')})
      WITH ORDINALITY AS input(program_id, partner_id, click_id, position)
    CROSS JOIN LATERAL (
      SELECT earned.* FROM sales
      JOIN commissions earned ON earned.program_id = sales.program_id AND earned.sale_id = sales.id
      WHERE sales.program_id = input.program_id AND sales.click_id = input.click_id
      UNION ALL
      SELECT earned.* FROM leads
      JOIN commissions earned ON earned.program_id = leads.program_id AND earned.lead_id = leads.id
      WHERE leads.program_id = input.program_id AND leads.click_id = input.click_id) earned
    JOIN commission_reviews review ON review.program_id = earned.program_id AND review.commission_id = earned.id
    WHERE earned.partner_id = input.partner_id AND review.decision = 'released' AND review.decided_by IS NOT NULL`.execute(
    tx,
  )
  for (const { position, matches } of rows) {
    const reward = suspected[position - 1]?.reward
    if (reward) reward.selfReferral = reward.selfReferral.filter((match) => !matches.includes(match))
  }
}
