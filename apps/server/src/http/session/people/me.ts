import { permissionsOf } from '../../../accounts/roles.ts'
import { listWorkspaces } from '../../../accounts/workspaces.ts'
import { partnersOfUser } from '../../../partners/partner-users.ts'
import { listPrograms, type Program, programNames } from '../../../programs/programs.ts'
import type { App, Dependencies } from '../../context.ts'
import { requireSession } from '../require-session.ts'

const ALL = { page: 1, pageSize: 1_000 }

/** GET /api/me: everything the dashboard needs about the signed-in user, in one call. */
export const me = (app: App, dependencies: Dependencies) => {
  const { directory, shards } = dependencies

  app.get('/api/me', requireSession(dependencies), async (c) => {
    const { id, name, email } = c.get('user')
    const [workspaces, partnerOf] = await Promise.all([
      listWorkspaces(directory, { userId: id, ...ALL }),
      partnersOfUser(dependencies, id),
    ])
    const workspaceIds = workspaces.rows.map((row) => row.id)
    const programIds = partnerOf.map(({ programId }) => programId)
    const programs: Program[] = []
    const names = new Map<number, string>()
    for (const db of shards.all) {
      programs.push(...(await listPrograms(db, { workspaceIds, ...ALL })).rows)
      for (const [programId, programName] of await programNames(db, programIds)) names.set(programId, programName)
    }
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
