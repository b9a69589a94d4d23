import { ACTION_WORDS, type AuditQuery } from '@tributary/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { type Page, pageOf } from '../database/sql/pages.ts'
import { containing, directionOf } from '../database/sql/sorting.ts'
import { nameOf, usersById } from '../database/sql/users-by-id.ts'
import type { Tx } from '../database/transaction.ts'
import { subjectNameOfEntry, withPartnerNames } from './entry-names.ts'

/** Members and invitations belong to a workspace, everything else to a program. */
type Scope = { programId: number } | { workspaceId: string }

type Entry = Scope & {
  /** Null when the service made the change. */
  userId: string | null
  /** The partner who made the change in the portal. */
  byPartnerId?: number
  action: string
  subject: string
  before?: unknown
  after?: unknown
  at: Date
}

/** Records who changed what, in the transaction of the change. Entries are append-only. */
export const recordAudit = async (tx: Tx, { before, after, at, ...entry }: Entry) => {
  await tx
    .insertInto('auditEntries')
    .values({ ...entry, before: asJson(before), after: asJson(after), createdAt: at })
    .execute()
}

const asJson = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

type AuditFilter = { programId: number; workspaceId: string } & Omit<AuditQuery, 'page' | 'pageSize'>

const filteredEntries = (db: Database, { programId, workspaceId, userId, search, sort }: AuditFilter) =>
  db
    .selectFrom('auditEntries')
    .select(['id', 'userId', 'action', 'subject', 'before', 'after', 'createdAt'])
    .select([partnerOfEntry.as('partnerName'), subjectNameOfEntry.as('subjectName')])
    .select((e) => e('byPartnerId', 'is not', null).$castTo<boolean>().as('byPartner'))
    .where((e) => e.or([e('programId', '=', programId), e('workspaceId', '=', workspaceId)]))
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
    .$if(search !== undefined, (query) =>
      query.where((e) =>
        e.or(
          ['action' as const, 'subject' as const, shownAction, shownSubject, partnerOfEntry].map((text) =>
            e(text, 'ilike', containing(search ?? '')),
          ),
        ),
      ),
    )
    // IDs are assigned in the order of insertion, which is the order in time.
    .$if(sort.endsWith('action'), (query) => query.orderBy(shownAction, directionOf(sort)))
    .orderBy('id', directionOf(sort))

export const listAudit = async (db: Database, { page, pageSize, ...filter }: AuditFilter & Page) => {
  const list = await pageOf(filteredEntries(db, filter), { page, pageSize })
  const named = await withPartnerNames(db, filter.programId, list.rows)
  return { ...list, rows: await withUserNames(db, named) }
}

const withUserNames = async <Row extends { userId: string | null }>(db: Database, rows: Row[]) => {
  const users = await usersById(
    db,
    rows.map(({ userId }) => userId),
  )
  return rows.map((row) => ({ ...row, userName: nameOf(users, row.userId) }))
}

type AuditCursor = AuditFilter & { last: { id: number } | undefined; limit: number }

/** The entries after `last`, for the export. */
export const listAuditAfter = async (db: Database, { last, limit, ...filter }: AuditCursor) => {
  const comparison = sql.raw(directionOf(filter.sort) === 'asc' ? '>' : '<')
  const isAfterCursor = filter.sort.endsWith('action')
    ? sql<boolean>`(${shownAction}, id) ${comparison} (SELECT ${shownAction}, id FROM audit_entries WHERE id = ${last?.id})`
    : sql<boolean>`id ${comparison} ${last?.id}`
  const rows = await filteredEntries(db, filter)
    .$if(last !== undefined, (query) => query.where(isAfterCursor))
    .limit(limit)
    .execute()
  return withUserNames(db, rows)
}

type Fields = Record<string, unknown>

/** Returns only the fields that differ, or null if none do. An undefined value means "no change". */
export const changedFields = (before: Fields, after: Fields) => {
  const isChanged = (name: string) =>
    after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const names = Object.keys(after).filter(isChanged)
  if (names.length === 0) return null
  const only = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/** The action and subject in the words of the dashboard, which people search and sort by. */
const shownAction = sql<string>`CASE
  WHEN action <> 'partner changed' OR coalesce(after ->> 'status', 'pending') = 'pending'
    THEN coalesce(${JSON.stringify(ACTION_WORDS)}::jsonb ->> action, action)
  WHEN after ->> 'status' = 'approved' AND before ->> 'status' = 'suspended' THEN 'partner reinstated'
  ELSE 'partner ' || (after ->> 'status') END`
const shownSubject = sql<string>`regexp_replace(subject, '^payout line ', 'payment ')`

const number = sql`substring(audit_entries.subject from '([0-9]+)$')::bigint`

/**
 * The current name of the partner that an entry is about; entries store only the ID because names change. The subquery finds the ID once
 * per entry, not once per partner.
 */
const partnerOfEntry = sql<string | null>`(
  SELECT name FROM partners WHERE partners.program_id = audit_entries.program_id AND partners.id = (SELECT CASE
    WHEN audit_entries.subject ~ '^(reward (terms )?of )?partner [0-9]+$' THEN ${number}
    WHEN audit_entries.subject LIKE 'link %' THEN (
      SELECT partner_id FROM referral_links WHERE referral_links.program_id = audit_entries.program_id AND referral_links.aff = substr(audit_entries.subject, 6))
    WHEN audit_entries.subject ~ '^commission [0-9]+$' THEN (
      SELECT partner_id FROM commissions WHERE commissions.program_id = audit_entries.program_id AND commissions.id = ${number})
    WHEN audit_entries.subject ~ '^adjustment [0-9]+$' THEN (
      SELECT partner_id FROM adjustments WHERE adjustments.program_id = audit_entries.program_id AND adjustments.id = ${number})
    WHEN audit_entries.subject ~ '^payout line [0-9]+$' THEN (
      SELECT partner_id FROM payout_lines WHERE payout_lines.program_id = audit_entries.program_id AND payout_lines.id = ${number})
  END))`
