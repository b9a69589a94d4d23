import type { Database } from '../database/connect.ts'
import type { ProgramSender } from '../mail/program-emails.ts'
import { brandOf, findLogo } from './branding.ts'

/** What an email to a partner shows of the program. */
export const mailBrandOf = async (db: Database, program: { id: number; name: string }): Promise<ProgramSender> => {
  const { programName, brand } = await brandOf(db, program)
  const hash = brand.logoUrl?.split('/').at(-1)
  const logo = hash ? await findLogo(db, { programId: program.id, hash }) : null
  return { programName, supportEmail: brand.supportEmail, accentColor: brand.accentColor, logo }
}
