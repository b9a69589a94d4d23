import type { Database } from '../database/connect.ts'
import { findDemoAccount, findDemoPartner } from './demo-account.ts'
import { readDemoSignIn } from './demo-sign-in.ts'

/** The current state of the demo: its sign-ins, its program and an active link. */
export const findDemo = async (db: Database, dataDir: string) => {
  const signIn = readDemoSignIn(dataDir)
  const account = await findDemoAccount(db, signIn)
  const partner = await findDemoPartner(db, signIn)
  const seed = await db.selectFrom('demoSeed').select('programId').executeTakeFirst()
  return { account, partner, programId: seed?.programId ?? null, link: await findOpenLink(db) }
}

/** Only an `aff` that needs no quoting, because it is printed in a shell command. */
const findOpenLink = (db: Database) =>
  db
    .selectFrom('demoSeed')
    .innerJoin('referralLinks', 'referralLinks.programId', 'demoSeed.programId')
    .innerJoin('partners', (join) =>
      join
        .onRef('partners.programId', '=', 'referralLinks.programId')
        .onRef('partners.id', '=', 'referralLinks.partnerId'),
    )
    .select('referralLinks.aff')
    .where('referralLinks.active', '=', true)
    .where('partners.status', '=', 'approved')
    .where('referralLinks.aff', '~', '^[A-Za-z0-9_-]+$')
    .orderBy('referralLinks.id')
    .limit(1)
    .executeTakeFirst()
