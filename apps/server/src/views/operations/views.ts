import { type Permission, VIEW_LISTS, type ViewList } from '@tributary/contract'
import { VIEWS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import { hasPermission } from '../../platform/access.ts'
import type { SignedInUser } from '../../platform/actor.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { changeView, createView, deleteView, findView, listViews, lockView } from '../saved-views.ts'

/** What a member needs to open the list. A filter may contain a customer's key, so others do not see its views. */
const PERMISSIONS: Record<ViewList, Permission> = {
  partners: 'tracking:read',
  links: 'tracking:read',
  customers: 'tracking:list',
  sales: 'tracking:list',
  commissions: 'commission:read',
  payouts: 'commission:read',
}

export const views = runs(
  VIEWS,
  { viewId: { what: 'view', find: findView } },
  {
    list: async ({ db, query: { list }, ...caller }) => {
      const wanted = list ? [list] : [...VIEW_LISTS]
      const allowed = await Promise.all(wanted.map((one) => mayOpen(db, caller, one)))
      const lists = wanted.filter((_, index) => allowed[index])
      return lists.length > 0 ? listViews(db, { ...keyOf(caller), lists }) : []
    },

    create: async ({ tx, clock, audit, body, ...caller }) => {
      await requireOpen(tx, caller, body.list)
      if (body.shared) await requireUpdate(tx, caller)
      const at = clock()
      const view = await createView(tx, { ...body, ...keyOf(caller), createdAt: at })
      // Without the search text, which may name a customer.
      const after = { list: view.list, name: view.name }
      if (view.shared) await audit(tx, { action: 'view shared', subject: `view ${view.id}`, after, at })
      return view
    },

    change: async ({ tx, params: { viewId: id }, clock, audit, body: change, ...caller }) => {
      const key = { ...keyOf(caller), id }
      const before = orNotFound(await lockView(tx, key), 'view')
      await requireOpen(tx, caller, before.list)
      if (before.shared || change.shared) await requireUpdate(tx, caller)
      const after = await changeView(tx, { ...key, change })
      if ((before.shared || after.shared) && changedFields(before, change)) {
        const names = { before: { list: before.list, name: before.name }, after: { name: after.name } }
        const action = before.shared ? 'view changed' : 'view shared'
        await audit(tx, { action, subject: `view ${id}`, ...names, at: clock() })
      }
      return after
    },

    remove: async ({ tx, params: { viewId: id }, clock, audit, ...caller }) => {
      const key = { ...keyOf(caller), id }
      const view = orNotFound(await lockView(tx, key), 'view')
      if (view.shared) await requireUpdate(tx, caller)
      await deleteView(tx, key)
      const before = { list: view.list, name: view.name }
      if (view.shared) await audit(tx, { action: 'view deleted', subject: `view ${id}`, before, at: clock() })
      return view
    },
  },
)

type Caller = { program: Program; actor: SignedInUser }

const keyOf = ({ program, actor }: Caller) => ({ programId: program.id, userId: actor.id })

const mayOpen = (db: Database | Tx, { program: { workspaceId }, actor: user }: Caller, list: ViewList) =>
  hasPermission(db, { user, workspaceId, permission: PERMISSIONS[list] })

const requireOpen = async (tx: Tx, caller: Caller, list: ViewList) => {
  if (!(await mayOpen(tx, caller, list)))
    throw new Refusal('forbidden', `You can’t open this list: it needs the ${PERMISSIONS[list]} permission.`)
}

/** What the team shares. */
const requireUpdate = async (tx: Tx, { program: { workspaceId }, actor: user }: Caller) => {
  if (!(await hasPermission(tx, { user, workspaceId, permission: 'program:update' })))
    throw new Refusal(
      'forbidden',
      'Shared views need the program:update permission. Save the view for yourself instead.',
    )
}
