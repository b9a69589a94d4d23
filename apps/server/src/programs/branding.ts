import { createHash } from 'node:crypto'
import type { Brand, Branding, BrandingRequest } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'

const COLUMNS = ['displayName', 'description', 'accentColor', 'supportEmail', 'logoHash'] as const
const NONE: Branding = { displayName: null, description: null, accentColor: null, supportEmail: null, logoUrl: null }

type Row = Omit<Branding, 'logoUrl'> & { programId: number; logoHash: string | null }

const asBranding = ({ programId, logoHash, ...row }: Row): Branding => ({
  ...row,
  logoUrl: logoHash && `/api/public/programs/${programId}/logo/${logoHash}`,
})

export const findBranding = async (db: Database | Tx, programId: number): Promise<Branding> => {
  const row = await db
    .selectFrom('programBranding')
    .select(['programId', ...COLUMNS])
    .where('programId', '=', programId)
    .executeTakeFirst()
  return row ? asBranding(row) : NONE
}

type Named = { id: number; name: string }

/** The name and brand that partners see. */
export const brandOf = async (db: Database | Tx, program: Named) => shownAs(program, await findBranding(db, program.id))

const shownAs = ({ name }: Named, { displayName, ...brand }: Branding): { programName: string; brand: Brand } => ({
  programName: displayName ?? name,
  brand,
})

export const setBranding = async (tx: Tx, programId: number, branding: BrandingRequest) => {
  await tx
    .insertInto('programBranding')
    .values({ programId, ...branding })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(branding))
    .execute()
}

type Logo = { type: string; bytes: Buffer } | null

export const setLogo = async (tx: Tx, programId: number, logo: Logo) => {
  const columns = {
    logo: logo?.bytes ?? null,
    logoType: logo?.type ?? null,
    logoHash: logo && createHash('sha256').update(logo.bytes).digest('hex').slice(0, 32),
  }
  await tx
    .insertInto('programBranding')
    .values({ programId, ...columns })
    .onConflict((conflict) => conflict.column('programId').doUpdateSet(columns))
    .execute()
}

export const findLogo = async (db: Database, { programId, hash }: { programId: number; hash: string }) => {
  const row = await db
    .selectFrom('programBranding')
    .select(['logo', 'logoType'])
    .where('programId', '=', programId)
    .where('logoHash', '=', hash)
    .executeTakeFirst()
  return row?.logo && row.logoType ? { bytes: row.logo, type: row.logoType } : null
}
