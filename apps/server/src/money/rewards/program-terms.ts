import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { StoredTerms, TermsOwner } from './reward-terms.ts'
import type { Terms } from './rewards.ts'

type VersionedTerms = StoredTerms & { inherits: boolean }

export type ProgramTerms = Awaited<ReturnType<typeof readTerms>>

/** Terms that replace those of their owner in a lookup. */
type ProposedTerms = { groupId: number | null; terms: Terms }

/** Ignores later versions and moves, even those of the same millisecond. */
type UpTo = { version?: number; moveId?: number }

/** All terms of a program, with lookups by date and by version. */
export const readTerms = async (tx: Database | Tx, programId: number) => {
  const all = (await tx
    .selectFrom('rewardTerms')
    .selectAll()
    .where('programId', '=', programId)
    .orderBy('version', 'desc')
    .execute()) as VersionedTerms[]
  const groupAt = await readGroups(tx, programId)
  const byVersion = new Map(all.map((terms) => [terms.version, terms]))
  const byOwner = Map.groupBy(all, keyOf)
  const latest = (owner: TermsOwner, time: number, upTo = Infinity) => {
    const terms = byOwner
      .get(keyOf(owner))
      ?.find(({ validFrom, version }) => validFrom.getTime() <= time && version <= upTo)
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
  /** Like `at`, as if nothing had changed after `upTo`. */
  const before = (partnerId: number, time: number, { version, moveId }: UpTo): StoredTerms | undefined => {
    const groupId = groupAt(partnerId, time, moveId)
    const owners = [{ partnerId, groupId: null }, ...(groupId === null ? [] : [{ partnerId: null, groupId }]), NEITHER]
    for (const owner of owners) {
      const terms = latest(owner, time, version)
      if (terms) return terms
    }
    return undefined
  }
  return { none: all.length === 0, ofVersion: (version: number) => byVersion.get(version), at, before }
}

const NEITHER: TermsOwner = { partnerId: null, groupId: null }

const keyOf = ({ partnerId, groupId }: TermsOwner) => `${partnerId} ${groupId}`

/** The group of a partner at a time; null for partners who were never moved. */
const readGroups = async (tx: Database | Tx, programId: number) => {
  const changes = await tx
    .selectFrom('partnerGroupChanges')
    .select(['id', 'partnerId', 'groupId', 'validFrom'])
    .where('programId', '=', programId)
    .orderBy('id', 'desc')
    .execute()
  const byPartner = Map.groupBy(changes, ({ partnerId }) => partnerId)
  return (partnerId: number, time: number, upTo = Infinity) =>
    byPartner.get(partnerId)?.find(({ id, validFrom }) => validFrom.getTime() <= time && id <= upTo)?.groupId ?? null
}
