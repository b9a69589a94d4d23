import { BRANDING, LOGO } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Audit } from '../../platform/audit.ts'
import { fileAnswer } from '../../platform/files.ts'
import { runs } from '../../platform/runs.ts'
import { Refusal } from '../../refusal.ts'
import { findBranding, findLogo, setBranding, setLogo } from '../branding.ts'
import { logoType } from '../image-type.ts'
import { lockProgram, type Program } from '../programs.ts'

export const branding = runs(
  BRANDING,
  {},
  {
    get: ({ db, program }) => findBranding(db, program.id),
    set: ({ body, ...input }) => changeBranding(input, (tx, programId) => setBranding(tx, programId, body)),
    setLogo: ({ file: bytes, ...input }) => {
      const logo = { bytes, type: logoType(bytes) }
      return changeBranding(input, (tx, programId) => setLogo(tx, programId, logo))
    },
    removeLogo: (input) => changeBranding(input, (tx, programId) => setLogo(tx, programId, null)),
  },
)

type Input = { tx: Tx; program: Program; clock: Clock; audit: Audit }

/** Runs the change with an audit log entry, unless it changes nothing. */
const changeBranding = async (
  { tx, program: { id: programId }, clock, audit }: Input,
  change: (tx: Tx, programId: number) => Promise<void>,
) => {
  await lockProgram(tx, programId)
  const before = await findBranding(tx, programId)
  await change(tx, programId)
  const after = await findBranding(tx, programId)
  const changes = changedFields(before, after)
  if (changes) await audit(tx, { action: 'branding changed', subject: 'program', ...changes, at: clock() })
  return after
}

export const logo = runs(
  LOGO,
  {},
  {
    get: async ({ db, program, params: { hash } }) => {
      const found = await findLogo(db, { programId: program.id, hash })
      if (!found) throw new Refusal('not_found', 'This logo was replaced or removed. Reload the page that shows it.')
      return fileAnswer({
        body: found.bytes,
        headers: {
          'content-type': found.type,
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=31536000, immutable',
        },
      })
    },
  },
)
