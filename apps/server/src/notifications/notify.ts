import { isTeamKind, ROLES, type SummaryFrequency, TEAM_NOTIFICATIONS } from '@tributary/contract'
import { sql } from 'kysely'
import { roleHasPermission } from '../accounts/roles.ts'
import { anyOf, anyOfTexts } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import type { Fact } from './details.ts'

type Notification = Fact & {
  programId: number
  /** What it is about, with the period if it recurs. A second notification about the same is dropped. */
  subject: string
  /** For a kind that partners get. */
  partnerIds?: number[]
  /** For a summary: only those who want it this often. */
  frequency?: SummaryFrequency
  at: Date
}

/**
 * Announces a fact to everyone who may and wants to know, in the transaction that causes it. Costs up to four statements; emails are sent
 * later.
 */
export const notify = async (tx: Tx, { programId, kind, subject, details, at, ...audience }: Notification) => {
  const created = await tx
    .insertInto('notifications')
    .values({ programId, kind, subject, details: JSON.stringify(details), createdAt: at })
    .onConflict((conflict) => conflict.columns(['programId', 'kind', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!created) return
  const people = isTeamKind(kind)
    ? await membersFor(tx, { programId, kind })
    : partnersFor(programId, audience.partnerIds ?? [])
  const often = audience.frequency
  await sql`
    INSERT INTO notification_recipients (program_id, notification_id, user_id, in_app, mail, mail_at)
    SELECT ${programId}, ${created.id}, person.user_id, coalesce(choice.app, true),
      CASE WHEN coalesce(choice.mail, true) THEN 'waiting' END, CASE WHEN coalesce(choice.mail, true) THEN ${at}::timestamptz END
    FROM (${people}) person
    LEFT JOIN notification_preferences choice
      ON choice.program_id = ${programId} AND choice.user_id = person.user_id AND choice.kind = ${kind}
    WHERE (coalesce(choice.app, true) OR coalesce(choice.mail, true))
      ${often ? sql`AND coalesce(choice.frequency, ${DEFAULT_FREQUENCY}) = ${often}` : sql``}`.execute(tx)
}

export const DEFAULT_FREQUENCY: SummaryFrequency = 'monthly'

/** Roles that get a kind of notification. */
export const rolesFor = (kind: keyof typeof TEAM_NOTIFICATIONS) =>
  ROLES.filter((role) => roleHasPermission(role, TEAM_NOTIFICATIONS[kind]))

type Team = { programId: number; kind: keyof typeof TEAM_NOTIFICATIONS }

const membersFor = async (tx: Tx, { programId, kind }: Team) => {
  const program = await tx.selectFrom('programs').select('workspaceId').where('id', '=', programId).executeTakeFirst()
  const members = await tx
    .selectFrom('members')
    .select('userId')
    .where('organizationId', '=', program?.workspaceId ?? '')
    .where('role', '=', anyOfTexts(rolesFor(kind)))
    .execute()
  return sql`SELECT unnest(${members.map(({ userId }) => userId)}::text[]) AS user_id`
}

const partnersFor = (programId: number, partnerIds: number[]) => sql`
  SELECT holder.user_id FROM partner_users holder
  WHERE holder.program_id = ${programId} AND holder.partner_id = ${anyOf(partnerIds)}`
