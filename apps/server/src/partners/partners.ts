import { randomBytes } from 'node:crypto'
import {
  type changePartnerRequest,
  codeFromName,
  type createPartnerRequest,
  type PartnerStatus,
} from '@tributary/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import { anyOf } from '../database/sql/columns.ts'
import type { Tx } from '../database/transaction.ts'
import { changing, creating } from '../outbox/publish-changes.ts'
import { Refusal } from '../refusal.ts'
import { lockCode, ownerOfCode, partnerOfSimilarCode, registerCode, reserveFormerCode } from './former-codes.ts'
import './partner-events.ts'
import { similarLinks } from './referral-links.ts'

const COLUMNS = ['id', 'name', 'email', 'code', 'status', 'archived', 'createdAt'] as const
type WithStatus = { status: PartnerStatus }
const ATTEMPTS = 5

/** Codes and addresses are checked before they are written, so writes to a program's partners are serialized. */
const lockPartners = (tx: Tx, programId: number) =>
  tx.selectFrom('programs').select('id').where('id', '=', programId).forNoKeyUpdate().execute()

/** Serializes changes to what belongs to the partner. */
export const lockPartner = (tx: Tx, { programId, partnerId }: { programId: number; partnerId: number }) =>
  tx
    .selectFrom('partners')
    .select('id')
    .where('programId', '=', programId)
    .where('id', '=', partnerId)
    .forNoKeyUpdate()
    .executeTakeFirst()

type NewPartner = Omit<z.infer<typeof createPartnerRequest>, 'groupId' | 'createLink'> & {
  programId: number
  createdAt: Date
}

/** A requested code is refused if taken; a generated one is regenerated. */
export const createPartner = async (tx: Tx, { code, ...partner }: NewPartner) => {
  const { programId, name, email } = partner
  await lockPartners(tx, programId)
  if (code !== undefined) await lockCode(tx, code)
  if (email) await refuseTakenEmail(tx, { programId, email })
  if (code !== undefined && (await ownerOfCode(tx, { programId, code })) !== null) throw codeTaken()
  const given = code ?? (await freeCode(tx, { programId, name }))
  const created = await creating(tx, 'partner', { programId, at: partner.createdAt }, (writer) =>
    writer
      .insertInto('partners')
      .values({ ...partner, code: given })
      .returning(COLUMNS)
      .$narrowType<WithStatus>()
      .executeTakeFirstOrThrow(),
  )
  const { id: partnerId, createdAt: since } = created
  await registerCode(tx, { programId, partnerId, code: given, since })
  return created
}

const freeCode = async (tx: Tx, { programId, name }: { programId: number; name: string }) => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const code = generateCode(name, attempt)
    await lockCode(tx, code)
    if ((await ownerOfCode(tx, { programId, code })) === null && (await isFreeAsAff(tx, code))) return code
  }
  throw codeTaken()
}

/** Other programs may have the code, but then it would not work as an `aff` value. */
const isFreeAsAff = async (tx: Tx, code: string) =>
  (await partnerOfSimilarCode(tx, code)) === null && (await similarLinks(tx, code)).length === 0

const codeTaken = () =>
  new Refusal('conflict', 'Another partner of this program has or had this code. Choose a different one.', {
    field: 'code',
  })

