import type { Database } from '../../../database/connect.ts'
import type { Tx } from '../../../database/transaction.ts'
import { emailChanged } from '../../../mail/program-emails.ts'
import { holdPayoutDestination } from '../../../partners/destination-holds.ts'
import { endInvitations, notifyPartner } from '../../../partners/operations/partner-access.ts'
import { listSignIns } from '../../../partners/partner-users.ts'
import { requirePayoutManage as requirePayout } from '../../../platform/access.ts'
import type { Call, Dependencies } from '../../context.ts'

export const isSameAddress = (one: string | null | undefined, other: string | null | undefined) =>
  (one ?? null)?.toLowerCase() === (other ?? null)?.toLowerCase()

/** The partner's email address controls their sign-in, and with it where the money goes. */
export const requirePayoutManage = (c: Call, db: Database | Tx, what: string) =>
  requirePayout(db, { user: c.get('user'), workspaceId: c.get('program').workspaceId }, what)

type EmailChange = { partnerId: number; before: string | null; after: string | null; at: Date }

/** Checks the permission, ends open invitations and puts the destination on hold. Returns the addresses to notify. */
export const prepareEmailChange = async (c: Call, tx: Tx, { partnerId, before, after, at }: EmailChange) => {
  if (isSameAddress(before, after)) return []
  await requirePayoutManage(c, tx, 'Changing a partner’s email address')
  const key = { programId: c.get('program').id, partnerId }
  await endInvitations(tx, { ...key, userId: c.get('user').id, reason: 'email address changed', at })
  const signIns = await listSignIns(tx, key)
  const addresses = [...(before ? [before] : []), ...signIns.map(({ email }) => email)]
  if (addresses.length > 0) await holdPayoutDestination(tx, { ...key, at })
  return addresses
}

export const notifyOfEmailChange = (
  c: Call,
  dependencies: Dependencies,
  { addresses, email }: { addresses: string[]; email: string | null },
) =>
  notifyPartner(
    { ...dependencies, db: c.get('db') },
    {
      program: c.get('program'),
      addresses,
      email: (sender) => emailChanged({ ...sender, email }),
    },
  )
