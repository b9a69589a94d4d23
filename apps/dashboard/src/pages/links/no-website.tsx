import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'

export const NoWebsite = () => {
  const { program, may } = useProgram()
  if (!may('program:update')) return <>No website yet</>
  return (
    <Link
      to="/programs/$programId/settings/details"
      params={{ programId: String(program.id) }}
      className="text-accent-ink underline underline-offset-2"
    >
      Add your website
    </Link>
  )
}
