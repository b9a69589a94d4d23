import { CHECK_HEADER, type TestOrigin } from '@tributary/contract'
import { asRefusal } from '../../accounts/as-refusal.ts'
import { roleHasPermission } from '../../accounts/roles.ts'
import { roleIn } from '../../accounts/workspaces.ts'
import { findProgram } from '../../programs/programs.ts'
import type { Dependencies } from '../context.ts'

type Caller = { headers: Headers; ip: string | null }

/**
 * Where a test event without a key comes from. The dashboard marks its checks with a header, which counts only with a member's
 * session, so that others cannot use up the members' limit. With the header but no session, the origin is unknown (null).
 */
export const testOriginOf =
  (dependencies: Dependencies, { headers, ip }: Caller) =>
  async (programId: number | null): Promise<TestOrigin | null> => {
    const isMarked = headers.has(CHECK_HEADER)
    if (isMarked && (await isMember(dependencies, headers, programId))) return 'dashboard'
    dependencies.limits.test(ip)
    return isMarked ? null : 'browser'
  }

const isMember = async ({ db, auth }: Dependencies, headers: Headers, programId: number | null) => {
  const session = await asRefusal(auth.api.getSession({ headers }))
  const program = session && programId !== null ? await findProgram(db, programId) : undefined
  if (!session || !program) return false
  const role = await roleIn(db, { userId: session.user.id, workspaceId: program.workspaceId })
  return role !== null && roleHasPermission(role, 'tracking:read')
}
