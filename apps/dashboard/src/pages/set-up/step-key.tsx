import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatCount } from '~/components/format/format.ts'
import { KEY_ADVICE } from '../api-keys/create-key.tsx'

const KEYS = '/api/programs/{programId}/api-keys'

/** The key that was created on this page, which leads and sales share. */
export const useStepKey = () => {
  const { program, may } = useProgram()
  const input = { programId: program.id, query: { state: 'active', pageSize: 1 } }
  const active = useCall(`get ${KEYS}`, input, { enabled: may('key:manage') })
  // The answer has the whole key, this one time; nothing keeps it.
  const options = { gcTime: 0, changes: ['api-keys'] }
  const creation = useChange(`post ${KEYS}`, { programId: program.id }, options)
  return {
    key: creation.data?.key ?? null,
    total: active.data?.meta.pagination.total ?? null,
    create: () => creation.mutate({ body: { name: 'Server' } }),
    isPending: creation.isPending,
    error: creation.error,
  }
}
export type StepKeyState = ReturnType<typeof useStepKey>

/** Creates the key that a call needs. */
export const StepKey = ({ state }: { state: StepKeyState }) => {
  const { program, may } = useProgram()
  if (!may('key:manage'))
    return <p className="text-soft text-sm">This call needs an API key. Ask an owner or admin to create it.</p>
  if (state.key) return <NewKey secret={state.key} />
  if (state.total === null) return null
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p className="min-w-0 flex-1 basis-56 text-soft">
          {state.total === 0
            ? 'This call needs an API key.'
            : `This call needs an API key. The program has ${formatCount(state.total, 'active key')}.`}
        </p>
        {state.total > 0 && (
          <Link
            to="/programs/$programId/settings/api-keys"
            params={{ programId: String(program.id) }}
            className={buttonClass({ look: 'quiet', size: 'small' })}
          >
            View keys
          </Link>
        )}
        <Button
          {...(state.total === 0 ? { look: 'primary' } : { size: 'small' })}
          busy={state.isPending}
          onClick={state.create}
        >
          {state.total === 0 ? 'Create API key' : 'Create another key'}
        </Button>
      </div>
      <FormError error={state.error} />
    </div>
  )
}

const NewKey = ({ secret }: { secret: string }) => (
  <div className="flex flex-col gap-2 text-sm">
    <p className="flex items-start gap-2 text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      Copy this key before you leave the page. You won’t be able to see it again.
    </p>
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
      <code data-testid="secret" className="min-w-0 flex-1 break-all font-mono text-xs">
        {secret}
      </code>
      <CopyButton text={secret} label="Copy key" look="primary" />
    </div>
    <p className="text-pretty text-faint text-xs">{KEY_ADVICE}</p>
  </div>
)
