import { Link, useParams } from '@tanstack/react-router'
import type { PartnerDetail } from '@tributary/contract'
import { lazy, Suspense } from 'react'
import { rethrowLoadError } from '~/api/fetch-screen.ts'
import { usePartner } from '~/api/partners/partners.ts'
import { useProgram } from '~/app/program-context.ts'
import { BackLink } from '~/components/back-link.tsx'
import { StateChip } from '~/components/badge.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { formatDate } from '~/components/format/format.ts'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { HeaderActions } from './header-actions.tsx'
import { PartnerBalances } from './partner-balances.tsx'
import { PartnerLinks } from './partner-links.tsx'
import { PartnerNumbers } from './partner-numbers.tsx'
import { PartnerStatusNotice } from './partner-status-notice.tsx'
import { PartnerTerms } from './partner-terms.tsx'

/** Loaded after the rest of the page, which is the largest. */
const PartnerCodes = lazy(() =>
  import('./partner-codes.tsx').then(({ PartnerCodes }) => ({ default: PartnerCodes })).catch(rethrowLoadError),
)
const PartnerRecords = lazy(() =>
  import('./partner-records.tsx').then(({ PartnerRecords }) => ({ default: PartnerRecords })).catch(rethrowLoadError),
)

export const Partner = () => {
  const { program, may } = useProgram()
  const { partnerId = '' } = useParams({ strict: false })
  const partner = usePartner(program.id, partnerId)
  const { data } = partner
  return (
    <Page
      title={data?.name ?? 'Partner'}
      back={<BackLink programId={program.id} list="partners" />}
      description={data && <Summary partner={data} />}
      actions={data && may('partner:manage') && <HeaderActions partner={data} />}
    >
      <QueryView
        query={partner}
        loading={<PartnerSkeleton />}
        missing={{
          noun: 'partner',
          back: (
            <Link
              to="/programs/$programId/partners"
              params={{ programId: String(program.id) }}
              className={buttonClass({ look: 'primary' })}
            >
              Go to partners
            </Link>
          ),
        }}
      >
        {(loaded) => <PartnerBody partner={loaded} />}
      </QueryView>
    </Page>
  )
}

const Summary = ({ partner: { status, archived, email, code, createdAt, ...access } }: { partner: PartnerDetail }) => (
  <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
    <StateChip state={status} />
    {archived && <StateChip state="archived" />}
    <span className="break-all">{email ?? 'No email'}</span>
    <span className="text-faint">·</span> <code className="font-mono text-xs">{code}</code>
    <span className="text-faint">·</span> Added {formatDate(createdAt)}
    <span className="text-faint">·</span> {portalAccess(access)}
  </span>
)

const portalAccess = ({ hasAccount, invitedUntil }: Pick<PartnerDetail, 'hasAccount' | 'invitedUntil'>) => {
  if (hasAccount) return 'Has portal access'
  return invitedUntil ? `Invited until ${formatDate(invitedUntil)}` : 'No portal access'
}

const PartnerBody = ({ partner }: { partner: PartnerDetail }) => (
  <>
    <PartnerStatusNotice partner={partner} />
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        <PartnerLinks partner={partner} />
        <Suspense fallback={<CardSkeleton />}>
          <PartnerCodes partner={partner} />
        </Suspense>
      </div>
      <PartnerTerms partner={partner} />
    </div>
    <PartnerBalances partner={partner} />
    <PartnerNumbers partnerId={partner.id} />
    <Suspense fallback={<CardSkeleton />}>
      <PartnerRecords partner={partner} />
    </Suspense>
  </>
)

const PartnerSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Skeleton className="h-24 w-full rounded-xl" />
    <Skeleton className="h-96 w-full rounded-xl" />
  </Loading>
)

const CardSkeleton = () => (
  <Loading>
    <Skeleton className="h-32 w-full rounded-xl" />
  </Loading>
)
