import { Link } from '@tanstack/react-router'
import { useProgram } from '~/app/program-context.ts'
import { buttonClass } from '~/components/controls/button.tsx'

type Place = 'settings/program' | 'settings/rewards' | 'partners' | 'links'
type Props = { to: Place; label: string; isDone: boolean; children: React.ReactNode }

/** What a step without code says, and the screen where it is done. */
export const NextAction = ({ to, label, isDone, children }: Props) => {
  const { program } = useProgram()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="min-w-0 flex-1 basis-56 text-pretty text-soft">{children}</p>
      <Link
        to={`/programs/$programId/${to}`}
        params={{ programId: String(program.id) }}
        className={buttonClass({ look: isDone ? 'secondary' : 'primary' })}
      >
        {label}
      </Link>
    </div>
  )
}
