import { PARTNER_KINDS, type Role } from '@tributary/contract'
import { NOTIFICATIONS, PORTAL_NOTIFICATIONS } from '@tributary/contract/declared'
import { roleIn } from '../../accounts/workspaces.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { runs } from '../../platform/runs.ts'
import { brandOf } from '../../programs/branding.ts'
import type { Program } from '../../programs/programs.ts'
import { listNotifications, markRead } from '../inbox.ts'
import { changePreferences, findPreferences, kindsFor } from '../preferences.ts'

type Services = { mailer: Mailer | null }

/** Notifications of members. */
export const notifications = ({ mailer }: Services) => {
  const preferencesOf = async (db: Database | Tx, person: Person) => {
    const { kinds } = await findPreferences(db, await memberOf(db, person))
    return { hasMail: mailer !== null, kinds }
  }
  return runs(
    NOTIFICATIONS,
    {},
    {
      list: ({ db, ...person }) => listOfMember(db, person),
      read: async ({ tx, program, actor, clock, body }) => {
        await markRead(tx, { programId: program.id, userId: actor.id, ids: body.ids, at: clock() })
        return listOfMember(tx, { program, actor })
      },
      preferences: ({ db, ...person }) => preferencesOf(db, person),
      changePreferences: async ({ tx, program, actor, body: { kinds } }) => {
        await changePreferences(tx, { programId: program.id, userId: actor.id, kinds })
        return preferencesOf(tx, { program, actor })
      },
    },
  )
}

/** Notifications of partners. */
export const portalNotifications = ({ mailer }: Services) => {
  const preferencesOf = async (db: Database | Tx, { program, actor }: Person) => {
    const reader = { programId: program.id, userId: actor.id, kinds: PARTNER_KINDS }
    return { hasMail: mailer !== null, ...(await findPreferences(db, reader)) }
  }
  return runs(
    PORTAL_NOTIFICATIONS,
    {},
    {
      list: async ({ db, program, actor }) => {
        // Notifications belong to a person. An owner who views the portal as a partner must not see their own as the partner's.
        if (actor.view) return { unread: 0, notifications: [] }
        return listOfPartner(db, { program, actor })
      },
      read: async ({ tx, program, actor, clock, body }) => {
        await markRead(tx, { programId: program.id, userId: actor.id, ids: body.ids, at: clock() })
        return listOfPartner(tx, { program, actor })
      },
      preferences: ({ db, ...person }) => preferencesOf(db, person),
      changePreferences: async ({ tx, program, actor, body }) => {
        await changePreferences(tx, { programId: program.id, userId: actor.id, ...body })
        return preferencesOf(tx, { program, actor })
      },
    },
  )
}

type Person = { program: Program; actor: { id: string } }

const memberOf = async (db: Database | Tx, { program, actor }: Person) => {
  const role = (await roleIn(db, { userId: actor.id, workspaceId: program.workspaceId })) as Role
  return { programId: program.id, userId: actor.id, kinds: kindsFor(role) }
}

const listOfMember = async (db: Database | Tx, person: Person) => {
  const { id: programId, name: programName, timezone } = person.program
  return listNotifications(db, { ...(await memberOf(db, person)), context: { programId, programName, timezone } })
}

const listOfPartner = async (db: Database | Tx, { program, actor }: Person) => {
  const { id: programId, timezone } = program
  const { programName } = await brandOf(db, program)
  const reader = { programId, userId: actor.id, kinds: PARTNER_KINDS }
  return listNotifications(db, { ...reader, context: { programId, programName, timezone } })
}
