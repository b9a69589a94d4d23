import type { Tx } from '../../database/transaction.ts'
import type { StoredTerms, TermsOwner } from './reward-terms.ts'
import type { Terms } from './rewards.ts'

type VersionedTerms = StoredTerms & { inherits: boolean }

export type ProgramTerms = Awaited<ReturnType<typeof readTerms>>

/** Terms that replace those of their owner in a lookup. */
type ProposedTerms = { groupId: number | null; terms: Terms }

/** All terms of a program, with lookups by date and by version. */
export const readTerms = async (tx: Tx, programId: number) => {
  const all = (await tx
    .selectFrom('rewardTerms')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .execute()) as VersionedTerms[]
  const groupAt = await readGroups(tx, programId)
  const byVersion = new Map(all.map((terms) => [terms.version, terms]))
  const byOwner = Map.groupBy(all, keyOf)
  const latest = (owner: TermsOwner, time: number) => {
    const terms = byOwner.get(keyOf(owner))?.find(({ validFrom }) => validFrom.getTime() <= time)
    return terms?.inherits ? undefined : terms
  }
  /** The partner's custom terms, else those of the group they were in, else the default group's. `termsOfEvent` is the same in SQL. */
  const at = (partnerId: number, time: number, proposed?: ProposedTerms): Terms | undefined => {
    const groupId = groupAt(partnerId, time)
    const ofGroup = (id: number | null) =>
      proposed && proposed.groupId === id ? proposed.terms : latest({ partnerId: null, groupId: id }, time)
    return (
      latest({ partnerId, groupId: null }, time) ?? (groupId === null ? undefined : ofGroup(groupId)) ?? ofGroup(null)
    )
  }
  return { none: all.length === 0, ofVersion: (version: number) => byVersion.get(version), at }
}

const keyOf = ({ partnerId, groupId }: TermsOwner) => `${partnerId} ${groupId}`

/** The group of a partner at a time; null for partners who were never moved. */
const readGroups = async (tx: Tx, programId: number) => {
  const changes = await tx
    .selectFrom('partnerGroupChanges')
    .select(['partnerId', 'groupId', 'validFrom'])
    .where('programId', '=', programId)
    .orderBy('id', 'desc')
    .execute()
  const byPartner = Map.groupBy(changes, ({ partnerId }) => partnerId)
  return (partnerId: number, time: number) =>
    byPartner.get(partnerId)?.find(({ validFrom }) => validFrom.getTime() <= time)?.groupId ?? null
}
