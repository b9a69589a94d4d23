import type { Tx } from '../../database/transaction.ts'
import type { StoredTerms } from './reward-terms.ts'

type VersionedTerms = StoredTerms & { partnerId: number | null; inherits: boolean }

export type ProgramTerms = Awaited<ReturnType<typeof readTerms>>

/** All terms of a program, and which of them held when. */
export const readTerms = async (tx: Tx, programId: number) => {
  const all = (await tx
    .selectFrom('rewardTerms')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .execute()) as VersionedTerms[]
  const byVersion = new Map(all.map((terms) => [terms.version, terms]))
  const latest = (partnerId: number | null, at: number) =>
    all.find((terms) => terms.partnerId === partnerId && terms.validFrom.getTime() <= at)
  const at = (partnerId: number, moment: number) => {
    const own = latest(partnerId, moment)
    return own && !own.inherits ? own : latest(null, moment)
  }
  return { none: all.length === 0, ofVersion: (version: number) => byVersion.get(version), at }
}
