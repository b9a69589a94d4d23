import {
  isTeamKind,
  type NotificationChoice,
  type NotificationKind,
  type Role,
  type SummaryFrequency,
  TEAM_KINDS,
} from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { DEFAULT_FREQUENCY, rolesFor } from './notify.ts'

type TeamKind = (typeof TEAM_KINDS)[number]
type Person = { programId: number; userId: string }

const rowsOf = (db: Database | Tx, { programId, userId }: Person) =>
  db
    .selectFrom('notificationPreferences')
    .select(['kind', 'mail', 'app', 'frequency'])
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .execute()

/** The kinds that a member with this role gets. */
export const kindsFor = (role: Role) => TEAM_KINDS.filter((kind) => rolesFor(kind).includes(role))

/** Everything is on until someone turns it off. */
export const findPreferences = async <Kind extends NotificationKind>(
  db: Database | Tx,
  { kinds, ...person }: Person & { kinds: readonly Kind[] },
) => {
  const rows = new Map((await rowsOf(db, person)).map((row) => [row.kind, row]))
  const summary = (rows.get('summary')?.frequency ?? DEFAULT_FREQUENCY) as SummaryFrequency
  const choices = kinds.map((kind) => {
    const { mail = true, app = true } = rows.get(kind) ?? {}
    return { kind, mail, app }
  })
  return { kinds: choices, summary }
}

type Change = Person & { kinds: NotificationChoice[]; summary?: SummaryFrequency | undefined }

export const changePreferences = async (tx: Tx, { programId, userId, kinds, summary }: Change) => {
  for (const { kind, mail, app } of kinds)
    await tx
      .insertInto('notificationPreferences')
      .values({ programId, userId, kind, mail, app })
      .onConflict((conflict) => conflict.columns(['programId', 'userId', 'kind']).doUpdateSet({ mail, app }))
      .execute()
  if (!summary) return
  await tx
    .insertInto('notificationPreferences')
    .values({ programId, userId, kind: 'summary', mail: true, app: true, frequency: summary })
    .onConflict((conflict) => conflict.columns(['programId', 'userId', 'kind']).doUpdateSet({ frequency: summary }))
    .execute()
}

/** Turns off the emails of one kind. Repeating it changes nothing. */
export const stopMail = (db: Database, { programId, userId, kind }: Person & { kind: NotificationKind }) =>
  db
    .insertInto('notificationPreferences')
    .values({ programId, userId, kind, mail: false, app: true })
    .onConflict((conflict) => conflict.columns(['programId', 'userId', 'kind']).doUpdateSet({ mail: false }))
    .execute()

/** Whether the person may and wants to get the email now: roles, sign-ins and preferences change while it waits. */
export const stillWantsMail = async (
  db: Database,
  { programId, userId, kind }: Person & { kind: NotificationKind },
) => {
  const row = (await rowsOf(db, { programId, userId })).find((each) => each.kind === kind)
  if (row && !row.mail) return false
  if (isTeamKind(kind)) return isMemberFor(db, { programId, userId, kind })
  const partner = await db
    .selectFrom('partnerUsers')
    .select('partnerId')
    .where('programId', '=', programId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return partner !== undefined
}

const isMemberFor = async (db: Database, { programId, userId, kind }: Person & { kind: TeamKind }) => {
  const program = await db.selectFrom('programs').select('workspaceId').where('id', '=', programId).executeTakeFirst()
  if (!program) return false
  const member = await db
    .selectFrom('members')
    .select('role')
    .where('organizationId', '=', program.workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return member !== undefined && rolesFor(kind).includes(member.role as Role)
}
