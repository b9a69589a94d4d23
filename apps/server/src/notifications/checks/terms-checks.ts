import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { runEach } from '../../database/run-each.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type ProgramTerms, readTerms } from '../../money/rewards/program-terms.ts'
import type { StoredTerms } from '../../money/rewards/reward-terms.ts'
import type { Details } from '../details.ts'
import { notify } from '../notify.ts'

/** Per run; the next run continues. */
const MAX_CHANGES = 100
const MAX_MOVES = 500

/**
 * New reward terms, and moves to a group with other terms, for the partners whose reward differs. Found here instead of where they
 * change, because every change of terms stops new commissions until it commits. Older changes are not news.
 */
export const checkTerms = async (db: Database, at: Date) => {
  const changes = [...(await findNewTerms(db, at)), ...(await findMoves(db, at))]
  await runEach([...Map.groupBy(changes, ({ programId }) => programId)], async ([programId, all]) => {
    const terms = await readTerms(db, programId)
    for (const change of all) await announceChange(db, { change, terms, at })
  })
}

type Change = {
  programId: number
  subject: string
  what: Details['terms_changed']['what']
  validFrom: Date
  /** Null: everyone. */
  partnerId: number | null
  /** The change, and the terms before it. */
  upTo: { version?: number; moveId?: number }
  former: { version?: number; moveId?: number }
}

/** Only people who signed up before the change: the others have never seen the old terms. */
const isReader = sql`holder.created_at < changed.valid_from AND partner.status = 'approved' AND NOT partner.archived`

const READERS = sql`partner_users holder JOIN partners partner
  ON partner.program_id = holder.program_id AND partner.id = holder.partner_id`

const findNewTerms = async (db: Database, at: Date): Promise<Change[]> => {
  const { rows } = await sql<{ programId: number; version: number; partnerId: number | null; validFrom: Date }>`
    SELECT changed.program_id, changed.version, changed.partner_id, changed.valid_from FROM reward_terms changed
    WHERE changed.valid_from > ${at}::timestamptz - interval '7 days'
      AND NOT EXISTS (SELECT FROM reward_backfills backfill
        WHERE backfill.program_id = changed.program_id AND backfill.terms_version = changed.version)
      AND NOT EXISTS (SELECT FROM notifications known WHERE known.program_id = changed.program_id
        AND known.kind = 'terms_changed' AND known.subject = 'reward ' || changed.version)
    ORDER BY changed.valid_from LIMIT ${sql.lit(MAX_CHANGES)}`.execute(db)
  return rows.map(({ version, ...row }) => ({
    ...row,
    what: 'reward',
    subject: `reward ${version}`,
    upTo: { version },
    former: { version: version - 1 },
  }))
}

const findMoves = async (db: Database, at: Date): Promise<Change[]> => {
  const { rows } = await sql<{ programId: number; id: number; partnerId: number; isTier: boolean; validFrom: Date }>`
    SELECT changed.program_id, changed.id, changed.partner_id, changed.tier_group_id IS NOT NULL AS is_tier, changed.valid_from
    FROM partner_group_changes changed
    WHERE changed.valid_from > ${at}::timestamptz - interval '7 days'
      AND EXISTS (SELECT FROM ${READERS} WHERE holder.program_id = changed.program_id
        AND holder.partner_id = changed.partner_id AND ${isReader})
      AND NOT EXISTS (SELECT FROM notifications known WHERE known.program_id = changed.program_id
        AND known.kind = 'terms_changed' AND known.subject = 'move ' || changed.id)
    ORDER BY changed.valid_from LIMIT ${sql.lit(MAX_MOVES)}`.execute(db)
  return rows.map(({ id, isTier, ...row }) => ({
    ...row,
    what: isTier ? 'tier' : 'group',
    subject: `move ${id}`,
    upTo: { moveId: id },
    former: { moveId: id - 1 },
  }))
}

/** A change that no partner notices is recorded without recipients, so that it is not looked at again. */
const announceChange = async (
  db: Database,
  { change, terms, at }: { change: Change; terms: ProgramTerms; at: Date },
) => {
  const { programId, subject, what, validFrom, partnerId, upTo, former } = change
  const { rows: readers } = await sql<{ partnerId: number }>`
    SELECT DISTINCT holder.partner_id FROM (SELECT ${validFrom}::timestamptz AS valid_from) changed, ${READERS}
    WHERE holder.program_id = ${programId} ${partnerId === null ? sql`` : sql`AND holder.partner_id = ${partnerId}`}
      AND ${isReader}`.execute(db)
  const time = validFrom.getTime()
  const partnerIds = readers
    .map((reader) => reader.partnerId)
    .filter((id) => rewardIn(terms.before(id, time, former)) !== rewardIn(terms.before(id, time, upTo)))
  await inTransaction(db, (tx) =>
    notify(tx, { programId, kind: 'terms_changed', subject, details: { what }, partnerIds, at }),
  )
}

/** What a partner earns, without the version and whose terms they are. */
const rewardIn = (terms: StoredTerms | undefined) => {
  if (!terms) return 'none'
  const { leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, saleRules, currency, ...rest } =
    terms
  const { holdDays, minimumPayoutCents } = rest
  const hasAmount = leadAmountCents !== null || saleAmountCents !== null || saleRules !== null || minimumPayoutCents > 0
  return JSON.stringify([
    ...[leadAmountCents, salePercentBps, saleAmountCents, saleDuration, saleMonths, holdDays, minimumPayoutCents],
    saleRules,
    hasAmount && currency,
  ])
}
