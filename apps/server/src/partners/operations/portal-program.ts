import { type Agreement, isOnWebsites } from '@tributary/contract'
import { requiresTwoFactor } from '../../accounts/workspaces.ts'
import { listAccessChanges } from '../../audit/access-changes.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { rewardAnswer } from '../../money/rewards/change-reward.ts'
import { termsAt } from '../../money/rewards/reward-terms.ts'
import type { Partner } from '../../platform/actor.ts'
import { findAgreement } from '../../programs/agreements.ts'
import { brandOf } from '../../programs/branding.ts'
import type { Program } from '../../programs/programs.ts'
import { findTierProgress } from '../../tracking/groups/tier-progress.ts'
import { lastAcceptance } from '../agreement-acceptances.ts'
import { decisionMessageOf } from '../applications/applications.ts'
import { findGroupOfPartner } from '../group-changes.ts'
import type { PartnerKey } from '../payout-details.ts'

/** The version in force, and what the partner accepted. */
export const acceptanceOf = async (db: Database | Tx, { agreement, ...key }: PartnerKey & { agreement: Agreement }) => {
  const accepted = await lastAcceptance(db, key)
  return {
    version: agreement.version,
    acceptedVersion: accepted?.version ?? null,
    acceptedAt: accepted?.acceptedAt ?? null,
  }
}

/** Only what a partner may see of a program. */
export const portalProgram = async (db: Database, program: Program, partner: Partner, at: Date) => {
  const { partnerId, name, code, status, archived } = partner
  const key = { programId: program.id, partnerId }
  const terms = await termsAt(db, { ...key, at })
  const group = await findGroupOfPartner(db, key)
  const agreement = await findAgreement(db, program.id)
  const isDecided = status === 'approved' || status === 'rejected'
  return {
    programId: program.id,
    ...(await brandOf(db, program)),
    currency: program.currency,
    timezone: program.timezone,
    websites: program.websites,
    partnerId,
    name,
    code,
    status,
    archived,
    requireTwoFactor: await requiresTwoFactor(db, program.workspaceId),
    mayCreateLinks: program.partnersCreateLinks && status === 'approved' && !archived,
    mayRequestCodes: program.partnersRequestCodes && status === 'approved' && !archived,
    reward: rewardAnswer(terms, { currency: program.currency, own: false }),
    landingPages: (group?.landingPages ?? []).filter((page) => isOnWebsites(page, program.websites)),
    // Custom terms override every group's, so a tier would change nothing.
    tier: group && terms?.partnerId == null ? await findTierProgress(db, { program, partnerId, group, at }) : null,
    agreement: agreement && (await acceptanceOf(db, { ...key, agreement })),
    decisionMessage: isDecided ? await decisionMessageOf(db, key) : null,
    accessChanges: await listAccessChanges(db, { ...key, at }),
  }
}
