import { useProgram } from '~/app/program-context.ts'
import { RoleNote } from '~/components/role-note.tsx'

/** Replaces the connection forms for roles without `key:manage`. */
export const ConnectionRoleNote = () => {
  const { workspace } = useProgram()
  return (
    <RoleNote>
      Only owners and admins can change this connection, because its secret can be used to report sales. Your role is{' '}
      {workspace.role}.
    </RoleNote>
  )
}
