import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Statement } from '@tributary/contract'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { toast } from '~/components/overlays/toast.tsx'

/** Issues the statement again with the legal details of now. */
export const Reissue = ({ statement: { payoutId, lineId } }: { statement: Statement }) => {
  const { program } = useProgram()
  const navigate = useNavigate()
  const reissue = useChange('post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement/reissue', {
    programId: program.id,
    payoutId,
    lineId,
  })
  const onSuccess = ({ version }: Statement) => {
    toast.done(`Version ${version} issued. Earlier versions are kept.`)
    void navigate({ to: '.', search: {} })
  }
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      <Button busy={reissue.isPending} onClick={() => reissue.mutate({}, { onSuccess })}>
        Reissue with current legal details
      </Button>
      <FormError error={reissue.error} />
    </div>
  )
}

/** The version in the address. Without one, the latest is shown. */
export const useShownVersion = () => {
  const { version } = useSearch({ strict: false }) as { version?: number }
  return version
}

export const isLatest = ({ version, versions }: Statement) => versions.every((other) => other.version <= version)

/** Links to every version of a statement that was reissued. */
export const Versions = ({ statement: { version: shown, versions } }: { statement: Statement }) =>
  versions.length < 2 ? null : (
    <nav aria-label="Versions" className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm print:hidden">
      <span className="text-faint">The amounts of all versions are equal.</span>
      {versions.map(({ version, issuedAt }) => {
        const text = `Version ${version}, ${formatDate(issuedAt)}`
        return version === shown ? (
          <span key={version} aria-current="true" className="font-medium">
            {text}
          </span>
        ) : (
          <Link
            key={version}
            to="."
            search={{ version } as never}
            className="text-accent-ink underline underline-offset-2"
          >
            {text}
          </Link>
        )
      })}
    </nav>
  )
