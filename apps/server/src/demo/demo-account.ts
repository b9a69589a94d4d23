import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { DEMO_NAME, WORKSPACE_NAME } from './demo-data.ts'
import type { DemoSignIn } from './demo-sign-in.ts'

const newId = () => crypto.randomUUID()

/** Inserts the rows directly, because better-auth's API opens its own transaction and the demo must be created atomically. */
export const createDemoAccount = async (tx: Tx, { email, password }: DemoSignIn, createdAt: Date) => {
  const dates = { createdAt, updatedAt: createdAt }
  const userId = newId()
  const workspaceId = newId()
  await tx
    .insertInto('users')
    .values({ id: userId, name: DEMO_NAME, email, isDemo: true, ...dates })
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

/** Undefined once the demo account is deleted. The password is null if it was changed or is stored in another DATA_DIR. */
export const findDemoAccount = async (db: Database, signIn: DemoSignIn | null) => {
  const user = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .select(['users.email', 'credentials.password as hash'])
    .where('users.isDemo', '=', true)
    .executeTakeFirst()
  if (!user?.hash) return undefined
  const isCurrent = signIn !== null && (await verifyPassword({ hash: user.hash, password: signIn.password }))
  return { email: user.email, password: isCurrent ? signIn.password : null }
}
