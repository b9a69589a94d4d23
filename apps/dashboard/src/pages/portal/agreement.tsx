import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, ScrollText } from 'lucide-react'
import { useContext } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { FormError, ReadOnly } from '~/components/controls/form.tsx'
import { formatDate } from '~/components/format/format.ts'
import { Markdown } from '~/components/markdown.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { usePartnership } from './portal-context.ts'

const AGREEMENT = '/api/portal/programs/{programId}/agreement'

export const PortalAgreement = () => {
  const { programId, programName } = usePartnership()
  const agreement = useCall(`get ${AGREEMENT}`, { programId })
  return (
    <Page title="Program agreement" description={`What you agree to as a partner of ${programName}.`}>
      <Card>
        <QueryView
          query={agreement}
          loading={
            <Loading className="p-5">
              <Skeleton className="h-40 w-full" />
            </Loading>
          }
          isEmpty={(current) => current === null}
          empty={
            <EmptyState icon={<ScrollText />} title="No agreement">
              This program has no agreement to accept.
            </EmptyState>
          }
        >
          {(current) =>
            current && (
              <div className="flex flex-col gap-5 p-5">
                <Markdown text={current.text} />
                <Acceptance version={current.version} />
              </div>
            )
          }
        </QueryView>
      </Card>
    </Page>
  )
}

const Acceptance = ({ version }: { version: number }) => {
  const { programId, agreement } = usePartnership()
  const queries = useQueryClient()
  const accept = useChange(`post ${AGREEMENT}/accept`, { programId })
  const submit = () =>
    accept.mutate(
      { body: { version } },
      {
        onSuccess: () => toast.done('Agreement accepted.'),
        // After a conflict there is a newer version.
        onError: () => queries.invalidateQueries({ queryKey: ['portal'] }),
      },
    )
  const isReadOnly = useContext(ReadOnly)
  const isAccepted = agreement?.acceptedVersion === version && agreement.acceptedAt !== null
  return (
    <div className="flex flex-col items-start gap-3 border-line border-t pt-4">
      <FormError error={accept.error} />
      {isAccepted ? (
        <p className="flex items-center gap-2 text-soft text-sm">
          <CircleCheck aria-hidden className="size-4 text-good-ink" /> You accepted version {version} on{' '}
          {formatDate(agreement.acceptedAt ?? '')}.
        </p>
      ) : (
        <Button look="primary" busy={accept.isPending} disabled={isReadOnly} onClick={submit}>
          Accept agreement
        </Button>
      )}
    </div>
  )
}
