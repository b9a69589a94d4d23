import type { Tx } from '../database/transaction.ts'
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
    programId,
    kind: 'terms_changed',
    subject: `agreement ${version}`,
    details: { what: 'agreement' },
    at,
    partnerIds: await listReaders(tx, programId),
  })
