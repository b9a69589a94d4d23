import type { Tx } from '../../database/transaction.ts'
import type { StoredTerms } from './reward-terms.ts'

type VersionedTerms = StoredTerms & { partnerId: number | null; inherits: boolean }

export type ProgramTerms = Awaited<ReturnType<typeof readTerms>>

/** All terms of a program, with lookups by date and by version. */
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
  const at = (partnerId: number, time: number) => {
    const custom = latest(partnerId, time)
    return custom && !custom.inherits ? custom : latest(null, time)
  }
  return { none: all.length === 0, ofVersion: (version: number) => byVersion.get(version), at }
}
