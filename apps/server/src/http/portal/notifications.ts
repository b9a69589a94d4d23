import { markReadRequest, partnerPreferencesRequest } from '@tributary/contract'
import { inTransaction } from '../../database/transaction.ts'
import { listNotifications, markRead } from '../../notifications/inbox.ts'
import { changePreferences, findPreferences, kindsFor } from '../../notifications/preferences.ts'
import { brandOf } from '../../programs/branding.ts'
import type { App, Call, Dependencies } from '../context.ts'
import { check, readJson, readOptionalJson } from '../read-json.ts'
import { requirePartner } from './require-partner.ts'

const PATH = '/api/portal/programs/:programId/notifications'

/** Notifications of partners. */
export const portalNotifications = (app: App, dependencies: Dependencies) => {
  const { clock, mailer } = dependencies
  const asPartner = requirePartner(dependencies)

  const list = async (c: Call) => {
    const db = c.get('db')
    // Notifications belong to a person. An owner who views the portal as a partner must not see their own as the partner's.
    if (c.get('view')) return c.json({ data: { unread: 0, notifications: [] } })
    const program = c.get('program')
    const { programName } = await brandOf(db, program)
    const context = { programId: program.id, programName, timezone: program.timezone }
    const reader = { programId: program.id, userId: c.get('user').id, kinds: kindsFor('partner') }
    return c.json({ data: await listNotifications(db, { ...reader, context }) })
  }
  const preferences = async (c: Call) => {
    const person = { programId: c.get('program').id, userId: c.get('user').id }
    return c.json({
      data: { hasMail: mailer !== null, ...(await findPreferences(c.get('db'), { ...person, reader: 'partner' })) },
    })
  }

  app.get(PATH, asPartner, list)

  app.post(`${PATH}/read`, asPartner, async (c) => {
    const { ids } = check(markReadRequest, await readOptionalJson(c))
    await markRead(c.get('db'), { programId: c.get('program').id, userId: c.get('user').id, ids, at: clock() })
    return list(c)
  })

  app.get(`${PATH}/preferences`, asPartner, preferences)

  app.put(`${PATH}/preferences`, asPartner, async (c) => {
    const change = check(partnerPreferencesRequest, await readJson(c))
    const person = { programId: c.get('program').id, userId: c.get('user').id }
    await inTransaction(c.get('db'), (tx) => changePreferences(tx, { ...person, ...change }))
    return preferences(c)
  })
}
