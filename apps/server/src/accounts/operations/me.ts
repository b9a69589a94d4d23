import { ME } from '@tributary/contract/declared'
import { partnersOfUser } from '../../partners/partner-users.ts'
import { runs } from '../../platform/runs.ts'
import { listPrograms, programNames } from '../../programs/programs.ts'
import { listWorkspaces } from '../workspaces.ts'
import { workspaceAnswer } from './workspaces.ts'

const ALL = { page: 1, pageSize: 1_000 }

/** Everything the dashboard needs about the signed-in user, in one call. */
export const me = runs(
  ME,
  {},
  {
    get: async ({ db, actor: { id, name, email } }) => {
      const [{ rows: workspaces }, partnerOf] = await Promise.all([
        listWorkspaces(db, { userId: id, ...ALL }),
        partnersOfUser(db, id),
      ])
      const { rows: programs } = await listPrograms(db, { workspaceIds: workspaces.map((row) => row.id), ...ALL })
      const names = await programNames(
        db,
        partnerOf.map(({ programId }) => programId),
      )
      return {
        user: { id, name, email },
        workspaces: workspaces.map((workspace) => ({
          ...workspaceAnswer(workspace),
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
      }
    },
  },
)