const refuseTakenEmail = async (tx: Tx, { programId, email }: { programId: number; email: string }) => {
  const owner = await tx
    .selectFrom('partners')
    .select(['name', 'archived'])
    .where('programId', '=', programId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  if (!owner) return
  const known = owner.archived ? `${owner.name}, who is archived` : owner.name
  throw new Refusal('conflict', `This email address belongs to another partner of the program: ${known}.`, {
    field: 'email',
  })
}

type PartnerId = { programId: number; id: number }
type Change = Omit<z.infer<typeof changePartnerRequest>, 'groupId'> & PartnerId & { at: Date }

/** Returns the partner before and after the change. */
export const changePartner = async (tx: Tx, { programId, id, at, ...change }: Change) => {
  const { code, email } = change
  if (code !== undefined || email) await lockPartners(tx, programId)
  if (code !== undefined) await lockCode(tx, code)
  const writer = await changing(tx, 'partner', { programId, ids: [id], at })
  const before = await tx
    .selectFrom('partners')
    .select(COLUMNS)
    .where('programId', '=', programId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return null
  if (email && email.toLowerCase() !== before.email?.toLowerCase()) await refuseTakenEmail(tx, { programId, email })
  if (code !== undefined && code !== before.code) {
    if (![null, id].includes(await ownerOfCode(tx, { programId, code }))) throw codeTaken()
    await reserveFormerCode(tx, { programId, partnerId: id, old: before.code, next: code, at })
  }
  const after = await writer
    .updateTable('partners')
    .set((expression) => ({ id: expression.ref('id'), ...change }))
    .where('programId', '=', programId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .$narrowType<WithStatus>()
    .executeTakeFirstOrThrow()
  return { before, after }
}

type Decision = { programId: number; ids: number[]; status: 'approved' | 'rejected'; at: Date }

/** Decides on the pending partners among these and returns them. Locked in order, so that two decisions do not deadlock. */
export const decidePending = async (tx: Tx, { programId, ids, status, at }: Decision) => {
  const pending = await tx
    .selectFrom('partners')
    .select('id')
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'pending')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (pending.length === 0) return []
  const writer = await changing(tx, 'partner', { programId, ids: pending.map(({ id }) => id), at })
  return writer
    .updateTable('partners')
    .set({ status })
    .where('programId', '=', programId)
    .where('id', '=', anyOf(pending.map(({ id }) => id)))
    .returning(COLUMNS)
    .execute()
}

export const partnerExists = async (db: Database | Tx, { programId, id }: { programId: number; id: number }) =>
  Boolean(
    await db
      .selectFrom('partners')
      .select('id')
      .where('programId', '=', programId)
      .where('id', '=', id)
      .executeTakeFirst(),
  )

/** Only approved partners who are not archived count for `hasPartners`. */
export const hasApprovedPartner = async (db: Database, programId: number) =>
  Boolean(
    await db
      .selectFrom('partners')
      .select('id')
      .where('programId', '=', programId)
      .where('status', '=', 'approved')
      .where('archived', '=', false)
      .limit(1)
      .executeTakeFirst(),
  )

/** Statuses by partner ID. */
export const statusesOf = async (db: Database | Tx, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, PartnerStatus>()
  const rows = await db
    .selectFrom('partners')
    .select(['id', 'status'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status as PartnerStatus]))
}

type Contact = { name: string; email: string | null; code: string; archived: boolean }

/** Contact details by partner ID, for payouts. */
export const contactsOf = async (db: Database | Tx, { programId, ids }: { programId: number; ids: number[] }) => {
  if (ids.length === 0) return new Map<number, Contact>()
  const rows = await db
    .selectFrom('partners')
    .select(['id', 'name', 'email', 'code', 'archived'])
    .where('programId', '=', programId)
    .where('id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ id, ...contact }) => [id, contact]))
}

/** "Ada Lovelace" becomes `ada-lovelace`, with a random suffix after the first attempt. */
export const generateCode = (name: string, attempt: number) => {
  const code = codeFromName(name)
  const suffix = randomBytes(3).toString('hex')
  if (code === null) return `partner-${suffix}`
  return attempt === 1 ? code : `${code}-${suffix}`
}

/** Pending partners that lists show by default. */
export const countApplications = async (db: Database, programId: number) => {
  const { count } = await db
    .selectFrom('partners')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('programId', '=', programId)
    .where('status', '=', 'pending')
    .where('archived', '=', false)
    .executeTakeFirstOrThrow()
  return count
}
