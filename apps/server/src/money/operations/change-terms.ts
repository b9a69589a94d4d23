import type { RewardAnswer, RewardInEffect, RewardRequest } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { changeReward, endCustomReward, rewardAnswer } from '../rewards/change-reward.ts'
import { findWarnings } from '../rewards/find-warnings.ts'
import { groupTermsAt, lockTerms, type TermsOwner, termsAt } from '../rewards/reward-terms.ts'

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

/** The same with what is wrong with its rules. */
export const rewardInEffect = async (db: Database | Tx, input: RewardAt): Promise<RewardInEffect> => {
  const reward = await rewardOf(db, input)
  return {
    ...reward,
    warnings: await findWarnings(db, { programId: input.program.id, rules: reward.sale?.rules ?? [] }),
  }
}

export type TermsChange = {
  program: Program
  clock: Clock
  audit: Audit
  owner: TermsOwner
}

type Written = {
  /** The version the caller saw, so that two concurrent changes do not overwrite each other. */
  replaces?: number | null | undefined
  write: (tx: Tx, to: TermsOwner & { programId: number; currency: string; at: Date }) => Promise<number>
}

/** Writes new terms with an audit log entry, and returns the reward in effect from then on. */
const changeTerms = async (tx: Tx, { owner, replaces, write, clock, audit, ...change }: TermsChange & Written) => {
  const { id: programId } = change.program
  await lockTerms(tx, programId)
  // Read after locking: a currency change holds this lock too.
  const program = (await findProgram(tx, programId)) ?? change.program
  const at = clock()
  const before = await rewardOf(tx, { program, owner, at })
  if (replaces !== undefined && replaces !== before.version)
    throw new Refusal('conflict', CHANGED_MEANWHILE, { field: 'replaces' })
  await write(tx, { ...owner, programId, currency: program.currency, at })
  const { warnings, ...after } = await rewardInEffect(tx, { program, owner, at })
  await audit(tx, {
    action: 'reward terms changed',
    subject: subjectOf(owner),
    before: toAudit(before),
    after: toAudit(after),
    at,
  })
  return { ...after, warnings }
}

/** One rule that today's fields describe is not repeated as a list. */
export const toAudit = ({ sale, ...reward }: RewardAnswer) => {
  const { rules, ...simple } = sale ?? { rules: [] }
  return { ...reward, sale: sale && (simple.duration === undefined ? { rules } : simple) }
}

/** Sets the terms of a program, a partner or a group. */
export const setTerms = (tx: Tx, { request, ...change }: TermsChange & { request: RewardRequest }) =>
  changeTerms(tx, {
    ...change,
    replaces: request.replaces,
    write: (to, terms) => changeReward(to, { ...terms, request }),
  })

/** Returns a partner to their group's terms, or a group to the default group's. */
export const endTerms = (tx: Tx, change: TermsChange) => changeTerms(tx, { ...change, write: endCustomReward })

const subjectOf = ({ partnerId, groupId }: TermsOwner) => {
  if (partnerId !== null) return `reward terms of partner ${partnerId}`
  return groupId === null ? 'program reward terms' : `reward terms of group ${groupId}`
}
