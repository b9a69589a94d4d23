import type { Tx } from '../database/transaction.ts'
import { allTermsAt, type StoredTerms } from '../money/rewards/reward-terms.ts'
import { notify } from './notify.ts'

/** Approved partners who can sign in; the others get no notifications. */
const listReaders = async (tx: Tx, programId: number) => {
  const rows = await tx
    .selectFrom('partnerUsers')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'partnerUsers.programId')
        .onRef('partners.id', '=', 'partnerUsers.partnerId'),
    )
    .select('partners.id')
    .distinct()
    .where('partners.programId', '=', programId)
    .where('partners.status', '=', 'approved')
    .where('partners.archived', '=', false)
    .orderBy('partners.id')
    .execute()
  return rows.map(({ id }) => id)
}

type Agreement = { programId: number; version: number; at: Date }

export const announceAgreement = async (tx: Tx, { programId, version, at }: Agreement) =>
  notify(tx, {
    ...{ programId, kind: 'terms_changed', subject: `agreement ${version}`, details: { what: 'agreement' }, at },
    partnerIds: await listReaders(tx, programId),
  })

/** What a partner earns, without the version and whose terms they are. */
const rewardIn = (terms: StoredTerms | null) => {
  if (!terms) return 'none'
  const { leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, currency, ...rest } = terms
  const { holdDays, minimumPayoutCents } = rest
  const hasAmount = leadAmountCents !== null || saleAmountCents !== null || minimumPayoutCents > 0
  return JSON.stringify([
    ...[leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays, minimumPayoutCents],
    hasAmount && currency,
  ])
}

/** The reward of every partner with a sign-in. Compare it with `announceRewards` after a change of terms. */
export const readRewards = async (tx: Tx, { programId, at }: { programId: number; at: Date }) => {
  const ids = await listReaders(tx, programId)
  const terms = await allTermsAt(
    tx,
    ids.map((partnerId) => ({ programId, partnerId, at })),
  )
  return new Map(ids.map((id, index) => [id, rewardIn(terms[index] ?? null)]))
}

type Change = { programId: number; version: number; before: Map<number, string>; at: Date }

/** Tells the partners whose reward differs, not those with custom terms or in a group with its own. */
export const announceRewards = async (tx: Tx, { programId, version, before, at }: Change) => {
  const after = await readRewards(tx, { programId, at })
  const partnerIds = [...after].filter(([id, reward]) => reward !== before.get(id)).map(([id]) => id)
  if (partnerIds.length === 0) return
  await notify(tx, {
    ...{ programId, kind: 'terms_changed', subject: `reward ${version}`, details: { what: 'reward' }, partnerIds, at },
  })
}
