import { createHash, randomBytes } from 'node:crypto'
import { type Application, programId as programIdText } from '@tributary/contract'
import type { Database } from '../../database/connect.ts'
import { anyOf } from '../../database/sql/columns.ts'
import type { Tx } from '../../database/transaction.ts'
import type { PartnerKey } from '../payout-details.ts'

const TWO_WEEKS_MS = 14 * 86_400_000
const TOKEN = /^(\d+)_([A-Za-z0-9_-]{32})$/

const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

type NewApplication = PartnerKey & {
  answers: Application['answers']
  websites: string[]
  country: string | null
  appliedAt: Date
}

export const addApplication = (tx: Tx, { answers, ...application }: NewApplication) =>
  tx
    .insertInto('partnerApplications')
    .values({ ...application, answers: JSON.stringify(answers) })
    .execute()

const SHOWN = ['partnerId', 'answers', 'country', 'emailConfirmedAt', 'message', 'appliedAt', 'decidedAt'] as const

/** Applications by partner ID. */
export const applicationsOf = async (db: Database | Tx, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, Application>()
  const rows = await db
    .selectFrom('partnerApplications')
    .select(SHOWN)
    .where('programId', '=', programId)
    .where('partnerId', '=', anyOf(ids))
    .execute()
  return new Map(
    rows.map(({ partnerId, answers, emailConfirmedAt, appliedAt, decidedAt, ...row }) => [
      partnerId,
      {
        ...row,
        answers: answers as Application['answers'],
        emailConfirmed: emailConfirmedAt !== null,
        appliedAt: appliedAt.toISOString(),
        decidedAt: decidedAt?.toISOString() ?? null,
      },
    ]),
  )
}

type Decision = { programId: number; ids: number[]; message: string | null; at: Date }

/** Keeps the message for the portal. Partners who were added by a member have no application, so one is created. */
export const recordDecision = async (tx: Tx, { programId, ids, message, at }: Decision) => {
  if (ids.length === 0) return
  await tx
    .insertInto('partnerApplications')
    .values(ids.map((partnerId) => ({ programId, partnerId, message, decidedAt: at, appliedAt: at })))
    .onConflict((conflict) => conflict.columns(['programId', 'partnerId']).doUpdateSet({ message, decidedAt: at }))
    .execute()
}

export const decisionMessageOf = async (db: Database, { programId, partnerId }: PartnerKey) =>
  (
    await db
      .selectFrom('partnerApplications')
      .select('message')
      .where('programId', '=', programId)
      .where('partnerId', '=', partnerId)
      .executeTakeFirst()
  )?.message ?? null

/** Returns the token for the link that confirms the applicant's address. Only its hash is stored. */
export const createConfirmation = async (tx: Tx, { programId, partnerId }: PartnerKey) => {
  const secret = randomBytes(24).toString('base64url')
  await tx
    .updateTable('partnerApplications')
    .set({ confirmationHash: hashOf(secret) })
    .where('programId', '=', programId)
    .where('partnerId', '=', partnerId)
    .execute()
  return `${programId}_${secret}`
}

/** The program that the token names; it may not exist. */
const programOfConfirmation = (token: string) => programIdText.safeParse(TOKEN.exec(token)?.[1]).data ?? null

/** Marks the address as confirmed, also when the link is opened again. Null for a wrong or expired token. */
export const confirmEmail = async (tx: Tx, { token, at }: { token: string; at: Date }) => {
  const programId = programOfConfirmation(token)
  const [, , secret = ''] = TOKEN.exec(token) ?? []
  if (programId === null) return null
  const application = await tx
    .updateTable('partnerApplications')
    .set({ emailConfirmedAt: at })
    .where('programId', '=', programId)
    .where('confirmationHash', '=', hashOf(secret))
    .where('appliedAt', '>', new Date(at.getTime() - TWO_WEEKS_MS))
    .returning(['programId', 'partnerId', 'websites', 'country'])
    .executeTakeFirst()
  return application ?? null
}
