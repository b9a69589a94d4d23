import type { Database } from '../database/connect.ts'
import { findDemoAccount } from './demo-account.ts'
import { readDemoSignIn } from './demo-sign-in.ts'

/** What is there of the demo today: how to sign in to it, its program, and a link of it whose clicks are counted. */
export const findDemo = async (db: Database, dataDir: string) => {
  const account = await findDemoAccount(db, readDemoSignIn(dataDir))
  const seed = await db.selectFrom('demoSeed').select('programId').executeTakeFirst()
  return { account, programId: seed?.programId ?? null, link: await findOpenLink(db) }
}

/** Only an `aff` that needs no quoting anywhere, for it is going to stand in a shell command. */
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
