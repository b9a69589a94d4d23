import {
  changeViewRequest,
  createViewRequest,
  type Permission,
  VIEW_LISTS,
  type ViewList,
  viewsQuery,
} from '@tributary/contract'
import { changedFields, recordAudit } from '../../../audit/audit-log.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { Refusal } from '../../../refusal.ts'
import { changeView, createView, deleteView, listViews, lockView } from '../../../views/saved-views.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { answerWhole, orNotFound, pathId } from '../../lists.ts'
import { check, readJson } from '../../read-json.ts'
import { hasPermission, requireProgram } from '../require-session.ts'

/** What a member needs to open the list. A filter may contain a customer's key, so others do not see its views. */
const PERMISSIONS: Record<ViewList, Permission> = {
  partners: 'tracking:read',
  links: 'tracking:read',
  customers: 'tracking:list',
  sales: 'tracking:list',
  commissions: 'commission:read',
  payouts: 'commission:read',
}

/** Saved views: everyone has their own, and `program:update` allows sharing them with the team. */
export const views = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies
  const mayRead = requireProgram(dependencies, 'program:read')
  const path = '/api/programs/:programId/views'
  const mayOpen = (c: Call, list: ViewList) => hasPermission(c, c.get('db'), PERMISSIONS[list])

  app.get(path, mayRead, async (c) => {
    const { list } = check(viewsQuery, c.req.query())
    const wanted = list ? [list] : [...VIEW_LISTS]
    const allowed = await Promise.all(wanted.map((one) => mayOpen(c, one)))
    const lists = wanted.filter((_, index) => allowed[index])
    const key = { programId: c.get('program').id, userId: c.get('user').id }
    return answerWhole(c, lists.length > 0 ? await listViews(c.get('db'), { ...key, lists }) : [])
  })

  app.post(path, mayRead, async (c) => {
    const view = check(createViewRequest, await readJson(c))
    if (!(await mayOpen(c, view.list))) throw cannotOpen(view.list)
    if (view.shared) await requireUpdate(c)
    const by = { programId: c.get('program').id, userId: c.get('user').id }
    const at = clock()
    const created = await inTransaction(c.get('db'), async (tx) => {
      const made = await createView(tx, { ...view, ...by, createdAt: at })
      // Without the search text, which may name a customer.
      const after = { list: view.list, name: view.name }
      if (view.shared) await recordAudit(tx, { ...by, action: 'view shared', subject: `view ${made.id}`, after, at })
      return made
    })
    return c.json({ data: created }, 201)
  })

  app.patch(`${path}/:viewId`, mayRead, async (c) => {
    const db = c.get('db')
    const by = { programId: c.get('program').id, userId: c.get('user').id }
    const id = orNotFound(pathId(c, 'viewId'), 'view')
    const change = check(changeViewRequest, await readJson(c))
    const mayUpdate = await hasPermission(c, db, 'program:update')
    const changed = await inTransaction(db, async (tx) => {
      const before = orNotFound(await lockView(tx, { ...by, id }), 'view')
      if (!(await mayOpen(c, before.list))) throw cannotOpen(before.list)
      if ((before.shared || change.shared) && !mayUpdate) throw needsUpdate()
      const after = await changeView(tx, { ...by, id, change })
      const changes = changedFields(before, change)
      if (changes && (before.shared || after.shared)) {
        const names = { before: { list: before.list, name: before.name }, after: { name: after.name } }
        const action = before.shared ? 'view changed' : 'view shared'
        await recordAudit(tx, { ...by, action, subject: `view ${id}`, ...names, at: clock() })
      }
      return after
    })
    return c.json({ data: changed })
  })

  app.delete(`${path}/:viewId`, mayRead, async (c) => {
    const db = c.get('db')
    const by = { programId: c.get('program').id, userId: c.get('user').id }
    const id = orNotFound(pathId(c, 'viewId'), 'view')
    const mayUpdate = await hasPermission(c, db, 'program:update')
    const deleted = await inTransaction(db, async (tx) => {
      const view = orNotFound(await lockView(tx, { ...by, id }), 'view')
      if (view.shared && !mayUpdate) throw needsUpdate()
      await deleteView(tx, { programId: by.programId, id })
      const before = { list: view.list, name: view.name }
      if (view.shared)
        await recordAudit(tx, { ...by, action: 'view deleted', subject: `view ${id}`, before, at: clock() })
      return view
    })
    return c.json({ data: deleted })
  })
}

const cannotOpen = (list: ViewList) =>
  new Refusal('forbidden', `You can’t open this list: it needs the ${PERMISSIONS[list]} permission.`)

const needsUpdate = () =>
  new Refusal('forbidden', 'Shared views need the program:update permission. Save the view for yourself instead.')

const requireUpdate = async (c: Call) => {
  if (!(await hasPermission(c, c.get('db'), 'program:update'))) throw needsUpdate()
}
