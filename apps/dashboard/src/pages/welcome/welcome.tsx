import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { mayCreateWorkspace, useWorkspaces } from '~/api/accounts/workspaces.ts'
import { usePrograms } from '~/api/programs.ts'
import { AuthLayout, TEXT_LINK } from '../sign-in/auth-layout.tsx'
import { ProgramForm } from './program-form.tsx'

/** First run: create a workspace and its program, then go to the setup. */
export const Welcome = () => {
  const { workspace: requestedId } = useSearch({ strict: false })
  const { data: workspaces = [] } = useWorkspaces()
  const { data: programs = [] } = usePrograms()
  const navigate = useNavigate()
  const isFirstRun = programs.length === 0
  const workspace =
    workspaces.find(({ id }) => id === requestedId) ??
    (isFirstRun ? workspaces.find(({ permissions }) => permissions.includes('program:create')) : undefined)
  const back = programs.length > 0 && (
    <Link to="/" className={TEXT_LINK}>
      Back to dashboard
    </Link>
  )
  if (!workspace && !mayCreateWorkspace(workspaces))
    return (
      <AuthLayout title="Ask an owner or admin" footer={back}>
        <p className="text-pretty text-soft text-sm">
          Only an owner or admin can create a workspace or a program. It appears here once they do.
        </p>
      </AuthLayout>
    )
  return (
    <AuthLayout
      title="Create a program"
      description={
        workspace
          ? `In ${workspace.name}. Create one program for each product that partners promote. You can change everything later.`
          : 'A workspace is your team, and a program is what partners promote. You can change everything later.'
      }
      footer={back}
      isWide
    >
      <ProgramForm
        workspace={workspace}
        onDone={(id) => void navigate({ to: '/programs/$programId/set-up', params: { programId: String(id) } })}
      />
    </AuthLayout>
  )
}
