import { brandingRequest, MAX_LOGO_BYTES } from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import { findBranding, setBranding, setLogo } from '../../../programs/branding.ts'
import { lockProgram } from '../../../programs/programs.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { logoType } from '../../files/image-type.ts'
import { readBytes } from '../../files/read-bytes.ts'
import { check, readJson } from '../../read-json.ts'
import { requireProgram } from '../require-session.ts'

/** Logo, color, name and support address that partners see. */
export const branding = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const mayChange = requireProgram(dependencies, 'program:update')

  /** Runs the change with an audit log entry, unless it changes nothing. */
  const changeWith = (c: Call, change: (tx: Tx, programId: number) => Promise<void>) =>
    inTransaction(c.get('db'), async (tx) => {
      const { id: programId } = c.get('program')
      await lockProgram(tx, programId)
      const before = await findBranding(tx, programId)
      await change(tx, programId)
      const after = await findBranding(tx, programId)
      const changes = changedFields(before, after)
      const entry = { action: 'branding changed', subject: 'program', ...changes, at: clock() }
      if (changes) await recordAudit(tx, { programId, userId: c.get('user').id, ...entry })
      return after
    })

  app.get('/api/programs/:programId/branding', mayRead, async (c) =>
    c.json({ data: await findBranding(c.get('db'), c.get('program').id) }),
  )

  app.put('/api/programs/:programId/branding', mayChange, async (c) => {
    const request = check(brandingRequest, await readJson(c))
    return c.json({ data: await changeWith(c, (tx, programId) => setBranding(tx, programId, request)) })
  })

  app.put('/api/programs/:programId/branding/logo', mayChange, async (c) => {
    const bytes = await readBytes(c, { maxBytes: MAX_LOGO_BYTES })
    const logo = { bytes, type: logoType(bytes) }
    return c.json({ data: await changeWith(c, (tx, programId) => setLogo(tx, programId, logo)) })
  })

  app.delete('/api/programs/:programId/branding/logo', mayChange, async (c) =>
    c.json({ data: await changeWith(c, (tx, programId) => setLogo(tx, programId, null)) }),
  )
}
