import { permissionsOf } from '../../../accounts/roles.ts'
import { listWorkspaces } from '../../../accounts/workspaces.ts'
import { partnersOfUser } from '../../../partners/partner-users.ts'
import { listPrograms, programNames } from '../../../programs/programs.ts'
import type { App, Dependencies } from '../../context.ts'
import { requireSession } from '../require-session.ts'

const ALL = { page: 1, pageSize: 1_000 }

/** GET /api/me: everything the dashboard needs about the signed-in user, in one call. */
export const me = (app: App, dependencies: Dependencies) => {
  const { db } = dependencies

  app.get('/api/me', requireSession(dependencies), async (c) => {
    const { id, name, email } = c.get('user')
    const [workspaces, partnerOf] = await Promise.all([
      listWorkspaces(db, { userId: id, ...ALL }),
      partnersOfUser(db, id),
    ])
    const workspaceIds = workspaces.rows.map((row) => row.id)
    const programIds = partnerOf.map(({ programId }) => programId)
    const { rows: programs } = await listPrograms(db, { workspaceIds, ...ALL })
    const names = await programNames(db, programIds)
    return c.json({
      data: {
        user: { id, name, email },
        workspaces: workspaces.rows.map((workspace) => ({
          ...workspace,
          permissions: permissionsOf(workspace.role),
          programs: programs
            .filter(({ workspaceId }) => workspaceId === workspace.id)
            .map(({ id, name, currency, timezone }) => ({ id, name, currency, timezone })),
        })),
        partnerOf: partnerOf.map(({ programId, partnerId, status }) => ({
          programId,
          programName: names.get(programId) ?? '',
          partnerId,
          status,
        })),
      },
    })
  })
}
