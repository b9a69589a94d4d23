import { recordAudit } from '../../../audit/audit-log.ts'
import type { Database } from '../../../database/connect.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { rewardAnswer } from '../../../money/rewards/change-reward.ts'
import { groupTermsAt, lockTerms, type TermsOwner, termsAt } from '../../../money/rewards/reward-terms.ts'
import { findProgram, type Program } from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import type { Call, Dependencies } from '../../context.ts'

const CHANGED_MEANWHILE =
  'replaces is not the current version: someone changed these terms. Review the current terms, then save again.'

/** The default group: its terms are the program's. */
export const PROGRAM_TERMS: TermsOwner = { partnerId: null, groupId: null }

type RewardAt = { program: Program; owner: TermsOwner; at: Date }

/** The reward in effect for a partner or a group. */
export const rewardOf = async (db: Database | Tx, { program, owner: { partnerId, groupId }, at }: RewardAt) => {
  const { id: programId, currency } = program
  const terms =
    partnerId === null
      ? await groupTermsAt(db, { programId, groupId, at })
      : await termsAt(db, { programId, partnerId, at })
  const isOwn = terms !== null && (partnerId === null ? terms.groupId !== null : terms.partnerId !== null)
  return rewardAnswer(terms, { currency, own: isOwn })
}

type TermsChange = {
  owner: TermsOwner
  /** The version the caller saw, so that two concurrent changes do not overwrite each other. */
  replaces?: number | null | undefined
  write: (tx: Tx, to: TermsOwner & { programId: number; currency: string; at: Date }) => Promise<number>
}

/** Writes new terms with an audit log entry, and returns the reward in effect from then on. */
export const changeTerms = (c: Call, { clock }: Dependencies, { owner, replaces, write }: TermsChange) =>
  inTransaction(c.get('db'), async (tx) => {
    const { id: programId } = c.get('program')
    await lockTerms(tx, programId)
    // Read after locking: a currency change holds this lock too.
    const program = (await findProgram(tx, programId)) ?? c.get('program')
    const at = clock()
    const before = await rewardOf(tx, { program, owner, at })
    if (replaces !== undefined && replaces !== before.version)
      throw new Refusal('conflict', CHANGED_MEANWHILE, { field: 'replaces' })
    await write(tx, { ...owner, programId, currency: program.currency, at })
    const after = await rewardOf(tx, { program, owner, at })
    const entry = { action: 'reward terms changed', subject: subjectOf(owner), before, after }
    await recordAudit(tx, { programId, userId: c.get('user').id, ...entry, at })
    return after
  })

const subjectOf = ({ partnerId, groupId }: TermsOwner) => {
  if (partnerId !== null) return `reward terms of partner ${partnerId}`
  return groupId === null ? 'program reward terms' : `reward terms of group ${groupId}`
}
