import type { Database } from '../database/connect.ts'
import { findDemoAccount, findDemoPartner } from './demo-account.ts'
import { readDemoSignIn } from './demo-sign-in.ts'

/** The current state of the demo: its sign-ins, its program and an active link. */
export const findDemo = async (db: Database, dataDir: string) => {
  const signIn = readDemoSignIn(dataDir)
  const account = await findDemoAccount(db, signIn)
  const partner = await findDemoPartner(db, signIn)
  const seed = await db.selectFrom('demoSeed').select('programId').executeTakeFirst()
  const programId = seed?.programId ?? null
  return { account, partner, programId, link: programId === null ? undefined : await findOpenLink(db, programId) }
}

/** Only an `aff` that needs no quoting, because it is printed in a shell command. */
const findOpenLink = (db: Database, programId: number) =>
  db
    .selectFrom('referralLinks')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'referralLinks.programId')
        .onRef('partners.id', '=', 'referralLinks.partnerId'),
    )
    .select('referralLinks.aff')
    .where('referralLinks.programId', '=', programId)
    .where('referralLinks.active', '=', true)
    .where('partners.status', '=', 'approved')
    .where('referralLinks.aff', '~', '^[A-Za-z0-9_-]+$')
    .orderBy('referralLinks.id')
    .limit(1)
    .executeTakeFirst()
