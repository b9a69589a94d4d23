import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { addPartnerUser } from '../partners/partner-users.ts'
import { DEMO_NAME, PORTAL_PARTNER_EMAIL, WORKSPACE_NAME } from './demo-data.ts'
import type { DemoSignIn } from './demo-sign-in.ts'

const newId = () => crypto.randomUUID()

type NewUser = DemoSignIn & { name: string; createdAt: Date }

/** Inserts the rows directly, because better-auth's API opens its own transaction and the demo must be created atomically. */
const createUser = async (tx: Tx, { name, email, password, createdAt }: NewUser) => {
  const dates = { createdAt, updatedAt: createdAt }
  const userId = newId()
  await tx
    .insertInto('users')
    .values({ id: userId, name, email, isDemo: true, ...dates })
    .execute()
  await tx
    .insertInto('credentials')
    .values({
      id: newId(),
      userId,
      accountId: userId,
      providerId: 'credential',
      password: await hashPassword(password),
      ...dates,
    })
    .execute()
  return userId
}

/** The owner and their workspace. */
export const createDemoAccount = async (tx: Tx, signIn: DemoSignIn, createdAt: Date) => {
  const userId = await createUser(tx, { ...signIn, name: DEMO_NAME, createdAt })
  const workspaceId = newId()
  await tx
    .insertInto('workspaces')
    .values({ id: workspaceId, name: WORKSPACE_NAME, slug: newId(), createdAt })
    .execute()
  await tx
    .insertInto('members')
    .values({ id: newId(), organizationId: workspaceId, userId, role: 'owner', createdAt })
    .execute()
  return { userId, workspaceId }
}

type NewPartner = { programId: number; code: string; signIn: DemoSignIn; at: Date }

/** A portal sign-in for one of the partners, with the owner's password. */
export const createDemoPartner = async (tx: Tx, { programId, code, signIn, at: createdAt }: NewPartner) => {
  const partner = await tx
    .selectFrom('partners')
    .select(['id', 'name', 'email'])
    .where('programId', '=', programId)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const { id: partnerId, name, email } = partner
  const userId = await createUser(tx, { name, email: email ?? '', password: signIn.password, createdAt })
  await addPartnerUser(tx, { programId, partnerId, userId, createdAt })
}

/** Undefined once the demo account is deleted. The password is null if it was changed or is stored in another DATA_DIR. */
export const findDemoAccount = async (db: Database, signIn: DemoSignIn | null) => {
  const owner = await demoUsers(db).innerJoin('members', 'members.userId', 'users.id').executeTakeFirst()
  return owner?.hash ? { email: owner.email, password: await checkPassword(owner.hash, signIn) } : undefined
}

/** The partner named in the file with the sign-in. Undefined if their access was removed or the password changed. */
export const findDemoPartner = async (db: Database, signIn: DemoSignIn | null) => {
  const partner = await demoUsers(db).where('users.email', '=', PORTAL_PARTNER_EMAIL).executeTakeFirst()
  if (!partner?.hash || (await checkPassword(partner.hash, signIn)) === null) return undefined
  const access = await db
    .selectFrom('partnerUsers')
    .select('userId')
    .where('userId', '=', partner.id)
    .executeTakeFirst()
  return access && { email: partner.email }
}

const demoUsers = (db: Database) =>
  db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .select(['users.id', 'users.email', 'credentials.password as hash'])
    .where('users.isDemo', '=', true)

const checkPassword = async (hash: string, signIn: DemoSignIn | null) =>
  signIn !== null && (await verifyPassword({ hash, password: signIn.password })) ? signIn.password : null
